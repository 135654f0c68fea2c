// SPDX-License-Identifier: MIT
#include "parity/gate.hpp"

#include "emit/files.hpp"
#include "parity/frozen.hpp"

#include <algorithm>
#include <chrono>

namespace twinir {
namespace {

Diagnostic internal(const std::string& found) {
  return {Code::internal, found, "a case that runs", "please report it with the kernel JSON", {}};
}

bool same_words(const Diagnostic& a, const Diagnostic& b) {
  return a.found == b.found && a.expected == b.expected && a.action == b.action;
}

/// A text of no bytes is no answer.
bool is_silent(const Emission& e) { return !e.refusal && e.text.empty(); }

void note_refusals(CaseResult& r, const Emission& cpp, const Emission& python) {
  const auto note = [&](const char* side, const Emission& e) {
    if (e.refusal) {
      auto d = *e.refusal;
      d.found = std::string(side) + " emitter: " + d.found;
      r.problems.push_back(d);
    }
    if (is_silent(e))
      r.problems.push_back({Code::engine_failed, std::string(side) + " emitter: no text and no refusal", "one of them", "please report it with the kernel JSON", {}});
  };
  note("C++", cpp);
  note("Python", python);
}

void compare_refusals(CaseResult& r, const Emission& cpp, const Emission& python) {
  const bool same = cpp.refusal->code == python.refusal->code;
  const bool words = cpp.refusal->code != Code::op_not_in_flavor || same_words(*cpp.refusal, *python.refusal);
  r.verdict = same && words ? Verdict::both_refused : Verdict::asymmetric;
  if (r.verdict == Verdict::both_refused)
    r.code = to_string(cpp.refusal->code);
  else
    note_refusals(r, cpp, python);
}

bool failed(const Emission& e) { return is_silent(e) || (e.refusal && !is_refusal(e.refusal->code)); }

/// The shards of one flavor, read once.
class Shards {
public:
  Shards(const Golden& golden, const std::string& flavor) {
    for (const auto& family : golden.families(flavor)) loaded_[family] = golden.load(flavor, family);
    resources_ = load_resources(golden, flavor);
  }
  [[nodiscard]] const LoadedResources& resources() const { return resources_; }
  /// Of a compiled case; 0 when none are recorded.
  [[nodiscard]] std::uint64_t code_bytes(const std::string& id) const {
    if (!resources_.resources) return 0;
    const auto it = resources_.resources->cases.find(id);
    return it == resources_.resources->cases.end() ? 0 : it->second.value("code_bytes", std::uint64_t{0});
  }
  [[nodiscard]] const LoadedShard& of(const std::string& family) const {
    static const LoadedShard none;
    const auto it = loaded_.find(family);
    return it == loaded_.end() ? none : it->second;
  }
  [[nodiscard]] const std::map<std::string, LoadedShard>& all() const { return loaded_; }

private:
  std::map<std::string, LoadedShard> loaded_;
  LoadedResources resources_;
};

/// One run.
class Run {
public:
  Run(const GateParts& parts, const GateOptions& options)
      : parts_(parts), options_(options), cases_(select_cases(parts.cases, options.only)) {
    for (const auto& f : parts.flavors) {
      shards_.emplace_back(parts.golden, f.name);
      report_.flavors.push_back({f, {}, std::vector<CaseResult>(cases_.size()), {}});
    }
    report_.cases = cases_.size();
    report_.require_both = options.require_both;
  }

  GateReport finish() {
    const auto start = std::chrono::steady_clock::now();
    check_some();
    const auto order = longest_first();
    report_.jobs = thread_count(order.size(), options_.jobs);
    for_each_index(
        order.size(), threads(), [&](std::size_t i) { run_case(order[i]); }, options_.progress);
    for (std::size_t f = 0; f < report_.flavors.size(); ++f) close_flavor(report_.flavors[f], shards_[f]);
    check_not_all_refused();
    report_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return std::move(report_);
  }

private:
  void check_some() const {
    if (!cases_.empty() && !parts_.flavors.empty()) return;
    throw UserError(
        {Code::gate_no_cases,
         std::to_string(cases_.size()) + " cases on " + std::to_string(parts_.flavors.size()) + " flavors",
         "something to compare",
         options_.only.empty() ? "register a family, record a flavor"
                               : "correct --only '" + options_.only + "' (twinir emit --list-cases)",
         {}});
  }

  /// With a filter, a flavor may well refuse all it selects; without one it must not.
  void check_not_all_refused() const {
    const auto compared = [](const FlavorReport& f) {
      return std::ranges::any_of(f.results, [](const CaseResult& r) {
        return r.verdict != Verdict::both_refused && r.golden != GoldenVerdict::gone && r.code.empty();
      });
    };
    const bool ok = options_.only.empty() ? std::ranges::all_of(report_.flavors, compared)
                                          : std::ranges::any_of(report_.flavors, compared);
    if (!ok)
      throw UserError({Code::gate_all_refused,
                       "nothing but refusals in " + std::to_string(cases_.size()) + " cases",
                       "texts to compare",
                       "choose a flavor that has the operations, or a wider --only",
                       {}});
  }

  /// A thread that waits for a worker's answer keeps no core busy: without code generation, which stays in
  /// its thread, there is half a thread more for each.
  [[nodiscard]] unsigned threads() const {
    return options_.codegen ? report_.jobs : report_.jobs + (report_.jobs + 1) / 2;
  }

  /// The cases in the order in which they start: what takes LLVM longest, by the code bytes that were
  /// recorded, must not start last.
  [[nodiscard]] std::vector<std::size_t> longest_first() const {
    std::vector<std::pair<std::uint64_t, std::size_t>> order;
    for (std::size_t i = 0; i < cases_.size(); ++i) {
      std::uint64_t bytes = 0;
      for (const auto& s : shards_) bytes += s.code_bytes(cases_[i].id);
      order.emplace_back(bytes, i);
    }
    std::ranges::stable_sort(order, std::greater<>(), &decltype(order)::value_type::first);
    std::vector<std::size_t> out;
    for (const auto& [bytes, i] : order) out.push_back(i);
    return out;
  }

  void run_case(std::size_t i) {
    const auto& c = cases_[i];
    Built built;
    std::optional<Diagnostic> fault;
    try {
      built = build_case(c, parts_.families);
    } catch (const std::exception& e) {
      fault = internal(e.what());
    }
    for (std::size_t f = 0; f < parts_.flavors.size(); ++f) {
      auto& r = report_.flavors[f].results[i];
      r.id = c.id, r.family = c.family;
      if (fault)
        r.problems.push_back(*fault);
      else
        run_flavor(r, c, built, parts_.flavors[f]);
      judge_recorded(r, c, parts_.flavors[f], shards_[f]);
    }
  }

  /// A frozen kernel has its goldens beside it, and no resources.
  void judge_recorded(CaseResult& r, const Case& c, const FlavorInfo& flavor, const Shards& shards) const {
    if (!options_.golden) {
      if (!r.sha256.empty() || !r.code.empty()) r.golden = GoldenVerdict::not_asked;
      return;
    }
    if (!c.frozen) {
      judge_golden(r, shards.of(c.family), flavor.llvm);
      return judge_resources(r, shards.resources(), flavor.llvm);
    }
    const auto loaded = recorded_shard(*c.frozen, flavor.name);
    if (loaded.problem) r.problems.push_back(*loaded.problem);
    judge_golden(r, loaded, flavor.llvm);
  }

  void run_flavor(CaseResult& r, const Case& c, const Built& built, const FlavorInfo& flavor) {
    try {
      if (built.refusal || c.to_be_refused) return refuse_spec(r, c, built);
      const auto python = parts_.python.emit(built.json, flavor);
      if (!flavor.installed) return python_only(r, python, flavor);
      const auto cpp = parts_.cpp.emit(built.json, flavor);
      compare_emissions(r, cpp, python, *built.kernel);
      if (r.verdict == Verdict::identical) judge(r, python.text, built.kernel->name, c.target, flavor);
      if (options_.keep_texts) r.text = python.text;
      if (options_.keep_texts && r.verdict == Verdict::mismatch) r.cpp_text = cpp.text;
    } catch (const std::exception& e) {
      r.verdict = Verdict::error;
      r.problems.push_back(internal(e.what()));
    }
  }

  static void refuse_spec(CaseResult& r, const Case& c, const Built& built) {
    if (c.to_be_refused && built.refusal) {
      r.verdict = Verdict::both_refused;
      r.code = to_string(built.refusal->code);
    } else if (built.refusal) {
      r.problems.push_back(*built.refusal);
    } else {
      r.problems.push_back(internal("a spec that was to be refused and is not"));
    }
  }

  /// No second emitter: a reader, where there is one, checks the text.
  void python_only(CaseResult& r, const Emission& python, const FlavorInfo& flavor) {
    r.verdict = failed(python) ? Verdict::error : Verdict::not_run;
    if (failed(python))
      note_refusals(r, {"not run", {}}, python);
    else if (python.refusal)
      r.code = to_string(python.refusal->code);
    else
      r.sha256 = sha256(python.text);
    if (options_.keep_texts) r.text = python.text;
    if (options_.reprint && !python.refusal && !flavor.reader.empty())
      r.reprint = note(r, parts_.judge.reprint(python.text, flavor));
  }

  void judge(CaseResult& r, const std::string& text, const std::string& kernel, const std::string& target,
             const FlavorInfo& flavor) {
    std::optional<Judgement> code; // a compile re-prints on the way: the text is parsed once
    if (options_.codegen && flavor.links && flavor.compiles.contains(target))
      code = parts_.judge.compile(text, kernel, target, flavor);
    if (options_.reprint)
      r.reprint = note(r, code && code->reprints ? Judgement{} : parts_.judge.reprint(text, flavor));
    if (!code) return;
    r.compiled = code->report;
    r.llvm_ms = code->llvm_ms;
    r.codegen = note(r, *code);
  }

  static Check note(CaseResult& r, const Judgement& j) {
    if (j.problem) r.problems.push_back(*j.problem);
    return j.problem ? Check::failed : Check::passed;
  }

  void close_flavor(FlavorReport& f, const Shards& shards) const {
    if (shards.resources().problem) f.problems.push_back(*shards.resources().problem);
    for (const auto& [family, loaded] : shards.all()) {
      if (loaded.problem) f.problems.push_back(*loaded.problem);
      if (!loaded.shard) continue;
      add_gone(f, *loaded.shard);
      if (loaded.shard->llvm != f.flavor.llvm) f.recorded_with.push_back(loaded.shard->llvm);
    }
    std::ranges::sort(f.recorded_with);
    f.recorded_with.erase(std::unique(f.recorded_with.begin(), f.recorded_with.end()), f.recorded_with.end());
  }

  void add_gone(FlavorReport& f, const Shard& shard) const {
    const auto add = [&](const std::map<std::string, std::string>& recorded) {
      for (const auto& [id, value] : recorded) {
        if (id.find(options_.only) == std::string::npos || is_case(id, shard.family)) continue;
        CaseResult r;
        r.id = id, r.family = shard.family, r.recorded = value;
        r.verdict = Verdict::not_run, r.golden = GoldenVerdict::gone;
        f.results.push_back(r);
      }
    };
    add(shard.cases);
    add(shard.rejected);
  }

  [[nodiscard]] bool is_case(const std::string& id, const std::string& family) const {
    const auto it = std::ranges::lower_bound(cases_, id, {}, &Case::id);
    return it != cases_.end() && it->id == id && it->family == family;
  }

  const GateParts& parts_;
  const GateOptions& options_;
  std::vector<Case> cases_;
  std::vector<Shards> shards_;
  GateReport report_;
};

} // namespace

bool is_refusal(Code code) {
  const int n = static_cast<int>(code);
  return code == Code::op_not_in_flavor || (n >= 1000 && n < 2000);
}

void compare_emissions(CaseResult& r, const Emission& cpp, const Emission& python, const KernelDef& kernel) {
  if (failed(cpp) || failed(python)) {
    r.verdict = Verdict::error;
    return note_refusals(r, cpp, python);
  }
  r.compared = true;
  if (cpp.refusal && python.refusal) return compare_refusals(r, cpp, python);
  if (cpp.refusal || python.refusal) {
    r.verdict = Verdict::asymmetric;
    return note_refusals(r, cpp, python);
  }
  r.verdict = cpp.text == python.text ? Verdict::identical : Verdict::mismatch;
  if (r.verdict == Verdict::identical)
    r.sha256 = sha256(cpp.text);
  else
    r.difference = find_difference(cpp.text, python.text, kernel);
}

GateReport run_gate(const GateParts& parts, const GateOptions& options) {
  return Run(parts, options).finish();
}

} // namespace twinir
