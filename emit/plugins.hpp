// SPDX-License-Identifier: MIT
// The installed plugins by flavor, each opened once.
#pragma once
#include "emit/llvm_plugin.hpp"

#include <string>
#include <vector>

namespace twinir {

/// "llvm22" for every plugin file: those with a name of their own, then oldest first.
[[nodiscard]] std::vector<std::string> installed_flavors();
/// Those that a command takes when none is named: one with a name of its own only once it has a flavor file.
[[nodiscard]] std::vector<std::string> default_flavors();
/// Throws UserError unknown_flavor for what is no flavor at all, toolchain_missing for one that is not
/// installed.
[[nodiscard]] const LlvmPlugin& plugin_of(const std::string& flavor);

/// The newest plugin that loads into this process: only these have a host executor. Throws UserError
/// toolchain_missing.
[[nodiscard]] PluginFile newest_here();

} // namespace twinir
