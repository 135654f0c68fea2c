// SPDX-License-Identifier: MIT
#include "parity/pair.hpp"

#include "dsl/json.hpp"
#include "dsl/pretty.hpp"
#include "emit/files.hpp"
#include "parity/gate.hpp"

#include <algorithm>

namespace twinir {
namespace {

std::optional<Difference> difference(const std::string& a, const std::string& b, const KernelDef& kernel) {
  if (a == b) return std::nullopt;
  return find_difference(a, b, kernel);
}

/// What stands for an answer: the text, or a line with the code.
std::string shown(const Emission& e) {
  return e.refusal ? "(refused with " + std::string(to_string(e.refusal->code)) + ")\n" : e.text;
}

/// The port by the emitters that are there, as the gate judges it.
CaseResult judge(const Emission* cpp, const Emission& python, const KernelDef& kernel) {
  CaseResult r;
  if (cpp != nullptr) {
    compare_emissions(r, *cpp, python, kernel);
  } else if (python.refusal) {
    r.code = to_string(python.refusal->code);
    if (!is_refusal(python.refusal->code)) r.problems.push_back(*python.refusal);
  } else {
    r.sha256 = sha256(python.text);
  }
  if (r.difference)
    r.problems.push_back({Code::engine_failed,
                          "two texts of the port, one from either emitter",
                          "the same bytes",
                          "see twinir emit --engine both, and report it",
                          {}});
  return r;
}

PairFlavor compare_on(const FlavorInfo& flavor, const KernelDef& prototype, const KernelDef& port,
                      Engine& cpp, Engine& python) {
  const auto a = write_json(prototype), b = write_json(port);
  const auto python_a = python.emit(a, flavor), python_b = python.emit(b, flavor);
  Emission cpp_a, cpp_b;
  if (flavor.installed) cpp_a = cpp.emit(a, flavor), cpp_b = cpp.emit(b, flavor);
  const auto r = judge(flavor.installed ? &cpp_b : nullptr, python_b, port);
  PairFlavor out{flavor, r.sha256, r.code, difference(shown(python_a), shown(python_b), prototype),
                 r.problems};
  if (!out.difference) out.difference = difference(shown(cpp_a), shown(cpp_b), prototype);
  return out;
}

} // namespace

bool PairReport::good() const {
  return prototype == port && !kernel && !flavors.empty() && std::ranges::all_of(flavors, &PairFlavor::good);
}

PairReport compare_pair(const KernelDef& prototype, const KernelDef& port,
                        const std::vector<FlavorInfo>& flavors, Engine& cpp, Engine& python) {
  if (flavors.empty())
    throw UserError(
        {Code::gate_no_cases, "no flavor", "something to compare", "record a flavor (docs/flavors.md)", {}});
  const auto a = write_json(prototype), b = write_json(port);
  PairReport out{sha256(a), sha256(b), difference(pretty(prototype), pretty(port), {}), {}};
  if (!out.kernel) out.kernel = difference(a, b, {});
  for (const auto& f : flavors) out.flavors.push_back(compare_on(f, prototype, port, cpp, python));
  return out;
}

} // namespace twinir
