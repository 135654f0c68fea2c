// SPDX-License-Identifier: MIT
// The flavors there are: those with an installed LLVM, a flavor file or a recorded shard.
#pragma once
#include "emit/environment.hpp"
#include "parity/engine.hpp"

#include <vector>

namespace twinir {

/// All of them: those with a name of their own, then oldest first. A plugin that cannot be loaded counts as
/// not installed.
[[nodiscard]] std::vector<FlavorInfo> find_flavors(const Places& places);

/// Those asked for, or all when `names` is empty. With names, one that is not installed is toolchain_missing
/// and one that is no flavor unknown_flavor.
[[nodiscard]] std::vector<FlavorInfo> choose_flavors(const std::vector<FlavorInfo>& found,
                                                     const std::vector<std::string>& names);

/// The newest installed flavor that makes code objects for `target` (any target when that is empty): of the
/// usual ones, else of all; UserError toolchain_missing.
[[nodiscard]] const FlavorInfo& newest_flavor(const std::vector<FlavorInfo>& found,
                                              const std::string& target);

} // namespace twinir
