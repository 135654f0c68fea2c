// SPDX-License-Identifier: MIT
// `twinir emit`: the LLVM IR of a kernel by either emitter.
#include "dsl/json.hpp"
#include "emit/plugins.hpp"
#include "parity/case.hpp"
#include "parity/cpp_engine.hpp"
#include "parity/flavors.hpp"
#include "parity/gate.hpp"
#include "parity/python_engine.hpp"
#include "tools/commands.hpp"
#include "tools/kernel_input.hpp"
#include "tools/output.hpp"

namespace twinir::tools {
namespace {

struct Options {
  KernelInput input;
  std::string flavor, engine = "cpp", out, only;
  bool list = false, json = false;
};

void list_cases(const Options& options) {
  Json json = {{"schema", "twinir-cases-1"}, {"cases", Json::array()}};
  for (const auto& c : select_cases(make_cases(all_families()), options.only)) {
    json["cases"].push_back({{"id", c.id},
                             {"family", c.family},
                             {"target", c.target},
                             {"spec", c.spec},
                             {"to_be_refused", c.to_be_refused}});
    if (!options.json) print(c.id + "\n");
  }
  if (options.json) print_json(json);
}

/// The flavor asked for; one that is not installed serves the Python emitter alone.
FlavorInfo chosen(const Options& options, const std::string& target) {
  const auto found = find_flavors(find_places());
  if (options.flavor.empty()) return newest_flavor(found, target);
  const auto it = std::ranges::find(found, options.flavor, &FlavorInfo::name);
  if (it == found.end() || (!it->installed && options.engine != "python"))
    (void)plugin_of(options.flavor); // throws
  return *it;
}

std::string text_of(const Emission& emission) {
  if (emission.refusal) throw UserError(*emission.refusal);
  return emission.text;
}

/// The text when both agree; otherwise the difference goes to standard error.
std::string compared(const KernelDef& kernel, const Emission& cpp, const Emission& python, Session& session) {
  CaseResult r;
  compare_emissions(r, cpp, python, kernel);
  if (r.verdict == Verdict::identical) return cpp.text;
  if (r.verdict == Verdict::both_refused) throw UserError(*cpp.refusal);
  note(coloured(Colour::red, std::string(to_string(r.verdict)), stderr) + " " + kernel.name);
  if (r.difference) note(render(*r.difference, "C++", "Python"));
  for (const auto& p : r.problems) note(p.text());
  session.status = different;
  return {};
}

void run(const Options& options, Session& session) {
  if (options.list) return list_cases(options);
  if (options.input.input.empty())
    throw UserError({Code::bad_usage,
                     "no kernel",
                     "a family or a file with kernel JSON",
                     "name one (twinir list), or use --list-cases",
                     {}});
  const auto kernel = options.input.kernel();
  const auto json = write_json(kernel);
  const auto flavor = chosen(options, kernel.target);
  Emission cpp, python;
  if (options.engine != "python") cpp = CppEngine().emit(json, flavor);
  if (options.engine != "cpp") python = PythonEngine(find_places().python).emit(json, flavor);
  const auto text = options.engine == "cpp"      ? text_of(cpp)
                    : options.engine == "python" ? text_of(python)
                                                 : compared(kernel, cpp, python, session);
  if (session.status == good) write_output(options.out, text);
}

} // namespace

void add_emit(CLI::App& app, Session& session) {
  auto* command =
      add_command(app, "emit", "Emits a kernel as LLVM IR",
                  "twinir emit saxpy --flavor llvm22                      by the C++ emitter\n"
                  "twinir emit saxpy --engine both -o saxpy.ll            by both; they must agree\n"
                  "twinir emit saxpy.json --engine python --flavor llvm19\n"
                  "twinir emit --list-cases --only saxpy                  ids of the gate");
  auto options = std::make_shared<Options>();
  options->input.add_to(*command, "a family (twinir list), or a file with kernel JSON");
  command->get_option("kernel")->required(false);
  command->add_option("--flavor", options->flavor,
                      "LLVM to emit for (the newest installed that knows the target)");
  command->add_option("--engine", options->engine, "cpp, python or both (cpp)")
      ->check(CLI::IsMember({"cpp", "python", "both"}));
  command->add_option("-o,--output", options->out, "file to write (standard output)");
  command->add_flag("--list-cases", options->list, "list the gate's cases instead");
  command->add_option("--only", options->only, "with --list-cases: part of an id");
  command->add_flag("--json", options->json, "with --list-cases: print JSON");
  command->callback([options, &session] { run(*options, session); });
}

} // namespace twinir::tools
