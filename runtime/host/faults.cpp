// SPDX-License-Identifier: MIT
#include "runtime/host/faults.hpp"

#include <algorithm>

namespace twinir::exec {

void FaultTable::describe(Fault& fault, std::uint64_t linear_group, std::uint32_t wave_size,
                          const LaneContext& lane, FaultText text) {
  fault.linear_group = linear_group;
  std::copy_n(lane.group, 3, fault.group);
  fault.item = lane.flat;
  fault.lane = lane.lane;
  fault.wave = lane.flat / wave_size;
  fault.found = std::move(text.found);
  fault.expected = std::move(text.expected);
  fault.action = std::move(text.action);
}

void FaultTable::merge(const FaultTable& other) {
  for (const auto& [key, theirs] : other.faults_) {
    Fault& ours = faults_[key];
    const std::uint64_t count = ours.count + theirs.count;
    const bool first = ours.count == 0 ||
                       std::pair(theirs.linear_group, theirs.item) < std::pair(ours.linear_group, ours.item);
    if (first) ours = theirs;
    ours.count = count;
  }
}

} // namespace twinir::exec
