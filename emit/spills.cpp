// SPDX-License-Identifier: MIT
#include "emit/spills.hpp"

namespace twinir {

std::optional<Diagnostic> find_spills(const KernelReport& kernel) {
  const std::pair<const char*, std::uint64_t> numbers[] = {{"vgpr_spills", kernel.vgpr_spills},
                                                           {"sgpr_spills", kernel.sgpr_spills},
                                                           {"scratch_bytes", kernel.scratch_bytes},
                                                           {"flat", kernel.flat},
                                                           {"scratch", kernel.scratch}};
  std::string found;
  for (const auto& [key, n] : numbers)
    if (n != 0) found += (found.empty() ? "" : ", ") + std::string(key) + " " + std::to_string(n);
  if (found.empty()) return std::nullopt;
  return Diagnostic{Code::spills,
                    found + " in kernel '" + kernel.name + "'",
                    "none of these",
                    "use smaller tiles, or keep pointers in their address space",
                    {}};
}

} // namespace twinir
