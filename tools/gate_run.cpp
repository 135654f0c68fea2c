// SPDX-License-Identifier: MIT
#include "tools/gate_run.hpp"

#include "parity/cpp_engine.hpp"
#include "parity/frozen.hpp"
#include "parity/llvm_judge.hpp"
#include "parity/python_engine.hpp"
#include "parity/report.hpp"
#include "tools/kernel_input.hpp"
#include "tools/output.hpp"

#include <algorithm>

namespace twinir::tools {
namespace {

constexpr std::size_t described_faults = 20; ///< of one flavor

void print_fault(const FlavorReport& f, const CaseResult& r) {
  print(coloured(Colour::red, std::string(to_string(r.verdict)) + " " + std::string(to_string(r.golden)),
                 stdout) +
        " " + f.flavor.name + " " + r.id + "\n");
  const auto text = describe(r);
  for (const auto line : split_lines(text)) print("  " + std::string(line) + "\n");
}

std::string recorded_note(const FlavorReport& f) {
  std::string out;
  for (const auto& llvm : f.recorded_with) out += (out.empty() ? "recorded with " : ", ") + llvm;
  return out;
}

/// "526 SAME" and what is not.
std::string resources_text(const FlavorReport& f) {
  std::string out;
  for (const auto v : {ResourceVerdict::same, ResourceVerdict::changed, ResourceVerdict::toolchain_differs,
                       ResourceVerdict::unrecorded})
    if (const auto n = f.count(v); n != 0) {
      const auto text = std::to_string(n) + " " + std::string(to_string(v));
      out += (out.empty() ? "" : ", ") + (is_good(v) ? text : coloured(Colour::red, text, stdout));
    }
  return out.empty() ? "-" : out;
}

/// Why there is no reader for another flavor than its own.
std::string why_not(const Reader& reader) {
  return reader.problem().empty() ? reader.wheel() + " reads " + reader.flavor() : reader.problem();
}

/// A flavor without a plugin that was asked for.
const FlavorInfo& read_one(const FlavorInfo& flavor, const Reader& reader) {
  if (!flavor.reader.empty()) return flavor;
  throw UserError({Code::toolchain_missing,
                   "neither a plugin nor a reader for " + flavor.name + " (" + why_not(reader) + ")",
                   "one of them",
                   "see docs/flavors.md, or leave --flavor out to compare the Python emitter alone with the goldens",
                   {}});
}

std::string count(std::size_t n, bool good) {
  const auto text = std::to_string(n);
  return n == 0 || good ? text : coloured(Colour::red, text, stdout);
}

std::size_t bad_goldens(const FlavorReport& f) {
  return static_cast<std::size_t>(
      std::ranges::count_if(f.results, [](const CaseResult& r) { return !is_good(r.golden); }));
}

} // namespace

void GateChoice::add_to(CLI::App& command) {
  command.add_option("--flavor", flavors,
                     "LLVMs, with commas between (every one with a flavor file or shard)");
  command.add_option("--only", only, "cases whose id contains this text");
  command
      .add_option("--kernel", kernels,
                  "a frozen kernel, or a folder of them, instead of the families (repeatable)")
      ->allow_extra_args(false);
  command.add_option("--jobs,-j", jobs, "threads (one per core)")->check(CLI::Range(1, 1024));
  command.add_flag("--json", json, "print JSON");
}

std::vector<FlavorInfo> GateChoice::chosen(const Reader& reader) const {
  auto found = find_flavors(find_places());
  add_reader(found, reader);
  if (flavors.empty()) {
    for (const auto& f : found)
      if (!json && !f.recorded) note("SKIP: " + f.name + " is not recorded (docs/flavors.md)");
    std::erase_if(found, [](const FlavorInfo& f) { return !f.recorded; });
    for (const auto& f : found)
      if (!json && !f.installed && f.reader.empty()) note("SKIP: the texts of " + f.name + " are not read (" + why_not(reader) + ")");
    return found;
  }
  std::vector<FlavorInfo> out;
  for (const auto& name : split_list(flavors)) {
    const auto it = std::ranges::find(found, name, &FlavorInfo::name);
    const auto flavor = it != found.end() && !it->installed && !it->file.empty() ? read_one(*it, reader)
                                                                                 : choose_flavors(found, {name})[0];
    if (std::ranges::find(out, name, &FlavorInfo::name) == out.end()) out.push_back(flavor);
  }
  return out;
}

std::vector<Case> GateChoice::cases() const {
  return kernels.empty() ? make_cases(all_families()) : frozen_cases(kernels);
}

GateReport run_real_gate(const GateChoice& choice, std::vector<Case> cases,
                         const std::vector<FlavorInfo>& flavors, GateOptions options, Reader& reader) {
  const auto places = find_places();
  const auto golden = choice.kernels.empty() ? Golden(places.golden) : Golden();
  CppEngine cpp;
  PythonEngine python(places.python);
  CompilePool pool({options.jobs, {}, {}, {}});
  LlvmJudge judge(pool, &reader);
  ProgressBar bar(!choice.json);
  options.progress = [&](std::size_t done, std::size_t all) { bar.update(done, all); };
  return run_gate({all_families(), std::move(cases), flavors, golden, cpp, python, judge}, options);
}

std::string flavor_table(const GateReport& report) {
  Table table(
      {"flavor", "LLVM", "IDENTICAL", "BOTH_REFUSED", "faults", "golden MATCH", "golden faults", "resources", "emitters"});
  for (const auto& f : report.flavors) {
    const auto faults = f.count(Verdict::mismatch) + f.count(Verdict::asymmetric) + f.count(Verdict::error);
    const auto match = f.count(GoldenVerdict::match);
    const auto note = recorded_note(f);
    table.add({f.flavor.name, f.flavor.llvm, std::to_string(f.count(Verdict::identical)),
               std::to_string(f.count(Verdict::both_refused)), count(faults, false), std::to_string(match),
               count(bad_goldens(f), false), resources_text(f),
               engines_of(f) + (note.empty() ? "" : "; " + note)});
  }
  auto out = table.text();
  for (const auto& f : report.flavors) {
    const bool none = f.flavor.installed && f.differential().compared == 0;
    out += coloured(none ? Colour::red : Colour::plain, differential_text(f), stdout) + "\n";
  }
  return out;
}

void print_faults(const GateReport& report) {
  for (const auto& f : report.flavors) {
    for (const auto& p : f.problems)
      print(coloured(Colour::red, f.flavor.name, stdout) + " " + p.text() + "\n");
    std::size_t faults = 0;
    for (const auto& r : f.results)
      if (!r.good() && ++faults <= described_faults) print_fault(f, r);
    if (faults > described_faults)
      print("... " + std::to_string(faults - described_faults) + " more on " + f.flavor.name +
            " (--json has all)\n");
  }
}

} // namespace twinir::tools
