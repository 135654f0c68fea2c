// SPDX-License-Identifier: MIT
// Kernel description to IR text.
#pragma once
// Guarantees: the text is verified by LLVM; the same kernel gives the same bytes. Refuses with op_not_in_flavor
// before anything is built.
#include "dsl/kernel_def.hpp"

#include <string>

namespace twinir {

[[nodiscard]] std::string emit_text(const KernelDef& kernel);

} // namespace twinir
