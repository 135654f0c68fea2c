// SPDX-License-Identifier: MIT
// Checked mode: operations whose operands make their result poison, and divisions by zero, are reported.
#include "runtime/host/entry_points.hpp"
#include "runtime/host/exact_float.hpp"
#include "runtime/host/lower.hpp"

namespace twinir::exec {

using namespace llvm;

namespace {

// A condition (one per element for vectors) under which an instruction is reported.
struct Check {
  Value* bad;
  PoisonOp op;
  bool is_signed;
  Value* a;
  Value* b;
};

Value* element(IRBuilder<>& builder, Value* value, unsigned index) {
  return value->getType()->isVectorTy() ? builder.CreateExtractElement(value, index) : value;
}

Value* as_i64(IRBuilder<>& builder, Value* value) {
  return value->getType()->isIntegerTy() ? builder.CreateZExtOrTrunc(value, builder.getInt64Ty())
                                         : builder.getInt64(0);
}

void report_elements(Lowering& lowering, IRBuilder<>& builder, const Check& check, const Instruction& place,
                     unsigned width) {
  const auto* vector = dyn_cast<FixedVectorType>(check.bad->getType());
  const unsigned count = vector == nullptr ? 1 : vector->getNumElements();
  for (unsigned i = 0; i < count; ++i)
    lowering.call(builder, "poison", builder.getVoidTy(),
                  {builder.CreateZExt(element(builder, check.bad, i), lowering.i32),
                   builder.getInt32(pack_poison(check.op, check.is_signed, width)),
                   as_i64(builder, element(builder, check.a, i)),
                   as_i64(builder, element(builder, check.b, i)), lowering.site(place)});
}

// if (any bad) report, in front of the instruction and off the straight path.
void insert(Lowering& lowering, Instruction& place, const Check& check, unsigned width) {
  IRBuilder<> builder(&place);
  Value* any = check.bad->getType()->isVectorTy() ? builder.CreateOrReduce(check.bad) : check.bad;
  if (const auto* constant = dyn_cast<ConstantInt>(any); constant != nullptr && constant->isZero()) return;
  MDNode* unlikely = MDBuilder(lowering.context).createUnlikelyBranchWeights();
  IRBuilder<> cold(SplitBlockAndInsertIfThen(any, place.getIterator(), false, unlikely));
  report_elements(lowering, cold, check, place, width);
}

unsigned width_of(const Value* value) { return value->getType()->getScalarSizeInBits(); }

// The amount is replaced by 0 where it is too large, so that the run goes on with a number.
void check_shift_amount(Lowering& lowering, BinaryOperator& shift) {
  Value* amount = shift.getOperand(1);
  const unsigned width = width_of(&shift);
  const SimplifyQuery query(lowering.module.getDataLayout());
  if (computeKnownBits(amount, query).getMaxValue().ult(width)) return;
  IRBuilder<> builder(&shift);
  Value* bad = builder.CreateICmpUGE(amount, ConstantInt::get(amount->getType(), width));
  shift.setOperand(1, builder.CreateSelect(bad, Constant::getNullValue(amount->getType()), amount));
  insert(lowering, shift, {bad, PoisonOp::shift, false, shift.getOperand(0), amount}, width);
}

Intrinsic::ID overflow_intrinsic(unsigned opcode, bool is_signed) {
  switch (opcode) {
  case Instruction::Add: return is_signed ? Intrinsic::sadd_with_overflow : Intrinsic::uadd_with_overflow;
  case Instruction::Sub: return is_signed ? Intrinsic::ssub_with_overflow : Intrinsic::usub_with_overflow;
  default: return is_signed ? Intrinsic::smul_with_overflow : Intrinsic::umul_with_overflow;
  }
}

PoisonOp wrap_op(unsigned opcode) {
  switch (opcode) {
  case Instruction::Add: return PoisonOp::add;
  case Instruction::Sub: return PoisonOp::sub;
  case Instruction::Mul: return PoisonOp::mul;
  default: return PoisonOp::shl;
  }
}

Value* wraps(IRBuilder<>& builder, BinaryOperator& operation, bool is_signed) {
  Value* a = operation.getOperand(0);
  Value* b = operation.getOperand(1);
  if (operation.getOpcode() == Instruction::Shl) {
    Value* shifted = builder.CreateShl(a, b);
    Value* back = is_signed ? builder.CreateAShr(shifted, b) : builder.CreateLShr(shifted, b);
    return builder.CreateICmpNE(back, a);
  }
  const Intrinsic::ID id = overflow_intrinsic(operation.getOpcode(), is_signed);
  return builder.CreateExtractValue(builder.CreateBinaryIntrinsic(id, a, b), 1);
}

void check_wrap(Lowering& lowering, BinaryOperator& operation, bool is_signed) {
  IRBuilder<> builder(&operation);
  insert(lowering, operation,
         {wraps(builder, operation, is_signed), wrap_op(operation.getOpcode()), is_signed,
          operation.getOperand(0), operation.getOperand(1)},
         width_of(&operation));
}

// Bits lost by an exact right shift or division.
void check_exact(Lowering& lowering, BinaryOperator& operation) {
  IRBuilder<> builder(&operation);
  Value* a = operation.getOperand(0);
  Value* b = operation.getOperand(1);
  const bool is_signed =
      operation.getOpcode() == Instruction::SDiv || operation.getOpcode() == Instruction::AShr;
  Value* rest = operation.isShift()
                    ? builder.CreateSub(a, builder.CreateShl(builder.CreateLShr(a, b), b))
                    : builder.CreateBinOp(is_signed ? Instruction::SRem : Instruction::URem, a, b);
  Value* bad = builder.CreateICmpNE(rest, Constant::getNullValue(rest->getType()));
  insert(lowering, operation, {bad, PoisonOp::exact, is_signed, a, b}, width_of(&operation));
}

void check_division(Lowering& lowering, BinaryOperator& division) {
  Value* a = division.getOperand(0);
  Value* b = division.getOperand(1);
  const bool is_signed =
      division.getOpcode() == Instruction::SDiv || division.getOpcode() == Instruction::SRem;
  IRBuilder<> builder(&division);
  Value* zero = builder.CreateICmpEQ(b, Constant::getNullValue(b->getType()));
  insert(lowering, division, {zero, PoisonOp::division_by_zero, is_signed, a, b}, width_of(&division));
  if (!is_signed) return;
  builder.SetInsertPoint(&division);
  Value* least = ConstantInt::get(a->getType(), APInt::getSignedMinValue(width_of(a)));
  Value* wrap = builder.CreateAnd(builder.CreateICmpEQ(b, Constant::getAllOnesValue(b->getType())),
                                  builder.CreateICmpEQ(a, least));
  insert(lowering, division, {wrap, PoisonOp::division_overflow, true, a, b}, width_of(&division));
}

// Every integer bound up to 64 bits is a double; one below the least signed i64 is not, hence its >=.
void check_to_integer(Lowering& lowering, CastInst& cast) {
  const unsigned width = width_of(&cast);
  if (width > 64) return;
  IRBuilder<> builder(&cast);
  const bool is_signed = cast.getOpcode() == Instruction::FPToSI;
  Value* value = cast.getOperand(0);
  Type* wide = shaped(lowering.f64, value->getType());
  if (value->getType() != wide) value = builder.CreateFPExt(value, wide);
  const double high = std::ldexp(1.0, static_cast<int>(is_signed ? width - 1 : width));
  Value* below = builder.CreateFCmpOLT(value, ConstantFP::get(wide, high));
  Value* above = is_signed && width == 64
                     ? builder.CreateFCmpOGE(value, ConstantFP::get(wide, -high))
                     : builder.CreateFCmpOGT(value, ConstantFP::get(wide, is_signed ? -high - 1 : -1.0));
  Value* bad = builder.CreateNot(builder.CreateAnd(below, above));
  insert(lowering, cast, {bad, PoisonOp::to_integer, is_signed, value, value}, width);
}

void check_assume(Lowering& lowering, AssumeInst& assume) {
  IRBuilder<> builder(&assume);
  Value* bad = builder.CreateNot(assume.getArgOperand(0));
  insert(lowering, assume, {bad, PoisonOp::assume, false, bad, bad}, 1);
  assume.eraseFromParent();
}

void check_binary(Lowering& lowering, BinaryOperator& operation) {
  if (operation.isShift()) check_shift_amount(lowering, operation);
  if (operation.isIntDivRem()) check_division(lowering, operation);
  if (isa<OverflowingBinaryOperator>(operation)) {
    if (operation.hasNoSignedWrap()) check_wrap(lowering, operation, true);
    if (operation.hasNoUnsignedWrap()) check_wrap(lowering, operation, false);
  }
  if (isa<PossiblyExactOperator>(operation) && operation.isExact()) check_exact(lowering, operation);
}

} // namespace

void instrument_poison(Lowering& lowering) {
  SmallVector<Instruction*> all;
  for (Instruction& instruction : instructions(*lowering.kernel)) all.push_back(&instruction);
  for (Instruction* instruction : all) {
    if (auto* assume = dyn_cast<AssumeInst>(instruction)) {
      check_assume(lowering, *assume);
      continue;
    }
    if (auto* binary = dyn_cast<BinaryOperator>(instruction)) check_binary(lowering, *binary);
    if (isa<FPToSIInst, FPToUIInst>(instruction)) check_to_integer(lowering, *cast<CastInst>(instruction));
    instruction->dropPoisonGeneratingFlags();
  }
}

} // namespace twinir::exec
