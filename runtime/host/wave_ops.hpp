// SPDX-License-Identifier: MIT
// Wave operations: what the lanes of a wave do together once they wait at the same place.
#pragma once
#include <bit>
#include <cstdint>

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

/// D = A * B + C, 16x16x32, for 32 lanes. Sums run over ascending k with one rounding each (fused), from C.
/// Layout: A(i,k) and B(k,i) are slot (k/16)*8 + k%8 of lane ((k/8)&1)*16 + i; C and D(r,c) are slot r%8 of
/// lane (r/8)*16 + c.
void matrix_f16(const MatrixOperands* const operands[32], float* const results[32]);
void matrix_bf16(const MatrixOperands* const operands[32], float* const results[32]);

} // namespace twinir::exec
