// SPDX-License-Identifier: MIT
// What a compiled kernel must not do: spill, use scratch memory, access memory without an address space.
#pragma once
#include "dsl/error.hpp"
#include "emit/plugin_reports.hpp"

#include <optional>

namespace twinir {

/// Spills, scratch memory, flat or scratch instructions of a kernel as a diagnostic (TIR4007); nothing when
/// it has none.
[[nodiscard]] std::optional<Diagnostic> find_spills(const KernelReport& kernel);

} // namespace twinir
