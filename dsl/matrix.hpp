// SPDX-License-Identifier: MIT
// The matrix operations: types of their operands, layouts, and which of them a target has.
#pragma once
#include "dsl/matrix_layout.hpp"
#include "dsl/op.hpp"
#include "dsl/target.hpp"
#include "dsl/type.hpp"

namespace twinir {

/// D = A * B + C in f32 by one wave.
struct MatrixOp {
  Op op;
  Scalar number; ///< what the elements of A and B are
  Type fragment; ///< of A and B, as the operation takes it: some have bf16 as i16
  MatrixLayout layout;

  [[nodiscard]] constexpr Type sums() const { return vec(f32, layout.sums()); }
};

/// Throws InternalError for an operation of another rule.
[[nodiscard]] const MatrixOp& matrix_op(Op op);
/// The operation for numbers of f16 or bf16 that the target has; null for none.
[[nodiscard]] const MatrixOp* find_matrix_op(const Target& target, Scalar number);

} // namespace twinir
