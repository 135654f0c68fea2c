// SPDX-License-Identifier: MIT
#include "dsl/matrix.hpp"

#include "dsl/error.hpp"

#include <algorithm>
#include <array>

namespace twinir {
namespace {

constexpr std::array table{
    MatrixOp{Op::wmma_16x16x32_f16, Scalar::f16, vec(f16, 16), wmma_16x16x32},
    MatrixOp{Op::wmma_16x16x32_bf16, Scalar::bf16, vec(bf16, 16), wmma_16x16x32},
    MatrixOp{Op::wmma_16x16x16_f16, Scalar::f16, vec(f16, 16), wmma_16x16x16},
    MatrixOp{Op::wmma_16x16x16_bf16, Scalar::bf16, vec(i16, 16), wmma_16x16x16},
    MatrixOp{Op::mfma_32x32x16_f16, Scalar::f16, vec(f16, 8), mfma_32x32x16},
    MatrixOp{Op::mfma_32x32x16_bf16, Scalar::bf16, vec(bf16, 8), mfma_32x32x16},
};
static_assert(std::ranges::all_of(table, [](const MatrixOp& m) {
  return m.fragment.lanes == m.layout.fragment_values();
}));

} // namespace

const MatrixOp& matrix_op(Op op) {
  const auto it = std::ranges::find(table, op, &MatrixOp::op);
  if (it == table.end()) throw InternalError("'" + std::string(info(op).name) + "' is no matrix operation");
  return *it;
}

const MatrixOp* find_matrix_op(const Target& target, Scalar number) {
  const auto it = std::ranges::find_if(
      table, [&](const MatrixOp& m) { return m.number == number && target.has(info(m.op).feature); });
  return it == table.end() ? nullptr : &*it;
}

} // namespace twinir
