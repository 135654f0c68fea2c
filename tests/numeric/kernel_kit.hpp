// SPDX-License-Identifier: MIT
// What numeric tests of families need: texts from the newest emitter, and the host executor.
#pragma once
#include "dsl/json.hpp"
#include "emit/llvm_plugin.hpp"
#include "emit/plugins.hpp"
#include "instances/family.hpp"
#include "instances/kernarg.hpp"
#include "runtime/host_executor.hpp"

#include <string>

namespace kit {

/// The newest LLVM that loads into this process, which is what has an executor.
inline const twinir::PluginFile& newest() {
  static const auto file = twinir::newest_here();
  return file;
}
inline const twinir::LlvmPlugin& plugin() {
  static const auto p = twinir::LlvmPlugin::open(newest().path);
  return p;
}
inline const twinir::HostExecutor& executor() {
  static const auto e = twinir::HostExecutor::open(twinir::host::find_plugin(static_cast<unsigned>(newest().major)));
  return e;
}

/// A kernel of a family, or any other, ready to run in checked mode.
struct Ready {
  twinir::KernelDef def;
  twinir::host::Kernel kernel;

  Ready(const std::string& family, const twinir::Json& spec)
      : Ready(twinir::find_family(family).build(spec, twinir::find_target("gfx1250"))) {}
  explicit Ready(twinir::KernelDef kernel_def)
      : def(std::move(kernel_def)),
        kernel(executor().load(plugin().emit(twinir::write_json(def)), {.checked = true})) {}

  twinir::host::LaunchReport run(const twinir::Kernargs& args, std::array<std::uint32_t, 3> grid, std::uint32_t lane_order = 0) const {
    twinir::host::LaunchOptions launch;
    launch.grid = grid, launch.lane_order = lane_order;
    for (std::size_t i = 0; i < 3; ++i) launch.block[i] = static_cast<std::uint32_t>(def.block[i]);
    auto report = kernel.run(twinir::pack_kernargs(def, args), launch);
    report.require_clean();
    return report;
  }
};

inline std::uint64_t address(const twinir::host::Buffer& b) { return reinterpret_cast<std::uint64_t>(b.data()); }

} // namespace kit
