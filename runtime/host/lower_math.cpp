// SPDX-License-Identifier: MIT
// Handlers: arithmetic of AMDGPU that LLVM has no generic intrinsic for.
#include "runtime/host/intrinsic_table.hpp"
#include "runtime/host/refusal.hpp"

namespace twinir::exec {

using namespace llvm;

namespace {

// The median: of three numbers the middle one.
Value* fmed3(Lowering&, CallInst& call, IRBuilder<>& builder) {
  const auto least = [&](Value* a, Value* b) {
    return builder.CreateBinaryIntrinsic(Intrinsic::minimumnum, a, b);
  };
  const auto most = [&](Value* a, Value* b) {
    return builder.CreateBinaryIntrinsic(Intrinsic::maximumnum, a, b);
  };
  Value* a = call.getArgOperand(0);
  Value* b = call.getArgOperand(1);
  return most(least(a, b), least(most(a, b), call.getArgOperand(2)));
}

Value* rcp(Lowering&, CallInst& call, IRBuilder<>& builder) {
  return builder.CreateFDiv(ConstantFP::get(call.getType(), 1.0), call.getArgOperand(0));
}

Value* sqrt(Lowering&, CallInst& call, IRBuilder<>& builder) {
  return builder.CreateUnaryIntrinsic(Intrinsic::sqrt, call.getArgOperand(0));
}

// In double, so that one rounding is left.
Value* rsq(Lowering& lowering, CallInst& call, IRBuilder<>& builder) {
  Value* root =
      builder.CreateUnaryIntrinsic(Intrinsic::sqrt, builder.CreateFPExt(call.getArgOperand(0), lowering.f64));
  return builder.CreateFPTrunc(builder.CreateFDiv(ConstantFP::get(lowering.f64, 1.0), root), call.getType());
}

Value* exp2(Lowering&, CallInst& call, IRBuilder<>& builder) {
  return builder.CreateUnaryIntrinsic(Intrinsic::exp2, call.getArgOperand(0));
}

// v_log is the logarithm to base 2.
Value* log2(Lowering&, CallInst& call, IRBuilder<>& builder) {
  return builder.CreateUnaryIntrinsic(Intrinsic::log2, call.getArgOperand(0));
}

// A pure function of numbers in the run time.
Value* pure_call(Lowering& lowering, IRBuilder<>& builder, StringRef name, Type* result, Value* argument) {
  const FunctionCallee callee = lowering.module.getOrInsertFunction(
      ("twinir." + name).str(), FunctionType::get(result, {argument->getType()}, false));
  CallInst* call = builder.CreateCall(callee, {argument});
  call->setDoesNotThrow();
  call->setDoesNotAccessMemory();
  return call;
}

// Every float is exact in double.
Value* frexp_operand(Lowering& lowering, CallInst& call, IRBuilder<>& builder) {
  return builder.CreateFPCast(call.getArgOperand(0), lowering.f64);
}

Value* frexp_mant(Lowering& lowering, CallInst& call, IRBuilder<>& builder) {
  Value* value = frexp_operand(lowering, call, builder);
  return builder.CreateFPCast(pure_call(lowering, builder, "frexp_mant", lowering.f64, value),
                              call.getType());
}

Value* frexp_exp(Lowering& lowering, CallInst& call, IRBuilder<>& builder) {
  Value* value = frexp_operand(lowering, call, builder);
  Value* exponent = pure_call(lowering, builder, "frexp_exp", lowering.i32, value);
  return builder.CreateSExtOrTrunc(exponent, call.getType());
}

// (i32 packed, i32 byte)
Value* unpack(Lowering& lowering, CallInst& call, IRBuilder<>& builder, StringRef convert) {
  Value* amount =
      builder.CreateShl(builder.CreateAnd(call.getArgOperand(1), builder.getInt32(3)), builder.getInt32(3));
  return pure_call(lowering, builder, convert, lowering.f32,
                   builder.CreateLShr(call.getArgOperand(0), amount));
}

Value* unpack_fp8(Lowering& lowering, CallInst& call, IRBuilder<>& builder) {
  return unpack(lowering, call, builder, "fp8_to_f32");
}

Value* unpack_bf8(Lowering& lowering, CallInst& call, IRBuilder<>& builder) {
  return unpack(lowering, call, builder, "bf8_to_f32");
}

// (float a, float b, i32 old, i1 high half)
Value* pack(Lowering& lowering, CallInst& call, IRBuilder<>& builder, StringRef convert) {
  Value* low = pure_call(lowering, builder, convert, lowering.i32, call.getArgOperand(0));
  Value* high = pure_call(lowering, builder, convert, lowering.i32, call.getArgOperand(1));
  Value* pair = builder.CreateOr(low, builder.CreateShl(high, std::uint64_t{8}));
  Value* old = call.getArgOperand(2);
  Value* in_low = builder.CreateOr(builder.CreateAnd(old, builder.getInt32(0xffff0000)), pair);
  Value* in_high = builder.CreateOr(builder.CreateAnd(old, builder.getInt32(0xffff)),
                                    builder.CreateShl(pair, std::uint64_t{16}));
  return builder.CreateSelect(call.getArgOperand(3), in_high, in_low);
}

Value* pack_fp8(Lowering& lowering, CallInst& call, IRBuilder<>& builder) {
  return pack(lowering, call, builder, "f32_to_fp8");
}

Value* pack_bf8(Lowering& lowering, CallInst& call, IRBuilder<>& builder) {
  return pack(lowering, call, builder, "f32_to_bf8");
}

constexpr IntrinsicEntry entries[] = {
    {"cvt.f32.bf8", unpack_bf8},
    {"cvt.f32.fp8", unpack_fp8},
    {"cvt.pk.bf8.f32", pack_bf8},
    {"cvt.pk.fp8.f32", pack_fp8},
    {"exp2", exp2},
    {"fmed3", fmed3},
    {"frexp.exp", frexp_exp},
    {"frexp.mant", frexp_mant},
    {"log", log2},
    {"rcp", rcp},
    {"rsq", rsq},
    {"sqrt", sqrt},
};

} // namespace

ArrayRef<IntrinsicEntry> math_intrinsics() { return entries; }

} // namespace twinir::exec
