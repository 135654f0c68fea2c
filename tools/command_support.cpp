// SPDX-License-Identifier: MIT
// `twinir support`: what of every family emits, compiles and is verified, per target and LLVM.
#include "emit/plugins.hpp"
#include "runtime/verify/support_report.hpp"
#include "tools/commands.hpp"
#include "tools/kernel_input.hpp"
#include "tools/output.hpp"

namespace twinir::tools {
namespace {

struct Options {
  std::string flavors, targets, only;
  unsigned jobs = 0;
  bool json = false, markdown = false, no_verify = false;
};

SupportOptions chosen(const Options& options) {
  SupportOptions out;
  out.flavors = options.flavors.empty() ? default_flavors() : split_list(options.flavors);
  for (const auto& f : out.flavors) (void)plugin_of(f); // throws
  if (options.targets.empty())
    for (const auto& t : all_targets()) out.targets.emplace_back(t.name);
  else
    out.targets = split_list(options.targets);
  out.only = options.only, out.jobs = options.jobs, out.verify = !options.no_verify;
  return out;
}

std::string table_of(const std::vector<SupportRow>& rows) {
  Table table({"family", "target", "flavor", "emits", "compiles", "verified", "first problem"});
  for (const auto& r : rows)
    table.add({r.family, r.target, r.flavor, to_string(r.emits), to_string(r.compiles), to_string(r.verified),
               r.problem ? r.problem->text() : ""});
  return table.text();
}

void run(const Options& options) {
  CompilePool pool({options.jobs, {}, {}, {}});
  ProgressBar bar(!options.json);
  auto support = chosen(options);
  support.progress = [&](std::size_t done, std::size_t all) { bar.update(done, all); };
  const auto rows = make_support(all_families(), pool, support);
  if (options.json) return print_json(support_json(rows));
  print(options.markdown ? support_markdown(rows) : table_of(rows));
}

} // namespace

void add_support(CLI::App& app, Session&) {
  auto* command =
      add_command(app, "support", "What of every family emits, compiles and is verified, per target and LLVM",
                  "twinir support\n"
                  "twinir support --target gfx1250 --only gemm\n"
                  "twinir support --no-verify               without running the host executor\n"
                  "twinir support --markdown > docs/support.md");
  auto options = std::make_shared<Options>();
  command->add_option("--flavor", options->flavors, "LLVMs, with commas between (every installed one)");
  command->add_option("--target", options->targets, "GPUs, with commas between (all)");
  command->add_option("--only", options->only, "families whose name contains this text");
  command->add_option("--jobs,-j", options->jobs, "threads (one per core)")->check(CLI::Range(1, 1024));
  command->add_flag("--no-verify", options->no_verify, "leave the host executor out");
  auto* json = command->add_flag("--json", options->json, "print JSON");
  command->add_flag("--markdown", options->markdown, "print docs/support.md")->excludes(json);
  command->callback([options] { run(*options); });
}

} // namespace twinir::tools
