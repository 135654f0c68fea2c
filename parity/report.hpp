// SPDX-License-Identifier: MIT
// A gate's report as text, JSON and JUnit.
#pragma once
#include "parity/verdict.hpp"

#include <nlohmann/json.hpp>
#include <string>

namespace twinir {

/// {"schema":"twinir-gate-1",...}
[[nodiscard]] nlohmann::ordered_json gate_json(const GateReport& report);
/// One suite per flavor, one test case per case and one for the differential.
[[nodiscard]] std::string gate_junit(const GateReport& report);
/// "GREEN: ..." or "RED: ..." with all counts, one line.
[[nodiscard]] std::string gate_summary(const GateReport& report);
/// "differential llvm22: 51 compared, 51 identical, 0 refused alike", one line; says so when there was none.
[[nodiscard]] std::string differential_text(const FlavorReport& flavor);
/// What is wrong with a case, several lines; empty when nothing is.
[[nodiscard]] std::string describe(const CaseResult& result);
/// "both emitters", "Python emitter alone, read by llvmlite 0.47.0" or "Python emitter alone, not read".
[[nodiscard]] std::string engines_of(const FlavorReport& flavor);

} // namespace twinir
