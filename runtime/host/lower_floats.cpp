// SPDX-License-Identifier: MIT
// Floating point with one result: 16-bit types exactly rounded, fused operations fused, minima as the
// hardware's.
#include "runtime/host/exact_float.hpp"
#include "runtime/host/lower.hpp"
#include "runtime/host/refusal.hpp"

namespace twinir::exec {

using namespace llvm;

namespace {

bool is_bfloat(const Value* value) { return value->getType()->getScalarType()->isBFloatTy(); }
bool is_half(const Value* value) { return value->getType()->getScalarType()->isHalfTy(); }

Value* widen(IRBuilder<>& builder, Value* value) {
  return is_bfloat(value) ? builder.CreateFPExt(value, shaped(builder.getFloatTy(), value->getType()))
                          : value;
}

// Flips or clears the sign without touching the rest.
Value* sign_operation(IRBuilder<>& builder, Value* value, Instruction::BinaryOps op, std::uint64_t mask) {
  Type* integer = shaped(builder.getInt16Ty(), value->getType());
  Value* bits =
      builder.CreateBinOp(op, builder.CreateBitCast(value, integer), ConstantInt::get(integer, mask));
  return builder.CreateBitCast(bits, value->getType());
}

// The same intrinsic on f32 for every bf16 in its signature.
Value* intrinsic_in_f32(IRBuilder<>& builder, IntrinsicInst& call) {
  SmallVector<Type*> overloads;
  if (!intrinsic_overloads(call.getIntrinsicID(), call.getCalledFunction()->getFunctionType(), overloads))
    refuse_unsupported(call.getCalledFunction()->getName().str());
  for (Type*& type : overloads)
    if (type->getScalarType()->isBFloatTy()) type = shaped(builder.getFloatTy(), type);
  SmallVector<Value*> arguments;
  for (Value* argument : call.args()) arguments.push_back(widen(builder, argument));
  Function* wide = Intrinsic::getOrInsertDeclaration(call.getModule(), call.getIntrinsicID(), overloads);
  Value* result = builder.CreateCall(wide, arguments);
  return is_bfloat(&call) ? f32_to_bfloat(builder, result) : result;
}

Value* bfloat_intrinsic(IRBuilder<>& builder, IntrinsicInst& call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::fabs: return sign_operation(builder, call.getArgOperand(0), Instruction::And, 0x7fff);
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
    return fma_16bit(builder, call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2));
  case Intrinsic::vector_reduce_fadd:
  case Intrinsic::vector_reduce_fmul: refuse_unsupported(call.getCalledFunction()->getName().str());
  default: return intrinsic_in_f32(builder, call);
  }
}

// Integers of 64 bits keep, in a sticky bit, what double cannot hold.
Value* integer_to_bfloat(IRBuilder<>& builder, CastInst& cast) {
  Value* value = cast.getOperand(0);
  Type* integer = value->getType();
  if (integer->getScalarSizeInBits() > 64) refuse_unsupported("a conversion of more than 64 bits to bfloat");
  if (integer->getScalarSizeInBits() > 32) {
    Value* low = builder.CreateAnd(value, ConstantInt::get(integer, 0x7ff));
    Value* sticky = builder.CreateSelect(builder.CreateICmpNE(low, Constant::getNullValue(integer)),
                                         ConstantInt::get(integer, 0x800), Constant::getNullValue(integer));
    Value* coarse = builder.CreateOr(builder.CreateXor(value, low), sticky);
    const APInt limit = APInt::getOneBitSet(integer->getScalarSizeInBits(), 40);
    Value* magnitude = builder.CreateBinaryIntrinsic(Intrinsic::umin, value, builder.CreateNeg(value));
    Value* large = builder.CreateICmpUGT(magnitude, ConstantInt::get(integer, limit));
    value = builder.CreateSelect(large, coarse, value);
  }
  Value* exact = builder.CreateCast(cast.getOpcode(), value, shaped(builder.getDoubleTy(), integer));
  return f64_to_16bit(builder, exact, cast.getType());
}

Value* bfloat_cast(IRBuilder<>& builder, CastInst& cast) {
  Value* value = cast.getOperand(0);
  switch (cast.getOpcode()) {
  case Instruction::FPTrunc:
    return value->getType()->getScalarType()->isDoubleTy() ? f64_to_16bit(builder, value, cast.getType())
                                                           : f32_to_bfloat(builder, value);
  case Instruction::SIToFP:
  case Instruction::UIToFP: return integer_to_bfloat(builder, cast);
  case Instruction::FPToSI:
  case Instruction::FPToUI:
    return builder.CreateCast(cast.getOpcode(), widen(builder, value), cast.getType());
  case Instruction::FPExt: return builder.CreateFPExt(widen(builder, value), cast.getType());
  default: return nullptr;
  }
}

// The replacement of an instruction that computes with bf16; null: it only moves values.
Value* bfloat_replacement(Instruction& instruction) {
  IRBuilder<> builder(&instruction);
  const auto operand = [&](unsigned i) { return widen(builder, instruction.getOperand(i)); };
  if (auto* call = dyn_cast<IntrinsicInst>(&instruction)) return bfloat_intrinsic(builder, *call);
  if (auto* cast = dyn_cast<CastInst>(&instruction)) return bfloat_cast(builder, *cast);
  if (auto* compare = dyn_cast<FCmpInst>(&instruction))
    return builder.CreateFCmp(compare->getPredicate(), operand(0), operand(1));
  if (instruction.getOpcode() == Instruction::FNeg)
    return sign_operation(builder, instruction.getOperand(0), Instruction::Xor, 0x8000);
  if (auto* binary = dyn_cast<BinaryOperator>(&instruction))
    return f32_to_bfloat(builder, builder.CreateBinOp(binary->getOpcode(), operand(0), operand(1)));
  return nullptr;
}

bool touches_bfloat(const Instruction& instruction) {
  return is_bfloat(&instruction) ||
         any_of(instruction.operands(), [](const Use& use) { return is_bfloat(use); });
}

Value* with(IRBuilder<>& builder, Intrinsic::ID id, IntrinsicInst& call) {
  return builder.CreateIntrinsic(id, {call.getType()}, SmallVector<Value*>(call.args()));
}

// In double and rounded once more: the C library's float functions differ between processors in their last
// bit.
Value* through_double(IRBuilder<>& builder, IntrinsicInst& call) {
  Type* type = call.getType();
  if (type->getScalarType()->isDoubleTy()) return nullptr;
  Type* wide = shaped(builder.getDoubleTy(), type);
  SmallVector<Value*> arguments;
  for (Value* argument : call.args()) arguments.push_back(builder.CreateFPExt(argument, wide));
  Value* result = builder.CreateIntrinsic(call.getIntrinsicID(), {wide}, arguments);
  return type->getScalarType()->isHalfTy() ? f64_to_16bit(builder, result, type)
                                           : builder.CreateFPTrunc(result, type);
}

// AMDGPU's minimum and maximum: a NaN loses against a number, -0 is less than +0. Halves are exact in f32.
Value* extreme(IRBuilder<>& builder, Intrinsic::ID id, Value* a, Value* b) {
  if (!is_half(a)) return builder.CreateBinaryIntrinsic(id, a, b);
  Type* wide = shaped(builder.getFloatTy(), a->getType());
  Value* result =
      builder.CreateBinaryIntrinsic(id, builder.CreateFPExt(a, wide), builder.CreateFPExt(b, wide));
  return builder.CreateFPTrunc(result, a->getType());
}

Value* extreme(IRBuilder<>& builder, Intrinsic::ID id, IntrinsicInst& call) {
  return extreme(builder, id, call.getArgOperand(0), call.getArgOperand(1));
}

Value* extreme_of_elements(IRBuilder<>& builder, Intrinsic::ID id, IntrinsicInst& call) {
  Value* vector = call.getArgOperand(0);
  Value* result = builder.CreateExtractElement(vector, std::uint64_t{0});
  for (unsigned i = 1; i < cast<FixedVectorType>(vector->getType())->getNumElements(); ++i)
    result = extreme(builder, id, result, builder.CreateExtractElement(vector, i));
  return result;
}

Value* fused(IRBuilder<>& builder, IntrinsicInst& call) {
  if (is_half(&call))
    return fma_16bit(builder, call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2));
  return call.getIntrinsicID() == Intrinsic::fma ? nullptr : with(builder, Intrinsic::fma, call);
}

// The quiet bit of a NaN set. The host's own instruction selection does not know it for vectors of halves.
Value* canonical(IRBuilder<>& builder, Value* value) {
  Type* integer = shaped(builder.getIntNTy(value->getType()->getScalarSizeInBits()), value->getType());
  const int digits = value->getType()->getScalarType()->getFPMantissaWidth() - 1; // stored ones
  const APInt quiet = APInt::getOneBitSet(integer->getScalarSizeInBits(), static_cast<unsigned>(digits - 1));
  Value* set = builder.CreateOr(builder.CreateBitCast(value, integer), ConstantInt::get(integer, quiet));
  return builder.CreateSelect(builder.CreateFCmpUNO(value, value), builder.CreateBitCast(set, value->getType()), value);
}

Value* intrinsic_replacement(IRBuilder<>& builder, IntrinsicInst& call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::canonicalize: return canonical(builder, call.getArgOperand(0));
  case Intrinsic::minnum:
  case Intrinsic::minimumnum: return extreme(builder, Intrinsic::minimumnum, call);
  case Intrinsic::maxnum:
  case Intrinsic::maximumnum: return extreme(builder, Intrinsic::maximumnum, call);
  case Intrinsic::vector_reduce_fmin: return extreme_of_elements(builder, Intrinsic::minimumnum, call);
  case Intrinsic::vector_reduce_fmax: return extreme_of_elements(builder, Intrinsic::maximumnum, call);
  case Intrinsic::fma:
  case Intrinsic::fmuladd: return fused(builder, call);
  case Intrinsic::exp:
  case Intrinsic::exp2:
  case Intrinsic::exp10:
  case Intrinsic::log:
  case Intrinsic::log2:
  case Intrinsic::log10:
  case Intrinsic::pow:
  case Intrinsic::sin:
  case Intrinsic::cos:
  case Intrinsic::tan: return through_double(builder, call);
  default: return nullptr;
  }
}

// Out of range, LLVM's conversions give poison; AMDGPU's saturate and turn a NaN into 0.
Value* saturating(IRBuilder<>& builder, CastInst& cast) {
  const bool to_signed = cast.getOpcode() == Instruction::FPToSI;
  return builder.CreateIntrinsic(to_signed ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat,
                                 {cast.getType(), cast.getSrcTy()}, {cast.getOperand(0)});
}

Value* replacement(Instruction& instruction) {
  IRBuilder<> builder(&instruction);
  if (auto* call = dyn_cast<IntrinsicInst>(&instruction)) {
    Value* value = intrinsic_replacement(builder, *call);
    const auto* made = dyn_cast_or_null<IntrinsicInst>(value);
    return made != nullptr && made->getIntrinsicID() == call->getIntrinsicID() &&
                   made->getType() == call->getType()
               ? nullptr
               : value;
  }
  if (isa<FPToSIInst, FPToUIInst>(instruction)) return saturating(builder, cast<CastInst>(instruction));
  if (isa<FPTruncInst>(instruction) && is_half(&instruction) &&
      instruction.getOperand(0)->getType()->getScalarType()->isDoubleTy())
    return f64_to_16bit(builder, instruction.getOperand(0), instruction.getType());
  return nullptr;
}

template <class Replace> void replace_each(Function& kernel, Replace&& replace) {
  SmallVector<Instruction*> all;
  for (Instruction& instruction : instructions(kernel)) all.push_back(&instruction);
  for (Instruction* instruction : all) {
    Value* value = replace(*instruction);
    if (value == nullptr) continue;
    if (!value->hasName() && isa<Instruction>(value)) value->takeName(instruction);
    instruction->replaceAllUsesWith(value);
    instruction->eraseFromParent();
  }
}

} // namespace

void lower_floats(Lowering& lowering) {
  replace_each(*lowering.kernel, [](Instruction& instruction) -> Value* {
    return touches_bfloat(instruction) ? bfloat_replacement(instruction) : nullptr;
  });
  replace_each(*lowering.kernel, [](Instruction& instruction) { return replacement(instruction); });
}

} // namespace twinir::exec
