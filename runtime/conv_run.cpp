// SPDX-License-Identifier: MIT
#include "runtime/conv_run.hpp"

#include "instances/family.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace twinir {
namespace {

std::vector<std::uint16_t> normal(std::int64_t count, double deviation, std::mt19937_64& generator) {
  std::normal_distribution<double> distribution(0, deviation);
  std::vector<std::uint16_t> out(static_cast<std::size_t>(count));
  for (auto& element : out) element = to_half(distribution(generator));
  return out;
}

std::vector<double> widened(const std::vector<std::uint16_t>& halves) {
  std::vector<double> out(halves.size());
  std::ranges::transform(halves, out.begin(), from_half);
  return out;
}

using Buffers = std::map<std::string, host::Buffer>;

Buffers allocate(const Plan& plan, const ConvData& data, const HostExecutor& executor) {
  Buffers buffers;
  for (const auto& b : plan.buffers) {
    auto buffer = executor.alloc(static_cast<std::size_t>(b.bytes), b.name, false);
    if (b.role == PlanBuffer::Role::input) buffer.write(data.x);
    if (b.role == PlanBuffer::Role::filter) buffer.write(data.f);
    buffers.emplace(b.name, std::move(buffer));
  }
  return buffers;
}

std::vector<std::byte> kernarg(const PlanStep& step, const std::string& target, const Buffers& buffers) {
  auto args = step.launch.args;
  for (const auto& [argument, buffer] : step.buffers) args[argument] = reinterpret_cast<std::uint64_t>(buffers.at(buffer).data());
  return pack_kernargs(find_family(step.family).build(step.spec, find_target(target)), args);
}

StepRun run_step(const Plan& plan, const PlanStep& step, const std::string& text, const Buffers& buffers, const HostExecutor& executor,
                 const ConvRunOptions& options) {
  const auto kernel = executor.load(text, {.checked = options.checked});
  host::LaunchOptions launch;
  launch.grid = step.launch.grid, launch.block = step.launch.block, launch.threads = options.threads;
  StepRun run{kernel.info().ms.total(), 0, kernel.run(kernarg(step, plan.target, buffers), launch)};
  run.run_ms = run.report.ms;
  run.report.require_clean();
  return run;
}

} // namespace

ConvData random_conv_data(const conv::ConvProblem& p, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  ConvData data;
  data.x = normal(p.input_elements(), 1.0, generator);
  data.f = normal(p.filter_elements(), std::sqrt(2.0 / static_cast<double>(p.y * p.x * p.c / p.groups)), generator);
  return data;
}

ConvRun run_plan(const Plan& plan, const std::vector<std::string>& texts, const ConvData& data, const HostExecutor& executor,
                 const ConvRunOptions& options) {
  if (texts.size() != plan.steps.size()) throw InternalError("one text for every step of the plan");
  const auto buffers = allocate(plan, data, executor);
  ConvRun run;
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    run.steps.push_back(run_step(plan, plan.steps[i], texts[i], buffers, executor, options));
    if (options.progress) options.progress(i + 1, plan.steps.size());
  }
  const auto y = buffers.at("y").as<std::uint16_t>();
  run.y.assign(y.begin(), y.end());
  const auto reference = reference_convolution(plan.problem, widened(data.x), widened(data.f));
  run.error = conv_error(widened(run.y), reference);
  return run;
}

} // namespace twinir
