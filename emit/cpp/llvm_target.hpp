// SPDX-License-Identifier: MIT
// What this LLVM says about the targets: data layout, triple, whether it can generate code.
#pragma once
// Guarantees: everything is asked once and kept; asking about a target that LLVM does not know prints nothing.
#include <llvm/IR/DataLayout.h>
#include <llvm/MC/TargetRegistry.h>
#include <string>
#include <string_view>

namespace twinir {

/// "llvm22"
[[nodiscard]] const std::string& flavor_name();
/// Registers the AMDGPU backend on first use; never null.
[[nodiscard]] const llvm::Target& amdgpu_backend();
[[nodiscard]] const llvm::DataLayout& data_layout();
/// Does this LLVM know the processor `target`?
[[nodiscard]] bool knows_target(std::string_view target);
/// Does it know the feature `name` (without sign)?
[[nodiscard]] bool knows_feature(std::string_view name);

} // namespace twinir
