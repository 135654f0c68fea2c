// SPDX-License-Identifier: MIT
// Launching: validation, hidden arguments, host threads, the merged report.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/host/exec_plugin.h"
#include "runtime/host/faults.hpp"
#include "runtime/host/image.hpp"

namespace twinir::exec {

/// Event counts of a launch; sums over all groups, the same for any number of threads.
struct Counters {
  std::uint64_t work_items = 0;
  std::uint64_t switches = 0;
  std::uint64_t collectives = 0;
  std::uint64_t checks = 0;
  std::uint64_t clamped = 0; ///< buffer accesses out of the resource's range

  void add(const Counters& other);
};

/// A validated launch: extents, and the kernarg bytes with the hidden arguments behind the explicit ones.
struct LaunchPlan {
  std::uint32_t grid[3];
  std::uint32_t block[3];
  std::uint32_t items; ///< of a group
  std::uint32_t waves; ///< of a group
  std::uint32_t lane_order;
  std::uint64_t groups;
  std::vector<std::uint8_t> kernarg;
  std::uint64_t implicit_offset;
};

/// What a launch gives back.
struct LaunchResult {
  Counters counters;
  FaultTable faults;
  double ms = 0;
};

/// Throws Refusal (TIR5002) when the launch does not fit the kernel.
[[nodiscard]] LaunchPlan plan_launch(const KernelImage& image, const void* kernarg, std::size_t kernarg_size,
                                     const twinir_exec_launch& launch);
/// Runs all groups on `threads` host threads (0: one per core).
[[nodiscard]] LaunchResult run_launch(const KernelImage& image, const LaunchPlan& plan,
                                      std::uint32_t threads);

} // namespace twinir::exec
