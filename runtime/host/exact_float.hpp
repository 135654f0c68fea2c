// SPDX-License-Identifier: MIT
// Exactly rounded 16-bit float arithmetic, built from integer and double operations.
#pragma once
// Rounding to odd first, then to nearest, gives the same result as one rounding to nearest: the intermediate
// format has at least two bits more and keeps, in its last bit, that something was lost.
#include "runtime/host/llvm.hpp"

namespace twinir::exec {

/// `scalar`, or a vector of it with as many elements as `shape` has.
[[nodiscard]] llvm::Type* shaped(llvm::Type* scalar, const llvm::Type* shape);
/// f64 -> f32, rounded to odd.
[[nodiscard]] llvm::Value* round_to_odd_f32(llvm::IRBuilder<>& builder, llvm::Value* value);
/// f32 -> bf16, to nearest, ties to even; a NaN stays a NaN and becomes quiet.
[[nodiscard]] llvm::Value* f32_to_bfloat(llvm::IRBuilder<>& builder, llvm::Value* value);
/// f64 -> f16 or bf16, to nearest, ties to even.
[[nodiscard]] llvm::Value* f64_to_16bit(llvm::IRBuilder<>& builder, llvm::Value* value, llvm::Type* type);
/// a * b + c for f16 or bf16 with one rounding.
[[nodiscard]] llvm::Value* fma_16bit(llvm::IRBuilder<>& builder, llvm::Value* a, llvm::Value* b,
                                     llvm::Value* c);

} // namespace twinir::exec
