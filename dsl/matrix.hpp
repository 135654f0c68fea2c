// SPDX-License-Identifier: MIT
// The matrix operations: types of their operands, layouts, and which of them a target has.
#pragma once
#include "dsl/matrix_layout.hpp"
#include "dsl/op.hpp"
#include "dsl/target.hpp"
#include "dsl/type.hpp"

#include <optional>
#include <string_view>

namespace twinir {

/// What the elements of A or B are. Those of 8 bits have no type of their own: fp8 is OCP e4m3, bf8 OCP e5m2,
/// int8 and uint8 are integers with and without a sign ("i8", "u8").
enum class MatrixNumber : std::uint8_t { half, bfloat, fp8, bf8, int8, uint8 };
[[nodiscard]] std::string_view to_string(MatrixNumber number);
/// The inverse of to_string; empty for any other word.
[[nodiscard]] std::optional<MatrixNumber> parse_matrix_number(std::string_view word);
[[nodiscard]] constexpr int bit_width(MatrixNumber n) { return n <= MatrixNumber::bfloat ? 16 : 8; }
[[nodiscard]] constexpr bool is_int(MatrixNumber n) { return n >= MatrixNumber::int8; }

/// D = A * B + C by one wave, in f32, or in i32 (which wraps) for integers.
struct MatrixOp {
  Op op;
  MatrixNumber a, b; ///< int8 stands for both signs where the operation has attributes for them
  Type fragment; ///< of A and B, as the operation takes it: bf16 may be i16, numbers of 8 bits are packed in
                 ///< integers
  MatrixLayout layout;

  [[nodiscard]] constexpr Type sums() const { return vec(is_int(a) ? i32 : f32, layout.sums()); }
  [[nodiscard]] bool has_signs() const { return !info(op).attributes.empty(); }
};

/// Throws InternalError for an operation of another rule.
[[nodiscard]] const MatrixOp& matrix_op(Op op);
/// The operation for these numbers that the target has, with `side` rows and columns (0: the target's
/// largest); null for none.
[[nodiscard]] const MatrixOp* find_matrix_op(const Target& target, MatrixNumber a, MatrixNumber b,
                                             int side = 0);
/// The same for f16 or bf16 in both; null for other scalars.
[[nodiscard]] const MatrixOp* find_matrix_op(const Target& target, Scalar number);

} // namespace twinir
