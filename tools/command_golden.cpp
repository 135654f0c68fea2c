// SPDX-License-Identifier: MIT
// `twinir golden record` and `twinir golden check`.
#include "emit/diagnostic_json.hpp"
#include "parity/frozen.hpp"
#include "parity/git.hpp"
#include "parity/record.hpp"
#include "parity/report.hpp"
#include "tools/commands.hpp"
#include "tools/gate_run.hpp"
#include "tools/output.hpp"

namespace twinir::tools {
namespace {

constexpr std::size_t shown_lines = 40;

struct Options {
  GateChoice choice;
  bool allow_dirty = false;
};

/// Goldens say what one commit of the sources gives.
void refuse_dirty_tree() {
  const auto changed = Git(find_places().golden).changed_elsewhere();
  if (changed && changed->empty()) return;
  const auto found =
      changed ? std::to_string(changed->size()) + " changed files, the first '" + changed->front() + "'"
              : "goldens in no git tree";
  throw UserError({Code::dirty_tree, found, "a clean git tree", "commit first, or say --allow-dirty", {}});
}

/// Those with two emitters, or with one and a reader.
std::vector<FlavorInfo> recordable_ones(std::vector<FlavorInfo> flavors) {
  std::erase_if(flavors, [](const FlavorInfo& f) {
    const bool none = !f.installed && f.reader.empty();
    if (none) note("SKIP " + f.name + ": neither a plugin nor a reader of its LLVM");
    return none;
  });
  return flavors;
}

const CaseResult* find_result(const GateReport& report, const std::string& flavor, const std::string& id) {
  for (const auto& f : report.flavors)
    for (const auto& r : f.results)
      if (f.flavor.name == flavor && r.id == id) return &r;
  return nullptr;
}

std::string recorded_value(const Shard& shard, const std::string& id) {
  const auto it = shard.cases.find(id);
  return it != shard.cases.end() ? it->second : shard.rejected.at(id);
}

/// How a case changed: by its text where the old one was kept, else by hash or code.
std::string difference_of(const ShardChange& c, const std::string& id, const GateReport& report,
                          const TextStore& store) {
  const auto before = recorded_value(c.before, id), after = recorded_value(c.after, id);
  const auto* now = find_result(report, c.after.flavor, id);
  const auto old_text = c.before.cases.contains(id) ? store.find(before) : std::nullopt;
  if (old_text && now != nullptr && !now->text.empty())
    return unified_difference(*old_text, now->text, shown_lines);
  auto lines = now == nullptr ? std::string()
                              : " (" + std::to_string(split_lines(now->text).size()) +
                                    " lines now; the old text was not kept here)";
  return before.substr(0, 16) + " -> " + after.substr(0, 16) + lines + "\n";
}

void print_change(const ShardChange& c, const GateReport& report, const TextStore& store) {
  print(c.after.flavor + " " + c.after.family + ": " + std::to_string(c.added.size()) + " added, " +
        std::to_string(c.removed.size()) + " removed, " + std::to_string(c.changed.size()) + " changed" +
        (c.broken ? ", replaces a shard that cannot be read" : "") +
        (c.before.llvm.empty() || c.before.llvm == c.after.llvm
             ? ""
             : ", LLVM " + c.before.llvm + " -> " + c.after.llvm) +
        "\n");
  for (const auto& id : c.added)
    print("  added    " + id +
          (c.after.rejected.contains(id) ? " (refused, " + c.after.rejected.at(id) + ")" : "") + "\n");
  for (const auto& id : c.removed) print("  removed  " + id + "\n");
  for (const auto& id : c.changed) {
    print("  changed  " + id + "\n");
    const auto text = difference_of(c, id, report, store);
    for (const auto line : split_lines(text)) print("    " + std::string(line) + "\n");
  }
}

void keep_texts(const GateReport& report, const Golden& golden, const TextStore& store) {
  std::map<std::string, std::string> texts;
  std::set<std::string> wanted;
  for (const auto& f : report.flavors)
    for (const auto& r : f.results)
      if (!r.sha256.empty()) texts[r.sha256] = r.text;
  for (const auto& flavor : golden.flavors())
    for (const auto& family : golden.families(flavor))
      if (const auto loaded = golden.load(flavor, family); loaded.shard)
        for (const auto& [id, hash] : loaded.shard->cases) wanted.insert(hash);
  store.keep(texts, wanted);
}

Json change_json(const ShardChange& c) {
  return {{"flavor", c.after.flavor}, {"family", c.after.family}, {"llvm", c.after.llvm}, {"added", c.added},
          {"removed", c.removed},     {"changed", c.changed},     {"written", c.any()}};
}

Json resources_json(const ResourceChange& c) {
  return {{"flavor", c.after.flavor}, {"added", c.added}, {"removed", c.removed}, {"changed", c.changed}, {"written", c.any()}};
}

/// Changed numbers one by one; the texts behind new and removed ones were listed before.
void print_resources(const ResourceChange& c) {
  print(c.after.flavor + " resources: " + std::to_string(c.added.size()) + " added, " +
        std::to_string(c.removed.size()) + " removed, " + std::to_string(c.changed.size()) + " changed\n");
  for (const auto& line : c.changed) print("  changed  " + line + "\n");
}

/// Cases that are not recorded, with what is wrong; how many.
std::size_t print_unrecordable(const GateReport& report) {
  std::size_t n = 0;
  for (const auto& f : report.flavors)
    for (const auto* r : unrecordable(f)) {
      note(coloured(Colour::red, "not recorded: " + std::string(to_string(r->verdict)), stderr) + " " +
           f.flavor.name + " " + r->id);
      if (++n <= 5) note(describe(*r));
    }
  return n;
}

Json answer_json(const FrozenGolden& golden, const std::string& flavor) {
  const auto it = golden.flavors.find(flavor);
  return it == golden.flavors.end() ? Json() : Json(it->second.value);
}

/// Flavors whose answer is another one now, with both.
Json changes_json(const FrozenChange& c) {
  Json out = Json::object();
  for (const auto* golden : {&c.before, &c.after})
    for (const auto& [flavor, answer] : golden->flavors) {
      const auto before = answer_json(c.before, flavor), after = answer_json(c.after, flavor);
      if (before != after) out[flavor] = {{"before", before}, {"after", after}};
    }
  return out;
}

void print_frozen(const FrozenChange& c) {
  const auto word = [](const Json& value) {
    return value.is_null() ? "nothing" : value.get<std::string>().substr(0, 16);
  };
  print(c.after.id + " in " + c.file.string() + "\n");
  const auto all = changes_json(c);
  for (const auto& [flavor, change] : all.items())
    print("  " + flavor + ": " + word(change["before"]) + " -> " + word(change["after"]) + "\n");
}

/// The goldens of frozen kernels belong to files, not to a commit of the sources.
void record_frozen(const Options& options, Session& session) {
  const GateOptions gate{options.choice.only, options.choice.jobs, true, true, false, false, true, {}};
  Reader reader(find_places().reader);
  const auto cases = options.choice.cases();
  const auto report =
      run_real_gate(options.choice, cases, recordable_ones(options.choice.chosen(reader)), gate, reader);
  const auto changes = plan_frozen(report, cases);
  Json json = {{"schema", "twinir-golden-record-1"}, {"kernels", Json::array()}};
  std::size_t written = 0;
  for (const auto& c : changes) {
    written += c.any();
    json["kernels"].push_back({{"case", c.after.id},
                               {"file", c.file.string()},
                               {"changed", changes_json(c)},
                               {"written", c.any()}});
    if (c.any() && !options.choice.json) print_frozen(c);
  }
  apply_frozen(changes);
  if (print_unrecordable(report) != 0) session.status = different;
  if (options.choice.json)
    print_json(json);
  else
    print(std::to_string(written) + " of " + std::to_string(changes.size()) + " goldens written\n");
}

void record(const Options& options, Session& session) {
  if (!options.choice.kernels.empty()) return record_frozen(options, session);
  if (!options.allow_dirty) refuse_dirty_tree();
  GateOptions gate{options.choice.only, options.choice.jobs, true, true, true, false, true, {}};
  Reader reader(find_places().reader);
  const auto report = run_real_gate(options.choice, options.choice.cases(),
                                    recordable_ones(options.choice.chosen(reader)), gate, reader);
  const Golden golden(find_places().golden);
  const TextStore store(state_folder() / "golden-texts");
  const auto changes = plan_record(report, golden, options.choice.only);
  Json json = {{"schema", "twinir-golden-record-1"}, {"shards", Json::array()}};
  std::size_t written = 0;
  for (const auto& c : changes) {
    written += c.any();
    json["shards"].push_back(change_json(c));
    if (c.any() && !options.choice.json) print_change(c, report, store);
  }
  const auto resources = plan_resources(report, golden, options.choice.only);
  for (const auto& c : resources) {
    json["resources"].push_back(resources_json(c));
    if (c.any() && !options.choice.json) print_resources(c);
  }
  apply_record(changes, golden);
  apply_resources(resources, golden);
  keep_texts(report, golden, store);
  if (print_unrecordable(report) != 0) session.status = different;
  if (options.choice.json)
    print_json(json);
  else
    print(std::to_string(written) + " of " + std::to_string(changes.size()) + " shards written\n");
}

void check(const Options& options, Session& session) {
  GateOptions gate{options.choice.only, options.choice.jobs, false, false, false, false, true, {}};
  Reader reader(find_places().reader);
  const auto report =
      run_real_gate(options.choice, options.choice.cases(), options.choice.chosen(reader), gate, reader);
  session.status = report.exit_status();
  if (options.choice.json) return print_json(gate_json(report));
  print_faults(report);
  print(flavor_table(report));
  print(coloured(report.good() ? Colour::green : Colour::red, gate_summary(report), stdout) + "\n");
}

} // namespace

void add_golden(CLI::App& app, Session& session) {
  auto* command =
      add_command(app, "golden", "Records and checks the golden shards",
                  "twinir golden check\ntwinir golden record                      after a commit; prints "
                  "what changes\ntwinir golden record --flavor llvm22 --only saxpy\n"
                  "twinir golden record --kernel k.json      writes k.golden.json");
  command->require_subcommand(1);
  auto options = std::make_shared<Options>();
  auto* recording = add_command(
      *command, "record", "Records what both emitters agree on, or what the Python emitter alone wrote and a reader read",
      "twinir golden record --flavor llvm22\ntwinir golden record --allow-dirty        before the commit");
  options->choice.add_to(*recording);
  recording->add_flag("--allow-dirty", options->allow_dirty, "also with changed files in the git tree");
  recording->callback([options, &session] { record(*options, session); });
  auto* checking =
      add_command(*command, "check", "Compares the emitters with the shards, and asks no LLVM to compile",
                  "twinir golden check\ntwinir golden check --flavor llvm19 --json");
  options->choice.add_to(*checking);
  checking->callback([options, &session] { check(*options, session); });
}

} // namespace twinir::tools
