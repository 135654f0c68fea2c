// SPDX-License-Identifier: MIT
// Resource numbers of compiled cases: what was recorded, what this run gives, and how they differ.
#pragma once
// golden/<flavor>/resources.json, one case a line, sorted; only flavors and targets that code was generated for:
//   {"schema":"twinir-resources-1","flavor":"llvm22","llvm":"22.1.8",
//   "cases":{
//   "gfx1250/saxpy_...":{"vgprs":7,...,"code_bytes":304}}}
// The text of a case decides its numbers, together with LLVM: with the LLVM they were recorded with, other numbers
// are a fault (a change of the compile itself, which no text shows); with another LLVM they are reported only.
#include "parity/shard.hpp"

#include <nlohmann/json.hpp>

namespace twinir {

struct GateReport;

struct ResourceShard {
  std::string flavor, llvm;
  std::map<std::string, nlohmann::ordered_json> cases; ///< id: numbers
  friend bool operator==(const ResourceShard&, const ResourceShard&) = default;
};

enum class ResourceVerdict {
  same,
  changed,           ///< other numbers with the LLVM that was recorded
  toolchain_differs, ///< other numbers with another LLVM
  unrecorded,        ///< compiled, but without recorded numbers
  not_checked,       ///< not compiled
};
[[nodiscard]] std::string_view to_string(ResourceVerdict verdict);
/// Everything but changed and unrecorded.
[[nodiscard]] bool is_good(ResourceVerdict verdict);

[[nodiscard]] std::string write_resources(const ResourceShard& resources);
/// Throws UserError bad_shard; `flavor` is what the path says.
[[nodiscard]] ResourceShard read_resources(std::string_view text, const std::string& flavor);

/// The file of a flavor, or why it cannot be used; neither when there is none.
struct LoadedResources {
  std::optional<ResourceShard> resources;
  std::optional<Diagnostic> problem;
};
[[nodiscard]] LoadedResources load_resources(const Golden& golden, const std::string& flavor);

/// The numbers that are kept of a compile's report.
[[nodiscard]] nlohmann::ordered_json pick_resources(const nlohmann::ordered_json& compiled);
/// "vgprs 30 -> 31" for every number that differs.
[[nodiscard]] std::vector<std::string> compare_resources(const nlohmann::ordered_json& before,
                                                         const nlohmann::ordered_json& after);

/// A file before and after a recording.
struct ResourceChange {
  ResourceShard before, after;
  std::vector<std::string> added, removed, changed; ///< ids; changed ones with their numbers
  [[nodiscard]] bool any() const { return !(before == after); }
};
/// One for each flavor that code was generated for; `only` is the filter the run had.
[[nodiscard]] std::vector<ResourceChange> plan_resources(const GateReport& report, const Golden& golden,
                                                         const std::string& only);
void apply_resources(const std::vector<ResourceChange>& changes, const Golden& golden);

} // namespace twinir
