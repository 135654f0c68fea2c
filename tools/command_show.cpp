// SPDX-License-Identifier: MIT
// `twinir show`: a kernel as text for people, kernel JSON, LLVM IR or assembly.
#include "dsl/json.hpp"
#include "dsl/pretty.hpp"
#include "emit/compile_pool.hpp"
#include "emit/plugins.hpp"
#include "parity/flavors.hpp"
#include "tools/commands.hpp"
#include "tools/kernel_input.hpp"
#include "tools/output.hpp"

namespace twinir::tools {
namespace {

struct Options {
  KernelInput input;
  std::string flavor;
  bool text = false, json = false, ir = false, assembly = false;
};

const FlavorInfo& chosen(const std::vector<FlavorInfo>& found, const Options& options,
                         const std::string& target) {
  if (options.flavor.empty()) return newest_flavor(found, target);
  (void)plugin_of(options.flavor); // throws when it is not there
  return *std::ranges::find(found, options.flavor, &FlavorInfo::name);
}

std::string assembly(const KernelDef& kernel, const std::string& flavor, const std::string& text) {
  CompilePool pool({1, {}, {}, {}});
  return pool.compile({flavor, kernel.name, text, {kernel.target, 3, Output::assembly}}).bytes;
}

void run(const Options& options) {
  const auto kernel = options.input.kernel();
  if (options.json) return print(write_json(kernel));
  if (!options.ir && !options.assembly) return print(pretty(kernel));
  const auto found = find_flavors(find_places());
  const auto& flavor = chosen(found, options, kernel.target);
  const auto text = plugin_of(flavor.name).emit(write_json(kernel));
  print(options.ir ? text : assembly(kernel, flavor.name, text));
}

} // namespace

void add_show(CLI::App& app, Session&) {
  auto* command =
      add_command(app, "show", "Shows a kernel: for reading, as JSON, LLVM IR or assembly",
                  "twinir show saxpy                                for reading\n"
                  "twinir show saxpy --spec dtype=f16 block=128     another spec\n"
                  "twinir show saxpy --json > saxpy.json            the kernel JSON that both emitters read\n"
                  "twinir show saxpy.json --ir --flavor llvm19      its LLVM IR\n"
                  "twinir show saxpy --asm                          its ISA");
  auto options = std::make_shared<Options>();
  options->input.add_to(*command, "a family (twinir list), or a file with kernel JSON");
  command->add_option("--flavor", options->flavor,
                      "LLVM for --ir and --asm (the newest that knows the target)");
  auto* forms = command->add_option_group("form", "what is shown");
  forms->add_flag("--text", options->text, "for reading (the default)");
  forms->add_flag("--json", options->json, "kernel JSON");
  forms->add_flag("--ir", options->ir, "LLVM IR");
  forms->add_flag("--asm", options->assembly, "assembly");
  forms->require_option(0, 1);
  command->callback([options] { run(*options); });
}

} // namespace twinir::tools
