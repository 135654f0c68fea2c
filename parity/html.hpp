// SPDX-License-Identifier: MIT
// A gate's report as one page for a browser.
#pragma once
// Guarantees: the page is complete in itself (no script, nothing that is loaded), and every text from a kernel, an
// emitter or LLVM is escaped. The same report gives the same bytes.
#include "parity/verdict.hpp"

#include <string>
#include <string_view>

namespace twinir {

/// A table per flavor, what is wrong with each case, and both texts side by side where the run kept them.
[[nodiscard]] std::string gate_html(const GateReport& report);

/// Text as it may stand in HTML or XML: what they cannot hold becomes '?'.
[[nodiscard]] std::string escaped(std::string_view text);

} // namespace twinir
