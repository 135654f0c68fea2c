// SPDX-License-Identifier: MIT
// What LLVM must not be asked to compile: it would end the process, or compile something else without a word.
#pragma once
// Refuses with target_unknown_to_flavor, wrong_arch, workgroup_too_large, lds_too_large, op_not_on_target,
// verify_failed and codegen_failed. Everything else is LLVM's to judge.
#include "dsl/target.hpp"

#include <llvm/IR/Module.h>
#include <string_view>

namespace twinir {

/// The target, when TwinIR and this LLVM both know it.
[[nodiscard]] const Target& usable_target(std::string_view name);

/// Throws UserError when the module is not safe to compile for `target`.
void refuse_unsafe(const llvm::Module& module, const Target& target);

} // namespace twinir
