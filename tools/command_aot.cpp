// SPDX-License-Identifier: MIT
// `twinir aot sweep`: compiles every binary that is built ahead of time, and says what each takes.
#include "emit/files.hpp"
#include "parity/flavors.hpp"
#include "runtime/aot/sweep_report.hpp"
#include "tools/commands.hpp"
#include "tools/output.hpp"

namespace twinir::tools {
namespace {

struct Options {
  std::string target = "gfx1250", flavor, only, csv;
  unsigned jobs = 0;
  bool json = false;
};

/// The flavor asked for, else the newest that knows the target.
std::string chosen_flavor(const Options& options) {
  const auto found = find_flavors(find_places());
  if (options.flavor.empty()) return newest_flavor(found, options.target).name;
  const auto flavor = choose_flavors(found, {options.flavor}).front();
  if (flavor.links && flavor.compiles.contains(options.target)) return flavor.name;
  throw UserError({Code::target_unknown_to_flavor,
                   flavor.name + " for " + options.target,
                   "a flavor that makes code objects for it",
                   "leave --flavor out",
                   {}});
}

aot::Sweep sweep(const Options& options) {
  const auto entries = aot::list_entries(all_families(), find_target(options.target), options.only);
  CompilePool pool({options.jobs, {}, {}, {}});
  ProgressBar bar(!options.json);
  return aot::run_sweep(all_families(), entries, pool,
                        {options.target, chosen_flavor(options), options.jobs,
                         [&](std::size_t done, std::size_t all) { bar.update(done, all); }});
}

std::vector<std::string> table_cells(const aot::SweepRow& row) {
  const auto& k = row.kernel;
  const auto spills = std::to_string(k.vgpr_spills) + "+" + std::to_string(k.sgpr_spills);
  return {std::to_string(k.max_items),
          std::to_string(k.vgprs),
          std::to_string(k.sgprs),
          row.spills() ? coloured(Colour::red, spills, stdout) : spills,
          std::to_string(k.scratch_bytes),
          std::to_string(k.lds_bytes),
          std::to_string(k.code_bytes),
          std::to_string(row.occupancy),
          row.entry.family,
          row.entry.kernel};
}

void print_sweep(const aot::Sweep& sweep) {
  Table table(
      {"items", "VGPRs", "SGPRs", "spills", "scratch", "LDS", "code bytes", "waves", "family", "kernel"});
  for (const auto& row : sweep.rows) table.add(table_cells(row));
  print(table.text());
  for (const auto& row : sweep.rows)
    if (row.problem) print(row.entry.kernel + ": " + row.problem->text() + "\n");
  print(coloured(sweep.good() ? Colour::green : Colour::red, aot::sweep_summary(sweep), stdout) + "\n");
}

void run_sweep(const Options& options, Session& session) {
  const auto result = sweep(options);
  if (!options.csv.empty()) write_file(options.csv, aot::sweep_csv(result));
  if (options.json)
    print_json(aot::sweep_json(result));
  else
    print_sweep(result);
  session.status = result.good() ? good : different;
}

} // namespace

void add_aot(CLI::App& app, Session& session) {
  auto* command =
      add_command(app, "aot", "Binaries that are built ahead of time",
                  "twinir aot sweep                         registers, spills, LDS and waves of each");
  command->require_subcommand(1);
  auto options = std::make_shared<Options>();
  auto* sweeping =
      add_command(*command, "sweep", "Compiles the grid of every family, and fails when one spills",
                  "twinir aot sweep                         for gfx1250\n"
                  "twinir aot sweep --target gfx950 --only gemm\n"
                  "twinir aot sweep --csv sweep.csv --json > sweep.json");
  sweeping->add_option("--target", options->target, "GPU (gfx1250)");
  sweeping->add_option("--flavor", options->flavor, "LLVM (the newest that knows the target)");
  sweeping->add_option("--only", options->only, "binaries whose kernel name contains this text");
  sweeping->add_option("--csv", options->csv, "write the rows to this file");
  sweeping->add_option("--jobs,-j", options->jobs, "threads and workers (one per core)")
      ->check(CLI::Range(1, 1024));
  sweeping->add_flag("--json", options->json, "print JSON");
  sweeping->callback([options, &session] { run_sweep(*options, session); });
}

} // namespace twinir::tools
