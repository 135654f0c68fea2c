// SPDX-License-Identifier: MIT
#include "parity/case.hpp"

#include "dsl/json.hpp"
#include "parity/frozen.hpp"

#include <algorithm>

namespace twinir {
namespace {

// The first is the one the families are written for. gfx1150 and gfx950 follow when every family gives what
// it has for them: tests/parity runs the gate's rules on all three.
constexpr std::string_view targets[]{"gfx1250", "gfx1150", "gfx950"};

Case accepted_case(const Family& family, const std::string& target, const Json& spec) {
  Case c{{}, family.name, target, spec, false, {}};
  try {
    c.spec = family.complete(spec);
    c.id = target + "/" + family.kernel_name(spec);
  } catch (const UserError& e) {
    c.id = target + "/" + family.name + "?" + spec.dump();
    c.fault = e.diagnostic();
  }
  return c;
}

void add_cases(std::vector<Case>& out, const Family& family, const std::string& target) {
  const auto specs = family.gate(find_target(target));
  for (const auto& spec : specs.accepted) out.push_back(accepted_case(family, target, spec));
  for (const auto& spec : specs.refused)
    out.push_back({target + "/" + family.name + "!" + spec.dump(), family.name, target, spec, true, {}});
}

/// Equal specs are one case; two specs with one name are a fault of the name.
void merge_equal(std::vector<Case>& cases) {
  std::ranges::stable_sort(cases, {}, &Case::id);
  const auto same = [](const Case& a, const Case& b) {
    return a.id == b.id && a.family == b.family && a.spec == b.spec;
  };
  cases.erase(std::unique(cases.begin(), cases.end(), same), cases.end());
  for (std::size_t i = 1; i < cases.size(); ++i)
    if (cases[i].id == cases[i - 1].id)
      cases[i].fault = Diagnostic{Code::internal,
                                  "specs " + cases[i - 1].spec.dump() + " and " + cases[i].spec.dump() +
                                      " with one kernel name",
                                  "every field that changes the code in the name",
                                  "tag the field in the family's reflect()",
                                  {}};
}

const Family& family_of(const Case& c, const std::vector<Family>& families) {
  const auto it = std::ranges::find(families, c.family, &Family::name);
  if (it == families.end()) throw InternalError("a case of the unknown family " + c.family);
  return *it;
}

} // namespace

std::span<const std::string_view> gate_targets() { return targets; }

std::vector<Case> make_cases(const std::vector<Family>& families, std::span<const std::string_view> on) {
  std::vector<Case> cases;
  for (const auto& family : families)
    for (const auto target : on) add_cases(cases, family, std::string(target));
  merge_equal(cases);
  return cases;
}

std::vector<Case> select_cases(std::vector<Case> cases, const std::string& only) {
  std::erase_if(cases, [&](const Case& c) { return c.id.find(only) == std::string::npos; });
  return cases;
}

Built build_case(const Case& c, const std::vector<Family>& families) {
  Built out;
  if (c.fault) {
    out.refusal = c.fault;
    return out;
  }
  try {
    out.kernel = c.frozen ? c.frozen->kernel : family_of(c, families).build(c.spec, find_target(c.target));
    out.json = write_json(*out.kernel);
  } catch (const UserError& e) {
    out.refusal = e.diagnostic();
  }
  return out;
}

} // namespace twinir
