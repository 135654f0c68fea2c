// SPDX-License-Identifier: MIT
#include "parity/record.hpp"

#include "emit/files.hpp"

#include <algorithm>
#include <set>

namespace twinir {
namespace {
namespace fs = std::filesystem;

/// The Python emitter's word alone is not enough: a reader must have read its text.
bool is_read(const CaseResult& r, const FlavorInfo& flavor) {
  return r.verdict == Verdict::not_run && !flavor.reader.empty() && (r.reprint == Check::passed || !r.code.empty());
}

bool is_recordable(const CaseResult& r, const FlavorInfo& flavor) {
  const bool agreed = r.verdict == Verdict::identical || r.verdict == Verdict::both_refused;
  return (agreed && r.reprint != Check::failed) || is_read(r, flavor);
}

/// The id's recorded value; empty: none.
std::string value_of(const Shard& shard, const std::string& id) {
  if (const auto it = shard.cases.find(id); it != shard.cases.end()) return it->second;
  const auto it = shard.rejected.find(id);
  return it == shard.rejected.end() ? std::string() : it->second;
}

void drop_selected(Shard& shard, const std::string& only) {
  const auto selected = [&](const auto& entry) { return entry.first.find(only) != std::string::npos; };
  std::erase_if(shard.cases, selected);
  std::erase_if(shard.rejected, selected);
}

void list_differences(ShardChange& c) {
  std::set<std::string> ids;
  for (const auto* shard : {&c.before, &c.after})
    for (const auto* part : {&shard->cases, &shard->rejected})
      for (const auto& [id, value] : *part) ids.insert(id);
  for (const auto& id : ids) {
    const auto before = value_of(c.before, id), after = value_of(c.after, id);
    if (before == after) continue;
    (before.empty() ? c.added : after.empty() ? c.removed : c.changed).push_back(id);
  }
}

/// A filter leaves the rest of a shard as it is; that rest must be of this toolchain.
void refuse_mixture(const ShardChange& c, const std::string& only) {
  if (only.empty() || (!c.broken && (c.before.llvm.empty() || c.before.llvm == c.after.llvm))) return;
  throw UserError(
      {Code::bad_usage,
       "--only with " +
           std::string(c.broken ? "a shard that cannot be read" : "a shard of LLVM " + c.before.llvm) + " (" +
           c.after.flavor + ", " + c.after.family + ")",
       "a whole recording with LLVM " + c.after.llvm,
       "leave --only out",
       {}});
}

void put(ShardChange& c, const CaseResult& r, const FlavorInfo& flavor) {
  const auto copy = [&](const auto& from, auto& to) {
    if (const auto it = from.find(r.id); it != from.end()) to[r.id] = it->second;
  };
  if (r.golden == GoldenVerdict::gone) return;
  if (!is_recordable(r, flavor))
    copy(c.before.cases, c.after.cases), copy(c.before.rejected, c.after.rejected);
  else if (r.code.empty())
    c.after.cases[r.id] = r.sha256;
  else
    c.after.rejected[r.id] = r.code;
}

ShardChange plan_shard(const FlavorReport& f, const std::string& family, const Golden& golden,
                       const std::string& only) {
  ShardChange c;
  const auto loaded = golden.load(f.flavor.name, family);
  c.broken = loaded.problem.has_value();
  if (loaded.shard) c.before = *loaded.shard;
  c.after = c.before;
  c.after.flavor = f.flavor.name, c.after.llvm = f.flavor.llvm, c.after.family = family;
  drop_selected(c.after, only);
  refuse_mixture(c, only);
  for (const auto& r : f.results)
    if (r.family == family) put(c, r, f.flavor);
  list_differences(c);
  return c;
}

} // namespace

std::vector<const CaseResult*> unrecordable(const FlavorReport& flavor) {
  std::vector<const CaseResult*> out;
  for (const auto& r : flavor.results)
    if (r.golden != GoldenVerdict::gone && !is_recordable(r, flavor.flavor)) out.push_back(&r);
  return out;
}

std::vector<ShardChange> plan_record(const GateReport& report, const Golden& golden,
                                     const std::string& only) {
  std::vector<ShardChange> out;
  for (const auto& f : report.flavors) {
    std::set<std::string> families;
    for (const auto& r : f.results) families.insert(r.family);
    for (const auto& family : families) out.push_back(plan_shard(f, family, golden, only));
  }
  return out;
}

void apply_record(const std::vector<ShardChange>& changes, const Golden& golden) {
  for (const auto& c : changes) {
    if (!c.any()) continue;
    if (c.after.cases.empty() && c.after.rejected.empty())
      golden.remove(c.after.flavor, c.after.family);
    else
      golden.save(c.after);
  }
}

std::optional<std::string> TextStore::find(const std::string& hash) const {
  std::error_code error;
  if (!fs::exists(folder_ / (hash + ".ll"), error)) return std::nullopt;
  auto text = read_file(folder_ / (hash + ".ll"));
  return sha256(text) == hash ? std::optional(std::move(text)) : std::nullopt;
}

void TextStore::keep(const std::map<std::string, std::string>& texts,
                     const std::set<std::string>& wanted) const {
  try {
    fs::create_directories(folder_);
    for (const auto& [hash, text] : texts)
      if (!fs::exists(folder_ / (hash + ".ll"))) write_file(folder_ / (hash + ".ll"), text);
    for (const auto& entry : fs::directory_iterator(folder_))
      if (entry.path().extension() == ".ll" && !wanted.contains(entry.path().stem().string()))
        fs::remove(entry.path());
  } catch (const std::exception&) {
    // the texts only serve the next summary
  }
}

} // namespace twinir
