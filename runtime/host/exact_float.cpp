// SPDX-License-Identifier: MIT
#include "runtime/host/exact_float.hpp"

namespace twinir::exec {

using namespace llvm;

Type* shaped(Type* scalar, const Type* shape) {
  const auto* vector = dyn_cast<FixedVectorType>(shape);
  return vector == nullptr ? scalar : FixedVectorType::get(scalar, vector->getNumElements());
}

namespace {

Value* sign_is_set(IRBuilder<>& builder, Value* value) {
  const unsigned width = value->getType()->getScalarSizeInBits();
  Type* integer = shaped(builder.getIntNTy(width), value->getType());
  return builder.CreateICmpSLT(builder.CreateBitCast(value, integer), Constant::getNullValue(integer));
}

// `rounded` is a nearest value and `error` what it lacks. Moves an inexact, even result one step towards the
// truth.
Value* make_odd(IRBuilder<>& builder, Value* rounded, Value* error) {
  Type* type = rounded->getType();
  Type* integer = shaped(builder.getIntNTy(type->getScalarSizeInBits()), type);
  Value* bits = builder.CreateBitCast(rounded, integer);
  Value* inexact = builder.CreateFCmpONE(error, Constant::getNullValue(error->getType()));
  Value* even = builder.CreateICmpEQ(builder.CreateAnd(bits, ConstantInt::get(integer, 1)),
                                     Constant::getNullValue(integer));
  Value* away = builder.CreateICmpEQ(sign_is_set(builder, rounded), sign_is_set(builder, error));
  Value* step = builder.CreateSelect(away, ConstantInt::get(integer, 1), Constant::getAllOnesValue(integer));
  Value* moved = builder.CreateAdd(bits, step);
  return builder.CreateBitCast(builder.CreateSelect(builder.CreateAnd(inexact, even), moved, bits), type);
}

// a + b in double, rounded to odd; the error of the sum is exact (two-sum).
Value* add_to_odd(IRBuilder<>& builder, Value* a, Value* b) {
  Value* sum = builder.CreateFAdd(a, b);
  Value* part_b = builder.CreateFSub(sum, a);
  Value* part_a = builder.CreateFSub(sum, part_b);
  Value* error = builder.CreateFAdd(builder.CreateFSub(a, part_a), builder.CreateFSub(b, part_b));
  return make_odd(builder, sum, error);
}

Value* to_f64(IRBuilder<>& builder, Value* value) {
  Type* type = value->getType();
  if (type->getScalarType()->isBFloatTy())
    value = builder.CreateFPExt(value, shaped(builder.getFloatTy(), type));
  return builder.CreateFPExt(value, shaped(builder.getDoubleTy(), type));
}

} // namespace

Value* round_to_odd_f32(IRBuilder<>& builder, Value* value) {
  Value* rounded = builder.CreateFPTrunc(value, shaped(builder.getFloatTy(), value->getType()));
  Value* error = builder.CreateFSub(value, builder.CreateFPExt(rounded, value->getType()));
  return make_odd(builder, rounded, builder.CreateFPTrunc(error, rounded->getType()));
}

Value* f32_to_bfloat(IRBuilder<>& builder, Value* value) {
  Type* integer = shaped(builder.getInt32Ty(), value->getType());
  const auto constant = [&](std::uint64_t number) { return ConstantInt::get(integer, number); };
  Value* bits = builder.CreateBitCast(value, integer);
  Value* last = builder.CreateAnd(builder.CreateLShr(bits, constant(16)), constant(1));
  Value* rounded = builder.CreateAdd(builder.CreateAdd(bits, constant(0x7fff)), last);
  Value* quiet = builder.CreateOr(bits, constant(0x400000));
  Value* is_nan = builder.CreateFCmpUNO(value, value);
  Value* high = builder.CreateLShr(builder.CreateSelect(is_nan, quiet, rounded), constant(16));
  Value* half = builder.CreateTrunc(high, shaped(builder.getInt16Ty(), integer));
  return builder.CreateBitCast(half, shaped(builder.getBFloatTy(), integer));
}

Value* f64_to_16bit(IRBuilder<>& builder, Value* value, Type* type) {
  Value* narrow = round_to_odd_f32(builder, value);
  return type->getScalarType()->isBFloatTy() ? f32_to_bfloat(builder, narrow)
                                             : builder.CreateFPTrunc(narrow, type);
}

// Products of two 16-bit floats are exact in double.
Value* fma_16bit(IRBuilder<>& builder, Value* a, Value* b, Value* c) {
  Value* product = builder.CreateFMul(to_f64(builder, a), to_f64(builder, b));
  return f64_to_16bit(builder, add_to_odd(builder, product, to_f64(builder, c)), a->getType());
}

} // namespace twinir::exec
