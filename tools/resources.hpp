// SPDX-License-Identifier: MIT
// What a code object needs, as a table.
#pragma once
#include "tools/output.hpp"

namespace twinir::tools {

[[nodiscard]] std::vector<std::string> resource_columns();
/// One kernel of a report of twinir_inspect.
[[nodiscard]] std::vector<std::string> resource_cells(const Json& kernel);

} // namespace twinir::tools
