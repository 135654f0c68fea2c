// SPDX-License-Identifier: MIT
// `twinir gate`: both emitters on every case, goldens, LLVM.
#include "emit/diagnostic_json.hpp"
#include "emit/files.hpp"
#include "parity/against.hpp"
#include "parity/html.hpp"
#include "parity/report.hpp"
#include "tools/commands.hpp"
#include "tools/gate_run.hpp"
#include "tools/output.hpp"

namespace twinir::tools {
namespace {

struct Options {
  GateChoice choice;
  std::string junit, html, against;
  bool no_codegen = false, no_golden = false, require_both = false, verbose = false;
};

Json changes_json(const Changes& c) {
  Json out = {{"commit", c.commit}, {"new", c.added},           {"changed", c.changed},
              {"gone", c.gone},     {"unchanged", c.unchanged}, {"problems", Json::array()}};
  for (const auto& p : c.problems) out["problems"].push_back(diagnostic_json(p));
  return out;
}

void print_changes(const Changes& c) {
  print("against " + c.commit.substr(0, 12) + ": " + std::to_string(c.added.size()) + " new, " +
        std::to_string(c.changed.size()) + " changed, " + std::to_string(c.gone.size()) + " gone, " +
        std::to_string(c.unchanged) + " unchanged\n");
  for (const auto& id : c.added) print("  new      " + id + "\n");
  for (const auto& id : c.changed) print("  changed  " + id + "\n");
  for (const auto& id : c.gone) print("  gone     " + id + "\n");
  for (const auto& p : c.problems) note(p.text());
}

void print_all(const GateReport& report) {
  Table table({"verdict", "golden", "re-print", "codegen", "flavor", "case"});
  for (const auto& f : report.flavors)
    for (const auto& r : f.results)
      table.add({std::string(to_string(r.verdict)), std::string(to_string(r.golden)),
                 std::string(to_string(r.reprint)), std::string(to_string(r.codegen)), f.flavor.name, r.id});
  print(table.text() + "\n");
}

void print_text(const GateReport& report, const std::optional<Changes>& changes, const Options& options) {
  if (options.verbose) print_all(report);
  print_faults(report);
  print(flavor_table(report));
  if (changes) print_changes(*changes);
  print(coloured(report.good() ? Colour::green : Colour::red, gate_summary(report), stdout) + "\n");
}

void run(const Options& options, Session& session) {
  GateOptions gate{
      options.choice.only,  options.choice.jobs, true, !options.no_codegen, !options.html.empty(),
      options.require_both, !options.no_golden,  {}};
  Reader reader(find_places().reader);
  const auto report =
      run_real_gate(options.choice, options.choice.cases(), options.choice.chosen(reader), gate, reader);
  std::optional<Changes> changes;
  if (!options.against.empty())
    changes = compare_with_revision(report, Git(find_places().golden), options.against, options.choice.only);
  if (!options.junit.empty()) write_file(options.junit, gate_junit(report));
  if (!options.html.empty()) write_file(options.html, gate_html(report));
  if (options.choice.json) {
    auto json = gate_json(report);
    if (changes) json["against"] = changes_json(*changes);
    print_json(json);
  } else {
    print_text(report, changes, options);
  }
  session.status = report.exit_status();
}

} // namespace

void add_gate(CLI::App& app, Session& session) {
  auto* command = add_command(
      app, "gate", "Compares both emitters, the goldens and LLVM over all cases",
      "twinir gate                              every flavor: emitters, goldens, re-print, code generation\n"
      "twinir gate --no-codegen                 without code generation\n"
      "twinir gate --only saxpy --flavor llvm22\n"
      "twinir gate --junit gate.xml --json > gate.json\n"
      "twinir gate --html gate.html             a page to read, with texts side by side\n"
      "twinir gate --against HEAD~1             what changed since then\n"
      "twinir gate --kernel k.json              a frozen kernel, with k.golden.json (twinir golden record "
      "--kernel)\n"
      "Exit status: 0 GREEN; 1 RED: emitters that differ, goldens or resources that changed, a text that "
      "LLVM refuses,\n"
      "code that does not compile, spills or is for another processor; 2 wrong usage; 3 an LLVM is missing: "
      "a flavor\n"
      "that was asked for, or no second check at all (with --require-both: of any flavor); 4 nothing to "
      "compare.");
  auto options = std::make_shared<Options>();
  options->choice.add_to(*command);
  command->add_flag("--no-codegen", options->no_codegen, "leave code generation and linking out");
  command->add_flag("--require-both", options->require_both,
                    "a flavor that neither a second emitter nor a reader checks is a failure");
  command->add_option("--against", options->against, "compare with the shards of a git revision")
      ->excludes("--kernel");
  command->add_flag("--no-golden", options->no_golden, "with --kernel: do not ask what was recorded")
      ->needs("--kernel");
  command->add_option("--junit", options->junit, "write a JUnit report to this file");
  command->add_option("--html", options->html, "write a page with every difference to this file");
  command->add_flag("--verbose,-v", options->verbose, "list every case");
  command->callback([options, &session] { run(*options, session); });
}

} // namespace twinir::tools
