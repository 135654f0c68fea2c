// SPDX-License-Identifier: MIT
// The convolution planner: a problem becomes named steps over named buffers.
#pragma once
// A plan is complete: kernels, grids, blocks, arguments and workspace sizes. Whoever runs it (host executor,
// HIP) only allocates the buffers and launches the steps in order. Refuses what no engine serves, with the
// codes of winograd::geometry() and the launches, and bad_split.
#include "instances/gemm/gemm_launch.hpp"
#include "instances/launch.hpp"
#include "instances/winograd/grid.hpp"

#include <map>
#include <optional>
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

/// Where a pointer argument points.
struct PlanPointer {
  std::string buffer;
  std::int64_t offset = 0; ///< bytes
};

/// One launch.
struct PlanStep {
  std::string id;   ///< "K2"
  std::string what; ///< "input transform"
  std::string family;
  Json spec;
  std::string kernel_name;
  Launch launch;
  std::map<std::string, PlanPointer> pointers; ///< by argument
};

struct Plan {
  conv::ConvProblem problem;
  std::string engine; ///< "winograd f4x4"
  std::string target;
  std::vector<PlanBuffer> buffers;
  std::vector<PlanStep> steps;
  std::int64_t parts = 1; ///< into which the batch is split
  [[nodiscard]] std::int64_t workspace_bytes() const;
};

/// What a caller may choose; the defaults suit the problem.
struct WinogradOptions {
  winograd::Layout layout;
  std::optional<winograd::Prescale> prescale;
  std::int64_t workspace_limit =
      winograd::byte_limit;                ///< bytes of U, of V and of M: the batch is split to stay below
  std::optional<std::int64_t> batch_split; ///< parts of the batch; absent: as few as the limit allows
  std::optional<winograd::StageSpecs>
      specs; ///< absent: default_specs(); else layout and prescale are those of the specs
  std::optional<gemm::GemmSpec> gemm; ///< absent: gemm::default_spec()
};

/// Winograd: K1 filter transform; then for each part of the batch K2a pixel maxima and K2b tile exponents
/// (where they are not found by K2), K2 input transform, K3 batched GEMM, K4 output transform.
[[nodiscard]] Plan plan_winograd(const conv::ConvProblem& problem, winograd::Tile tile, const Target& target,
                                 const WinogradOptions& options = {});

} // namespace twinir
