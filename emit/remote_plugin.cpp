// SPDX-License-Identifier: MIT
// A plugin in worker processes that its loader starts, because its LLVM needs another C library than this
// process has.
#include "dsl/error.hpp"
#include "emit/compile_pool.hpp"
#include "emit/plugin_calls.hpp"

namespace twinir {
namespace {

/// As many workers as there are cores.
class RemotePlugin final : public PluginCalls {
public:
  explicit RemotePlugin(const PluginFile& file)
      : flavor_(file.flavor), pool_({0, {}, {}, {}, file}), info_(pool_.info(flavor_)) {
    info_.remote = true;
  }
  [[nodiscard]] const PluginInfo& info() const override { return info_; }
  [[nodiscard]] std::string emit(std::string_view kernel_json) const override {
    return pool_.emit(flavor_, std::string(kernel_json));
  }
  [[nodiscard]] std::string reprint(std::string_view ir) const override {
    return pool_.reprint(flavor_, std::string(ir));
  }
  [[nodiscard]] Compiled compile(std::string_view ir, const CompileOptions& options) const override {
    return pool_.compile({flavor_, {}, std::string(ir), options});
  }
  [[nodiscard]] CodeObjectReport inspect(std::string_view bytes) const override {
    return pool_.inspect(flavor_, std::string(bytes));
  }
  [[nodiscard]] std::string record() const override { return pool_.record(flavor_); }
  void literals(const std::function<void(std::string_view)>& sink) const override {
    sink(pool_.literals(flavor_));
  }

private:
  std::string flavor_;
  mutable CompilePool pool_; // calls may come from any thread
  PluginInfo info_;
};

} // namespace

std::shared_ptr<const PluginCalls> open_remote_plugin(const PluginFile& file) {
  try {
    return std::make_shared<RemotePlugin>(file);
  } catch (const UserError& e) {
    if (e.code() != Code::llvm_crashed && e.code() != Code::llvm_timeout) throw;
    throw UserError({Code::toolchain_missing,
                     "'" + file.path + "' whose worker does not live behind " + file.loader.front() + ": " +
                         e.diagnostic().found,
                     "a loader and libraries that fit the plugin",
                     "fetch and build them again (scripts/flavors)",
                     {}});
  }
}

} // namespace twinir
