// SPDX-License-Identifier: MIT
// Faults: what a launch did wrong; one record a code and IR instruction.
#pragma once
// Guarantees: after merging, the records do not depend on the number of threads: a record holds the total
// count and the first occurrence in (linear group, item) order.
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "runtime/host/context.hpp"
#include "runtime/host/refusal.hpp"

namespace twinir::exec {

/// The first occurrence of a fault, and how many there were.
struct Fault {
  std::uint64_t count = 0;
  std::uint64_t linear_group = 0;
  std::uint32_t group[3] = {0, 0, 0};
  std::uint32_t item = 0;
  std::uint32_t lane = 0;
  std::uint32_t wave = 0;
  std::string found;
  std::string expected;
  std::string action;
};

/// What a report says besides its place.
struct FaultText {
  std::string found;
  std::string expected;
  std::string action;
};

/// (code, site), in the order of the report.
using FaultKey = std::pair<int, std::uint32_t>;

class FaultTable {
public:
  /// Counts a fault; text() -> FaultText is called only when this occurrence comes before the one on record.
  template <class Text>
  void report(ExecCode code, std::uint32_t site, std::uint64_t linear_group, std::uint32_t wave_size,
              const LaneContext& lane, Text&& text) {
    Fault& fault = faults_[FaultKey(static_cast<int>(code), site)];
    const bool first =
        fault.count == 0 || std::pair(linear_group, lane.flat) < std::pair(fault.linear_group, fault.item);
    ++fault.count;
    if (first) describe(fault, linear_group, wave_size, lane, text());
  }
  /// Adds another worker's table.
  void merge(const FaultTable& other);
  void clear() { faults_.clear(); }
  [[nodiscard]] const std::map<FaultKey, Fault>& all() const { return faults_; }

private:
  static void describe(Fault& fault, std::uint64_t linear_group, std::uint32_t wave_size,
                       const LaneContext& lane, FaultText text);
  std::map<FaultKey, Fault> faults_;
};

} // namespace twinir::exec
