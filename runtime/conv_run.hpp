// SPDX-License-Identifier: MIT
// Runs a plan on the host executor and compares with the float64 reference.
#pragma once
#include "runtime/host_executor.hpp"
#include "runtime/plan.hpp"
#include "runtime/reference.hpp"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace twinir {

/// Inputs of a convolution in storage form: f16 or bf16 as the problem says.
struct ConvData {
  std::vector<std::uint16_t> x, f; ///< N H W C and K Y X C
};
/// x from N(0,1), f from N(0, 2/(9C)) (He), rounded; the same numbers for a seed everywhere.
[[nodiscard]] ConvData random_conv_data(const conv::ConvProblem& problem, std::uint64_t seed);

/// The elements as numbers.
[[nodiscard]] std::vector<double> numbers(DType type, const std::vector<std::uint16_t>& elements);

struct StepRun {
  double load_ms = 0, run_ms = 0; ///< on the host: JIT (0 when loaded before), and execution
  host::LaunchReport report;
};
struct ConvRun {
  std::vector<StepRun> steps;
  std::vector<std::uint16_t> y;                             ///< N Ho Wo K
  std::map<std::string, std::vector<std::byte>> workspaces; ///< what the plan's workspaces held at the end
};

struct ConvRunOptions {
  bool checked = true; ///< bounds, initialisation, races
  std::uint32_t threads = 0;
  std::int64_t canary_bytes =
      0; ///< more than the plan asks for, behind every workspace; nothing may write there
  std::function<void(std::size_t done, std::size_t all)> progress;
};

/// A step's kernel and its IR.
struct StepCode {
  KernelDef kernel;
  std::string text;
};

/// Runs plans; every kernel is loaded once.
class ConvRunner {
public:
  /// Gives the code of a step.
  using Code = std::function<StepCode(const PlanStep&, const std::string& target)>;
  ConvRunner(const HostExecutor& executor, Code code, ConvRunOptions options = {})
      : executor_(executor), code_(std::move(code)), options_(std::move(options)) {}

  /// Workspaces and output start as poison. Throws UserError for a fault that the checked executor finds.
  [[nodiscard]] ConvRun run(const Plan& plan, const ConvData& data);

private:
  struct Loaded {
    KernelDef def;
    host::Kernel kernel;
  };
  using Buffers = std::map<std::string, host::Buffer>;
  [[nodiscard]] Buffers allocate(const Plan& plan, const ConvData& data) const;
  [[nodiscard]] StepRun run_step(const Plan& plan, const PlanStep& step, const Buffers& buffers);

  const HostExecutor& executor_;
  Code code_;
  ConvRunOptions options_;
  std::map<std::string, Loaded> loaded_; ///< by target and kernel name
};

/// How far the outputs are from the float64 convolution of the same inputs.
[[nodiscard]] ConvError error_of(const ConvRun& run, const conv::ConvProblem& problem, const ConvData& data);

} // namespace twinir
