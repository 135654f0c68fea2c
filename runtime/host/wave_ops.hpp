// SPDX-License-Identifier: MIT
// Wave operations: what the lanes of a wave do together once they wait at the same place.
#pragma once
#include <bit>
#include <cstdint>

#include "dsl/matrix_layout.hpp"
#include "runtime/host/context.hpp"

namespace twinir::exec {

class Worker;

/// The lanes of a wave that take part in an operation.
struct Wave {
  Worker& worker;
  LaneContext* lanes;
  std::uint32_t size;  ///< 32 or 64
  std::uint32_t count; ///< lanes that exist: fewer than `size` in the last wave of an odd group
  std::uint64_t mask;  ///< lanes that take part
  std::uint32_t site;

  [[nodiscard]] LaneContext& first() const { return lanes[std::countr_zero(mask)]; }
  [[nodiscard]] bool active(std::uint32_t lane) const { return (mask >> lane & 1) != 0; }
  [[nodiscard]] bool full() const { return std::popcount(mask) == static_cast<int>(size); }
  [[nodiscard]] const WaveOperands& operands(std::uint32_t lane) const {
    return *static_cast<const WaveOperands*>(lanes[lane].input);
  }
  void result(std::uint32_t lane, std::uint64_t value) const {
    *static_cast<std::uint64_t*>(lanes[lane].output) = value;
  }
  template <class Do> void each(Do&& act) const {
    for (std::uint64_t rest = mask; rest != 0; rest &= rest - 1) act(lanes[std::countr_zero(rest)]);
  }
};

/// Performs an operation for all lanes of the mask: reads their inputs, writes their outputs.
void perform(WaveOp operation, const Wave& wave);

/// D = A * B + C of one wave, for each row of matrix_ops.def and matrix_byte_ops.def. Sums run over ascending
/// k with one rounding each (fused), from C; sums of integers wrap.
#define TWINIR_MATRIX_OP(name, kind, layout)                                                                 \
  void matrix_##name(const MatrixOperands* const operands[], float* const results[]);
#include "runtime/host/matrix_byte_ops.def"
#include "runtime/host/matrix_ops.def"
#undef TWINIR_MATRIX_OP

} // namespace twinir::exec
