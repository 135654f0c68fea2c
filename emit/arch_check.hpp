// SPDX-License-Identifier: MIT
// Is a code object for the processor that was asked for?
#pragma once
// LLVM can make code for another processor and still succeed; only e_flags tell. The processor field is compared and
// not the whole word: its other bits differ between LLVM versions (gfx1250: 0x449 to 0x549).
#include "dsl/error.hpp"

#include <optional>
#include <string_view>

namespace twinir {

/// wrong_arch (TIR4008) when the ELF file's e_flags name another processor, or none that LLVM 22 knows.
[[nodiscard]] std::optional<Diagnostic> find_wrong_arch(std::string_view code_object, std::string_view target);

} // namespace twinir
