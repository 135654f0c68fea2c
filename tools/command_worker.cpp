// SPDX-License-Identifier: MIT
// `twinir worker`: the process in which LLVM may crash. Hidden: only TwinIR itself starts it.
#include "emit/worker.hpp"
#include "tools/commands.hpp"

#include <map>

namespace twinir::tools {
namespace {

const std::map<std::string, WorkerFault> faults{{"abort", WorkerFault::abort},
                                                {"exit", WorkerFault::exit},
                                                {"hang", WorkerFault::hang},
                                                {"segv", WorkerFault::segv}};

struct Options {
  std::string flavor, plugin, fault;
};

} // namespace

void add_worker(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand("worker", "Serves compile requests on standard input")->group("");
  auto options = std::make_shared<Options>();
  command->add_option("--flavor", options->flavor, "the LLVM it serves")->required();
  command->add_option("--plugin", options->plugin, "the plugin to load into this process (the flavor's)");
  command
      ->add_option("--crash-for-test", options->fault,
                   "fails at the first request: abort, exit, hang or segv")
      ->check(CLI::IsMember({"abort", "exit", "hang", "segv"}));
  command->callback([options, &session] {
    session.status = serve_worker({options->flavor, options->plugin},
                                  options->fault.empty() ? WorkerFault::none : faults.at(options->fault));
  });
}

} // namespace twinir::tools
