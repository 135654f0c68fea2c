// SPDX-License-Identifier: MIT
// The convolution planner: a problem becomes named steps over named buffers.
#pragma once
// A plan is complete: kernels, grids, blocks, arguments and workspace sizes. Whoever runs it (host executor, HIP) only
// allocates the buffers and launches the steps in order. Refuses what no engine serves, with the codes of
// winograd::geometry().
#include "instances/launch.hpp"
#include "instances/spec.hpp"
#include "instances/winograd/tile.hpp"

#include <map>
#include <string>
#include <vector>

namespace twinir {

/// Memory that a plan needs.
struct PlanBuffer {
  enum class Role : std::uint8_t { input, filter, output, workspace };
  std::string name;
  std::int64_t bytes = 0;
  Role role = Role::workspace;
};

/// One launch.
struct PlanStep {
  std::string id;   ///< "K2"
  std::string what; ///< "input transform"
  std::string family;
  Json spec;
  std::string kernel_name;
  Launch launch;
  std::map<std::string, std::string> buffers; ///< pointer argument -> buffer
};

struct Plan {
  conv::ConvProblem problem;
  std::string engine; ///< "winograd f4x4"
  std::string target;
  std::vector<PlanBuffer> buffers;
  std::vector<PlanStep> steps;
  [[nodiscard]] std::int64_t workspace_bytes() const;
};

/// Winograd F(m x m, 3 x 3): K1 filter, K2 input, K3 batched GEMM, K4 output transform.
[[nodiscard]] Plan plan_winograd(const conv::ConvProblem& problem, winograd::Tile tile, const Target& target);

} // namespace twinir
