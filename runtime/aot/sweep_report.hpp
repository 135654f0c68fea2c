// SPDX-License-Identifier: MIT
// A sweep as CSV, JSON and one line.
#pragma once
#include "runtime/aot/sweep.hpp"

namespace twinir::aot {

/// The columns of a row, in the order of `row_cells`.
[[nodiscard]] std::vector<std::string> row_columns();
[[nodiscard]] std::vector<std::string> row_cells(const SweepRow& row);

/// A head and a line for every row, RFC 4180 with \n at line ends.
[[nodiscard]] std::string sweep_csv(const Sweep& sweep);
/// {"schema":"twinir-aot-sweep-1",...}
[[nodiscard]] Json sweep_json(const Sweep& sweep);
/// "GREEN: 51 binaries, 0 spill (gfx1250, llvm22); ..."
[[nodiscard]] std::string sweep_summary(const Sweep& sweep);

} // namespace twinir::aot
