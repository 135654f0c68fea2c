// SPDX-License-Identifier: MIT
#include "runtime/verify/support_report.hpp"

#include "emit/diagnostic_json.hpp"

#include <fmt/format.h>

namespace twinir {
namespace {

constexpr const char* preface = R"(# Support

Written by `twinir support --markdown`; a test compares it. One line is one family on one target with one LLVM, over the
specs that the gate accepts there.

- emits: the C++ emitter gives a text of that LLVM (the gate holds it against the Python emitter's, byte by byte)
- compiles: of those, a code object without spills, scratch memory and flat accesses
- verified: of those that emit, right numbers on the host executor, in checked mode on poisoned memory, against float64;
  `no check` where the family has none in runtime/verify, `no executor` for LLVMs before 22

| family | target | LLVM | emits | compiles | verified | first problem |
|---|---|---|---|---|---|---|
)";

Json count_json(const SupportCount& c) {
  if (c.state != SupportCount::State::tried) return to_string(c);
  return {{"good", c.good}, {"all", c.all}};
}

} // namespace

std::string support_markdown(const std::vector<SupportRow>& rows) {
  std::string out = preface;
  for (const auto& r : rows)
    out += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", r.family, r.target, r.flavor,
                       to_string(r.emits), to_string(r.compiles), to_string(r.verified),
                       r.problem ? to_string(r.problem->code) : std::string());
  return out;
}

Json support_json(const std::vector<SupportRow>& rows) {
  Json out = {{"schema", "twinir-support-1"}, {"rows", Json::array()}};
  for (const auto& r : rows) {
    Json row = {{"family", r.family},
                {"target", r.target},
                {"flavor", r.flavor},
                {"emits", count_json(r.emits)},
                {"compiles", count_json(r.compiles)},
                {"verified", count_json(r.verified)}};
    if (!r.executor.empty()) row["executor"] = r.executor;
    if (r.problem) row["problem"] = diagnostic_json(*r.problem);
    out["rows"].push_back(std::move(row));
  }
  return out;
}

} // namespace twinir
