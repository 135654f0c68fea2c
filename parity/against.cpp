// SPDX-License-Identifier: MIT
#include "parity/against.hpp"

#include <map>

namespace twinir {
namespace {

using Recorded = std::map<std::string, std::string>; // id: hash or code

/// The recorded results of one flavor in a revision.
Recorded recorded_in(const Git& git, Changes& changes, const std::string& flavor, const std::string& only) {
  Recorded out;
  for (const auto& file : git.files(changes.commit)) {
    if (!file.starts_with(flavor + "/") || !file.ends_with(".json")) continue;
    const auto family = file.substr(flavor.size() + 1, file.size() - flavor.size() - 6);
    if (family == resources_name) continue;
    try {
      const auto shard = read_shard(git.show(changes.commit, file), flavor, family);
      for (const auto* part : {&shard.cases, &shard.rejected})
        for (const auto& [id, value] : *part)
          if (id.find(only) != std::string::npos) out[id] = value;
    } catch (const UserError& e) {
      changes.problems.push_back(e.diagnostic());
    }
  }
  return out;
}

void compare(Changes& changes, const FlavorReport& f, Recorded recorded) {
  for (const auto& r : f.results) {
    if (r.golden == GoldenVerdict::gone) continue;
    const auto it = recorded.find(r.id);
    if (it == recorded.end()) {
      changes.added.push_back(f.flavor.name + ": " + r.id);
      continue;
    }
    if (it->second == (r.code.empty() ? r.sha256 : r.code))
      ++changes.unchanged;
    else
      changes.changed.push_back(f.flavor.name + ": " + r.id);
    recorded.erase(it);
  }
  for (const auto& [id, value] : recorded) changes.gone.push_back(f.flavor.name + ": " + id);
}

} // namespace

Changes compare_with_revision(const GateReport& report, const Git& git, const std::string& revision,
                              const std::string& only) {
  Changes changes;
  changes.commit = git.resolve(revision);
  for (const auto& f : report.flavors) compare(changes, f, recorded_in(git, changes, f.flavor.name, only));
  return changes;
}

} // namespace twinir
