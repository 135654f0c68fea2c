// SPDX-License-Identifier: MIT
#include "parity/resources.hpp"

#include "emit/files.hpp"
#include "parity/verdict.hpp"

#include <algorithm>

namespace twinir {
namespace {
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::string_view schema = "twinir-resources-1";
constexpr const char* numbers[] = {"vgprs",       "agprs",     "sgprs",         "vgpr_spills",
                                   "sgpr_spills", "lds_bytes", "scratch_bytes", "code_bytes"};

fs::path path_of(const Golden& golden, const std::string& flavor) {
  return golden.folder() / flavor / (std::string(resources_name) + ".json");
}

[[noreturn]] void refuse(const std::string& what, const std::string& flavor, const std::string& expected) {
  throw UserError({Code::bad_shard,
                   what + " in golden/" + flavor + "/" + std::string(resources_name) + ".json",
                   expected,
                   "take it from version control, or record it again (twinir golden record)",
                   {}});
}

void list_differences(ResourceChange& c) {
  for (const auto& [id, now] : c.after.cases) {
    const auto it = c.before.cases.find(id);
    if (it == c.before.cases.end()) {
      c.added.push_back(id);
    } else if (it->second != now) {
      auto line = id + ":";
      for (const auto& n : compare_resources(it->second, now)) line += " " + n;
      c.changed.push_back(line);
    }
  }
  for (const auto& [id, was] : c.before.cases)
    if (!c.after.cases.contains(id)) c.removed.push_back(id);
}

/// A filter leaves the other cases as they are; they must be of this toolchain.
void refuse_mixture(const LoadedResources& loaded, const ResourceShard& after, const std::string& only) {
  if (only.empty()) return;
  const auto before = loaded.resources ? loaded.resources->llvm : std::string();
  if (!loaded.problem && (before.empty() || before == after.llvm)) return;
  throw UserError({Code::bad_usage, "--only with resources of " + (before.empty() ? "a broken file" : "LLVM " + before),
                   "a whole recording with LLVM " + after.llvm, "leave --only out", {}});
}

ResourceChange plan(const FlavorReport& f, const Golden& golden, const std::string& only) {
  ResourceChange c;
  const auto loaded = load_resources(golden, f.flavor.name);
  if (loaded.resources) c.before = *loaded.resources;
  c.after = {f.flavor.name, f.flavor.llvm, {}};
  refuse_mixture(loaded, c.after, only);
  for (const auto& [id, was] : c.before.cases)
    if (id.find(only) == std::string::npos) c.after.cases[id] = was;
  for (const auto& r : f.results)
    if (!r.compiled.is_null()) c.after.cases[r.id] = pick_resources(r.compiled);
  list_differences(c);
  return c;
}

} // namespace

std::string_view to_string(ResourceVerdict verdict) {
  constexpr std::string_view names[] = {"SAME", "RESOURCES_CHANGED", "TOOLCHAIN_DIFFERS", "UNRECORDED",
                                        "NOT_CHECKED"};
  return names[static_cast<int>(verdict)];
}

bool is_good(ResourceVerdict v) { return v != ResourceVerdict::changed && v != ResourceVerdict::unrecorded; }

std::string write_resources(const ResourceShard& r) {
  auto out = Json({{"schema", schema}, {"flavor", r.flavor}, {"llvm", r.llvm}}).dump();
  out.back() = ',';
  out += "\n\"cases\":{";
  const char* between = "\n";
  for (const auto& [id, n] : r.cases) out += between + Json(id).dump() + ":" + n.dump(), between = ",\n";
  return out + "}}\n";
}

ResourceShard read_resources(std::string_view text, const std::string& flavor) {
  const auto json = Json::parse(text, nullptr, false);
  if (!json.is_object() || json.value("schema", Json()) != schema || !json.contains("cases") || !json["cases"].is_object())
    refuse("no object of schema '" + std::string(schema) + "'", flavor, "resource numbers");
  if (json.value("flavor", Json()) != flavor || !json.value("llvm", Json()).is_string())
    refuse("another flavor, or no LLVM version", flavor, "those of " + flavor);
  ResourceShard out{flavor, json["llvm"], {}};
  for (const auto& [id, n] : json["cases"].items()) {
    if (!n.is_object() || n != pick_resources(n)) refuse("'" + n.dump().substr(0, 80) + "' for " + id, flavor, "numbers");
    out.cases[id] = n;
  }
  if (write_resources(out) != text) refuse("a text that is not canonical", flavor, "sorted cases, one a line");
  return out;
}

LoadedResources load_resources(const Golden& golden, const std::string& flavor) {
  LoadedResources out;
  if (golden.folder().empty()) return out;
  std::error_code error;
  if (fs::symlink_status(path_of(golden, flavor), error).type() == fs::file_type::not_found) return out;
  try {
    out.resources = read_resources(read_file(path_of(golden, flavor)), flavor);
  } catch (const UserError& e) {
    out.problem = e.diagnostic();
    out.problem->code = Code::bad_shard;
  }
  return out;
}

Json pick_resources(const Json& compiled) {
  Json out = Json::object();
  for (const auto* key : numbers) {
    const auto it = compiled.find(key);
    out[key] = it != compiled.end() && it->is_number_unsigned() ? it->get<std::uint64_t>() : 0;
  }
  return out;
}

std::vector<std::string> compare_resources(const Json& before, const Json& after) {
  std::vector<std::string> out;
  for (const auto* key : numbers)
    if (before.at(key) != after.at(key))
      out.push_back(std::string(key) + " " + before.at(key).dump() + " -> " + after.at(key).dump());
  return out;
}

std::vector<ResourceChange> plan_resources(const GateReport& report, const Golden& golden, const std::string& only) {
  std::vector<ResourceChange> out;
  for (const auto& f : report.flavors)
    if (std::ranges::any_of(f.results, [](const CaseResult& r) { return !r.compiled.is_null(); }))
      out.push_back(plan(f, golden, only));
  return out;
}

void apply_resources(const std::vector<ResourceChange>& changes, const Golden& golden) {
  for (const auto& c : changes)
    if (c.any()) write_file(path_of(golden, c.after.flavor), write_resources(c.after));
}

} // namespace twinir
