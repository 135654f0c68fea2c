// SPDX-License-Identifier: MIT
// What an LLVM plugin can be asked, wherever it runs: in this process or in workers.
#pragma once
// Internal to this room: LlvmPlugin stands in front of it.
#include "emit/llvm_plugin.hpp"

namespace twinir {

class PluginCalls {
public:
  PluginCalls() = default;
  PluginCalls(const PluginCalls&) = delete;
  PluginCalls& operator=(const PluginCalls&) = delete;
  virtual ~PluginCalls() = default;
  [[nodiscard]] virtual const PluginInfo& info() const = 0;
  [[nodiscard]] virtual std::string emit(std::string_view kernel_json) const = 0;
  [[nodiscard]] virtual std::string reprint(std::string_view ir) const = 0;
  [[nodiscard]] virtual Compiled compile(std::string_view ir, const CompileOptions& options) const = 0;
  [[nodiscard]] virtual CodeObjectReport inspect(std::string_view bytes) const = 0;
  [[nodiscard]] virtual std::string record() const = 0;
  virtual void literals(const std::function<void(std::string_view)>& sink) const = 0;
};

/// The plugin loaded into this process; UserError toolchain_missing when it is none.
[[nodiscard]] std::shared_ptr<const PluginCalls> open_native_plugin(const std::string& path);
/// The plugin in worker processes that its loader starts; UserError toolchain_missing when they do not start.
[[nodiscard]] std::shared_ptr<const PluginCalls> open_remote_plugin(const PluginFile& file);

} // namespace twinir
