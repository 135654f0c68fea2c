// SPDX-License-Identifier: MIT
// The support matrix as Markdown and JSON.
#pragma once
#include "runtime/verify/support.hpp"

namespace twinir {

/// docs/support.md.
[[nodiscard]] std::string support_markdown(const std::vector<SupportRow>& rows);
/// {"schema":"twinir-support-1",...}
[[nodiscard]] Json support_json(const std::vector<SupportRow>& rows);

} // namespace twinir
