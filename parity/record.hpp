// SPDX-License-Identifier: MIT
// Recording goldens: new shards from a run, and what they change.
#pragma once
// Guarantees: only results that both emitters agree on are recorded, or, where there is one emitter only, texts that
// a reader of that LLVM read; a filtered run touches only the ids it ran.
#include "parity/verdict.hpp"

#include <map>
#include <set>

namespace twinir {

/// A shard before and after.
struct ShardChange {
  Shard before, after; ///< before: empty when there was none that can be used
  bool broken = false; ///< there was one that cannot be used
  std::vector<std::string> added, removed, changed;
  [[nodiscard]] bool any() const { return broken || !(before == after); }
};

/// The shards that a run gives, one for each family of each flavor; `only` is the filter the run had. What
/// cannot be recorded keeps what was recorded for it. UserError bad_usage when a filter would leave results
/// of two toolchains in one shard, or of a shard that cannot be read.
[[nodiscard]] std::vector<ShardChange> plan_record(const GateReport& report, const Golden& golden,
                                                   const std::string& only);

/// Results that cannot be recorded: the emitters differ, or one did not run and no reader read the text.
[[nodiscard]] std::vector<const CaseResult*> unrecordable(const FlavorReport& flavor);

/// Writes the shards that change; removes those that have no case any more.
void apply_record(const std::vector<ShardChange>& changes, const Golden& golden);

/// The texts behind hashes, kept in the state folder so that the next recording can show differences as text.
class TextStore {
public:
  explicit TextStore(std::filesystem::path folder) : folder_(std::move(folder)) {}
  [[nodiscard]] std::optional<std::string> find(const std::string& sha256) const;
  /// Keeps these and drops all that `wanted` (hashes) does not name. Never throws because of the folder.
  void keep(const std::map<std::string, std::string>& texts, const std::set<std::string>& wanted) const;

private:
  std::filesystem::path folder_;
};

} // namespace twinir
