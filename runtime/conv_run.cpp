// SPDX-License-Identifier: MIT
#include "runtime/conv_run.hpp"

#include "instances/family.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace twinir {
namespace {

std::vector<std::uint16_t> normal(DType type, std::int64_t count, double deviation,
                                  std::mt19937_64& generator) {
  std::normal_distribution<double> distribution(0, deviation);
  std::vector<std::uint16_t> out(static_cast<std::size_t>(count));
  for (auto& element : out) element = encode(type, distribution(generator));
  return out;
}

std::vector<std::byte> kernarg(const KernelDef& kernel, const PlanStep& step,
                               const std::map<std::string, host::Buffer>& buffers) {
  auto args = step.launch.args;
  for (const auto& [argument, pointer] : step.pointers)
    args[argument] = reinterpret_cast<std::uint64_t>(buffers.at(pointer.buffer).data()) +
                     static_cast<std::uint64_t>(pointer.offset);
  return pack_kernargs(kernel, args);
}

} // namespace

ConvData random_conv_data(const conv::ConvProblem& p, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  ConvData data;
  data.x = normal(p.dtype, p.input_elements(), 1.0, generator);
  data.f = normal(p.dtype, p.filter_elements(),
                  std::sqrt(2.0 / static_cast<double>(p.y * p.x * p.c / p.groups)), generator);
  return data;
}

std::vector<double> numbers(DType type, const std::vector<std::uint16_t>& elements) {
  std::vector<double> out(elements.size());
  std::ranges::transform(elements, out.begin(), [&](std::uint16_t bits) { return decode(type, bits); });
  return out;
}

ConvRunner::Buffers ConvRunner::allocate(const Plan& plan, const ConvData& data) const {
  Buffers buffers;
  for (const auto& b : plan.buffers) {
    const bool workspace = b.role == PlanBuffer::Role::workspace;
    auto buffer = executor_.alloc(static_cast<std::size_t>(b.bytes + (workspace ? options_.canary_bytes : 0)),
                                  b.name, false);
    if (b.role == PlanBuffer::Role::input) buffer.write(data.x);
    if (b.role == PlanBuffer::Role::filter) buffer.write(data.f);
    buffers.emplace(b.name, std::move(buffer));
  }
  return buffers;
}

StepRun ConvRunner::run_step(const Plan& plan, const PlanStep& step, const Buffers& buffers) {
  StepRun run;
  auto it = loaded_.find(plan.target + "/" + step.kernel_name);
  if (it == loaded_.end()) {
    auto code = code_(step, plan.target);
    auto kernel = executor_.load(code.text, {.checked = options_.checked});
    run.load_ms = kernel.info().ms.total();
    Loaded loaded{std::move(code.kernel), std::move(kernel)};
    it = loaded_.emplace(plan.target + "/" + step.kernel_name, std::move(loaded)).first;
  }
  host::LaunchOptions launch;
  launch.grid = step.launch.grid, launch.block = step.launch.block, launch.threads = options_.threads;
  run.report = it->second.kernel.run(kernarg(it->second.def, step, buffers), launch);
  run.run_ms = run.report.ms;
  run.report.require_clean();
  return run;
}

ConvRun ConvRunner::run(const Plan& plan, const ConvData& data) {
  const auto buffers = allocate(plan, data);
  ConvRun run;
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    run.steps.push_back(run_step(plan, plan.steps[i], buffers));
    if (options_.progress) options_.progress(i + 1, plan.steps.size());
  }
  const auto y = buffers.at("y").as<std::uint16_t>();
  run.y.assign(y.begin(), y.end());
  for (const auto& b : plan.buffers)
    if (b.role == PlanBuffer::Role::workspace) {
      const auto bytes = buffers.at(b.name).as<std::byte>();
      run.workspaces[b.name].assign(bytes.begin(), bytes.end());
    }
  return run;
}

ConvError error_of(const ConvRun& run, const conv::ConvProblem& p, const ConvData& data) {
  return conv_error(numbers(p.dtype, run.y),
                    reference_convolution(p, numbers(p.dtype, data.x), numbers(p.dtype, data.f)));
}

} // namespace twinir
