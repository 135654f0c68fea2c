// SPDX-License-Identifier: MIT
// Runs a plan on the host executor and compares with the float64 reference.
#pragma once
#include "runtime/host_executor.hpp"
#include "runtime/plan.hpp"
#include "runtime/reference.hpp"

#include <functional>
#include <string>
#include <vector>

namespace twinir {

/// Inputs of a convolution in storage form.
struct ConvData {
  std::vector<std::uint16_t> x, f; ///< N H W C and K Y X C
};
/// x from N(0,1), f from N(0, 2/(9C)) (He), rounded to f16; the same numbers for a seed everywhere.
[[nodiscard]] ConvData random_conv_data(const conv::ConvProblem& problem, std::uint64_t seed);

struct StepRun {
  double load_ms = 0, run_ms = 0; ///< on the host: JIT, and execution
  host::LaunchReport report;
};
struct ConvRun {
  std::vector<StepRun> steps;
  std::vector<std::uint16_t> y; ///< N Ho Wo K
  ConvError error;
};

struct ConvRunOptions {
  bool checked = true;      ///< bounds, initialisation, races
  std::uint32_t threads = 0;
  std::function<void(std::size_t done, std::size_t all)> progress;
};

/// `texts` are the IR texts of the plan's steps. Workspaces and output start as poison. Throws UserError for a fault
/// that the checked executor finds.
[[nodiscard]] ConvRun run_plan(const Plan& plan, const std::vector<std::string>& texts, const ConvData& data, const HostExecutor& executor,
                               const ConvRunOptions& options);

} // namespace twinir
