// SPDX-License-Identifier: MIT
#include "dsl/matrix.hpp"

#include "dsl/error.hpp"

#include <algorithm>
#include <array>

namespace twinir {
namespace {

using N = MatrixNumber;

// Of a target's operations for the same numbers, the one with the largest side comes first.
constexpr std::array table{
    MatrixOp{Op::wmma_16x16x32_f16, N::half, N::half, vec(f16, 16), wmma_16x16x32},
    MatrixOp{Op::wmma_16x16x32_bf16, N::bfloat, N::bfloat, vec(bf16, 16), wmma_16x16x32},
    MatrixOp{Op::wmma_16x16x64_fp8_fp8, N::fp8, N::fp8, vec(i32, 8), wmma_16x16x64},
    MatrixOp{Op::wmma_16x16x64_fp8_bf8, N::fp8, N::bf8, vec(i32, 8), wmma_16x16x64},
    MatrixOp{Op::wmma_16x16x64_bf8_fp8, N::bf8, N::fp8, vec(i32, 8), wmma_16x16x64},
    MatrixOp{Op::wmma_16x16x64_bf8_bf8, N::bf8, N::bf8, vec(i32, 8), wmma_16x16x64},
    MatrixOp{Op::wmma_16x16x64_iu8, N::int8, N::int8, vec(i32, 8), wmma_16x16x64},
    MatrixOp{Op::wmma_16x16x16_f16, N::half, N::half, vec(f16, 16), wmma_16x16x16},
    MatrixOp{Op::wmma_16x16x16_bf16, N::bfloat, N::bfloat, vec(i16, 16), wmma_16x16x16},
    MatrixOp{Op::wmma_16x16x16_iu8, N::int8, N::int8, vec(i32, 4), wmma_16x16x16},
    MatrixOp{Op::wmma_gfx12_f16, N::half, N::half, vec(f16, 8), wmma_gfx12},
    MatrixOp{Op::wmma_gfx12_bf16, N::bfloat, N::bfloat, vec(i16, 8), wmma_gfx12},
    MatrixOp{Op::wmma_gfx12_fp8_fp8, N::fp8, N::fp8, vec(i32, 2), wmma_gfx12},
    MatrixOp{Op::wmma_gfx12_fp8_bf8, N::fp8, N::bf8, vec(i32, 2), wmma_gfx12},
    MatrixOp{Op::wmma_gfx12_bf8_fp8, N::bf8, N::fp8, vec(i32, 2), wmma_gfx12},
    MatrixOp{Op::wmma_gfx12_bf8_bf8, N::bf8, N::bf8, vec(i32, 2), wmma_gfx12},
    MatrixOp{Op::wmma_gfx12_iu8, N::int8, N::int8, vec(i32, 2), wmma_gfx12},
    MatrixOp{Op::mfma_32x32x16_f16, N::half, N::half, vec(f16, 8), mfma_32x32x16},
    MatrixOp{Op::mfma_32x32x16_bf16, N::bfloat, N::bfloat, vec(bf16, 8), mfma_32x32x16},
    MatrixOp{Op::mfma_32x32x16_fp8_fp8, N::fp8, N::fp8, i64, mfma_32x32x16},
    MatrixOp{Op::mfma_32x32x16_fp8_bf8, N::fp8, N::bf8, i64, mfma_32x32x16},
    MatrixOp{Op::mfma_32x32x16_bf8_fp8, N::bf8, N::fp8, i64, mfma_32x32x16},
    MatrixOp{Op::mfma_32x32x16_bf8_bf8, N::bf8, N::bf8, i64, mfma_32x32x16},
    MatrixOp{Op::mfma_16x16x32_f16, N::half, N::half, vec(f16, 8), mfma_16x16x32},
    MatrixOp{Op::mfma_16x16x32_bf16, N::bfloat, N::bfloat, vec(bf16, 8), mfma_16x16x32},
    MatrixOp{Op::mfma_32x32x32_i8, N::int8, N::int8, vec(i32, 4), mfma_32x32x32},
};
static_assert(std::ranges::all_of(table, [](const MatrixOp& m) {
  return static_cast<int>(m.fragment.bits()) == bit_width(m.a) * m.layout.fragment_values() &&
         bit_width(m.a) == bit_width(m.b);
}));

constexpr std::array<std::string_view, 6> number_names{"f16", "bf16", "fp8", "bf8", "i8", "u8"};

/// Does an operation whose numbers are `has` take `wanted`?
bool takes(const MatrixOp& m, N has, N wanted) { return has == wanted || (m.has_signs() && is_int(wanted)); }

} // namespace

std::string_view to_string(MatrixNumber number) { return number_names[static_cast<std::size_t>(number)]; }

std::optional<MatrixNumber> parse_matrix_number(std::string_view word) {
  const auto it = std::ranges::find(number_names, word);
  if (it == number_names.end()) return std::nullopt;
  return static_cast<MatrixNumber>(it - number_names.begin());
}

const MatrixOp& matrix_op(Op op) {
  const auto it = std::ranges::find(table, op, &MatrixOp::op);
  if (it == table.end()) throw InternalError("'" + std::string(info(op).name) + "' is no matrix operation");
  return *it;
}

const MatrixOp* find_matrix_op(const Target& target, MatrixNumber a, MatrixNumber b, int side) {
  const auto it = std::ranges::find_if(table, [&](const MatrixOp& m) {
    return takes(m, m.a, a) && takes(m, m.b, b) && (side == 0 || m.layout.side == side) &&
           target.has(info(m.op).feature);
  });
  return it == table.end() ? nullptr : &*it;
}

const MatrixOp* find_matrix_op(const Target& target, Scalar number) {
  if (number != Scalar::f16 && number != Scalar::bf16) return nullptr;
  const auto n = number == Scalar::f16 ? N::half : N::bfloat;
  return find_matrix_op(target, n, n);
}

} // namespace twinir
