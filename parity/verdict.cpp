// SPDX-License-Identifier: MIT
#include "parity/verdict.hpp"

#include <algorithm>

namespace twinir {

std::string_view to_string(Verdict verdict) {
  constexpr std::string_view names[] = {"IDENTICAL",  "MISMATCH", "BOTH_REFUSED",
                                        "ASYMMETRIC", "ERROR",    "NOT_RUN"};
  return names[static_cast<int>(verdict)];
}

std::string_view to_string(GoldenVerdict verdict) {
  constexpr std::string_view names[] = {
      "MATCH", "DRIFT", "NEW", "GONE", "UNRECORDED", "TOOLCHAIN_DIFFERS", "NOT_CHECKED", "NOT_ASKED"};
  return names[static_cast<int>(verdict)];
}

std::string_view to_string(Check check) {
  constexpr std::string_view names[] = {"passed", "failed", "not run"};
  return names[static_cast<int>(check)];
}

bool is_good(Verdict v) {
  return v == Verdict::identical || v == Verdict::both_refused || v == Verdict::not_run;
}

bool is_good(GoldenVerdict v) { return v == GoldenVerdict::match || v == GoldenVerdict::not_asked; }

bool CaseResult::good() const {
  return is_good(verdict) && is_good(golden) && reprint != Check::failed && codegen != Check::failed &&
         is_good(resources) && problems.empty();
}

void judge_golden(CaseResult& r, const LoadedShard& loaded, const std::string& llvm) {
  const bool refused = !r.code.empty();
  if (!refused && r.sha256.empty()) return;
  if (!loaded.shard) {
    r.golden = GoldenVerdict::unrecorded;
    return;
  }
  const auto& shard = *loaded.shard;
  const auto hash = shard.cases.find(r.id), code = shard.rejected.find(r.id);
  if (hash == shard.cases.end() && code == shard.rejected.end()) {
    r.golden = GoldenVerdict::new_case;
    return;
  }
  const auto& recorded = hash != shard.cases.end() ? hash->second : code->second;
  const bool both = hash != shard.cases.end() && code != shard.rejected.end();
  if (!both && recorded == (refused ? r.code : r.sha256)) {
    r.golden = GoldenVerdict::match;
    return;
  }
  r.recorded = both ? hash->second + " and " + code->second : recorded;
  r.golden = shard.llvm == llvm ? GoldenVerdict::drift : GoldenVerdict::toolchain_differs;
}

void judge_resources(CaseResult& r, const LoadedResources& loaded, const std::string& llvm) {
  if (r.codegen != Check::passed || r.compiled.is_null()) return;
  r.resources = ResourceVerdict::unrecorded;
  if (!loaded.resources) return;
  const auto it = loaded.resources->cases.find(r.id);
  if (it == loaded.resources->cases.end()) return;
  r.resource_changes = compare_resources(it->second, pick_resources(r.compiled));
  r.resources = r.resource_changes.empty()        ? ResourceVerdict::same
                : loaded.resources->llvm == llvm ? ResourceVerdict::changed
                                                 : ResourceVerdict::toolchain_differs;
}

Differential& Differential::operator+=(const Differential& other) {
  compared += other.compared, identical += other.identical, refused += other.refused;
  return *this;
}

bool FlavorReport::good() const {
  const bool some = !flavor.installed || differential().compared != 0;
  return some && problems.empty() && std::ranges::all_of(results, &CaseResult::good);
}

Differential FlavorReport::differential() const {
  Differential d;
  for (const auto& r : results)
    if (r.compared)
      d += {1, r.verdict == Verdict::identical ? 1u : 0u, r.verdict == Verdict::both_refused ? 1u : 0u};
  return d;
}

bool FlavorReport::checked() const {
  const auto read = [](const CaseResult& r) { return r.reprint == Check::passed; };
  return differential().compared != 0 || (!flavor.reader.empty() && std::ranges::any_of(results, read));
}

std::size_t FlavorReport::count(Verdict v) const {
  return static_cast<std::size_t>(std::ranges::count(results, v, &CaseResult::verdict));
}

std::size_t FlavorReport::count(GoldenVerdict v) const {
  return static_cast<std::size_t>(std::ranges::count(results, v, &CaseResult::golden));
}

std::size_t FlavorReport::count(ResourceVerdict v) const {
  return static_cast<std::size_t>(std::ranges::count(results, v, &CaseResult::resources));
}

double GateReport::llvm_seconds() const {
  double ms = 0;
  for (const auto& f : flavors)
    for (const auto& r : f.results) ms += r.llvm_ms;
  return ms / 1000;
}

bool GateReport::good() const { return exit_status() == 0; }

Differential GateReport::differential() const {
  Differential d;
  for (const auto& f : flavors) d += f.differential();
  return d;
}

int GateReport::exit_status() const {
  if (!std::ranges::all_of(flavors, &FlavorReport::good)) return 1;
  const bool all_checked = std::ranges::all_of(flavors, &FlavorReport::checked);
  return !all_checked && (require_both || differential().compared == 0) ? 3 : 0;
}

} // namespace twinir
