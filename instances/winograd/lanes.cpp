// SPDX-License-Identifier: MIT
#include "instances/winograd/lanes.hpp"

#include "instances/winograd/exponents.hpp"

namespace twinir::winograd {

LaneRows::LaneRows(KernelBuilder& k, int block, Value rows, Value shift)
    : k_(k), block_(block), shift_(shift) {
  count_ = k.let("lanes", k.constant(i32, 1) << shift);
  lane_ = k.let("lane", k.workitem() & (count_ - 1));
  const auto rows_of_group = lshr(k.constant(i32, block), shift);
  row_ = k.let("row", k.workgroup() * rows_of_group + lshr(k.workitem(), shift));
  valid_ = row_ < rows;
}

Value LaneRows::largest(Value mine) const {
  return Value(largest_of_lanes(k_, block_, shift_, mine)[k_.workitem() - lane_]);
}

Pointer largest_of_lanes(KernelBuilder& k, int block, const Value& shift, const Value& mine) {
  const auto partial = k.lds("partial", i32, block);
  const auto item = k.workitem();
  const auto count = k.constant(i32, 1) << shift;
  const auto lane = item & (count - 1);
  partial[item] = mine;
  k.barrier();
  k.for_range(0, shift, 1,
              [&](Value step) {
                const auto width = lshr(count, step + 1);
                k.if_(lane < width,
                      [&] { partial[item] = smax(Value(partial[item]), Value(partial[item + width])); });
                k.barrier();
              },
              {"halving", false});
  return partial;
}

Value magnitude_max(const Value& bits, const Value& largest) { return umax(bits & magnitude_bits, largest); }

} // namespace twinir::winograd
