// SPDX-License-Identifier: MIT
// Names of the processors in the e_flags of AMDGPU ELF files.
#pragma once
#include <cstdint>
#include <string>

namespace twinir {

/// "gfx1250" for 0x49; "unknown" for a number that LLVM 22 does not know (LLVM's own table ends the process).
[[nodiscard]] std::string arch_name(std::uint32_t mach);

} // namespace twinir
