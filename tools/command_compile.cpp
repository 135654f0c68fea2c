// SPDX-License-Identifier: MIT
// `twinir compile`: kernels or IR text to code objects, with what they need.
#include "dsl/json.hpp"
#include "emit/compile_pool.hpp"
#include "emit/files.hpp"
#include "emit/plugins.hpp"
#include "parity/flavors.hpp"
#include "tools/commands.hpp"
#include "tools/kernel_input.hpp"
#include "tools/resources.hpp"

#include <map>
#include <optional>
#include <regex>

namespace twinir::tools {
namespace {

struct Options {
  KernelInput input;
  std::string flavors, out, form = "code-object";
  unsigned opt_level = 3;
  bool json = false;
};

const std::map<std::string, Output> forms{{"assembly", Output::assembly},
                                          {"code-object", Output::code_object},
                                          {"ir", Output::optimised_ir},
                                          {"object", Output::object}};

/// What is to be compiled: a text, or a kernel that gives one for every flavor.
struct Subject {
  std::optional<KernelDef> kernel;
  std::string text, name, target;

  [[nodiscard]] std::string text_for(const std::string& flavor) const {
    return kernel ? plugin_of(flavor).emit(write_json(*kernel)) : text;
  }
};

std::string first_match(const std::string& text, const char* pattern) {
  std::smatch match;
  return std::regex_search(text, match, std::regex(pattern)) ? match[1].str() : std::string();
}

Subject read_text(const KernelInput& input) {
  if (!input.spec.empty())
    throw UserError({Code::bad_usage, "--spec with IR text", "a family", "leave --spec out", {}});
  Subject s;
  s.text = read_file(input.input);
  s.name = first_match(s.text, "define [^\\n]*@\"?([A-Za-z_][A-Za-z0-9_.]*)");
  s.target = input.target.empty() ? first_match(s.text, "\"target-cpu\"=\"([a-z0-9-]+)\"") : input.target;
  if (s.target.empty())
    throw UserError({Code::bad_usage, "a text without target-cpu", "a target", "give --target", {}});
  return s;
}

Subject read_subject(const KernelInput& input) {
  if (input.input.ends_with(".ll")) return read_text(input);
  Subject s;
  s.kernel = input.kernel();
  s.name = s.kernel->name, s.target = s.kernel->target;
  return s;
}

/// Those asked for; else, for a kernel, every installed one that knows the target, and for a text the newest.
std::vector<FlavorInfo> chosen(const std::vector<FlavorInfo>& found, const Options& options,
                               const Subject& subject) {
  if (!options.flavors.empty()) return choose_flavors(found, split_list(options.flavors));
  const auto& newest = newest_flavor(found, subject.target);
  if (!subject.kernel || !options.out.empty()) return {newest};
  std::vector<FlavorInfo> out;
  for (const auto& f : found)
    if (f.installed && f.links && f.compiles.contains(subject.target)) out.push_back(f);
  return out;
}

Json describe(const FlavorInfo& flavor, const Compiled& reply) {
  Json out = {{"flavor", flavor.name},
              {"llvm", flavor.llvm},
              {"report", reply.report.json.empty() ? Json::object() : Json::parse(reply.report.json)}};
  out["ms"] = stage_times_json(reply.ms);
  out["bytes"] = reply.bytes.size();
  out["sha256"] = sha256(reply.bytes);
  return out;
}

void print_table(const Json& results) {
  auto columns = resource_columns();
  columns.insert(columns.begin(), {"flavor", "LLVM"});
  Table table(columns);
  for (const auto& r : results)
    for (const auto& k : r["report"].value("kernels", Json::array())) {
      auto cells = resource_cells(k);
      cells.insert(cells.begin(), {r["flavor"].get<std::string>(), r["llvm"].get<std::string>()});
      table.add(std::move(cells));
    }
  if (!table.empty()) print(table.text());
}

void run(const Options& options) {
  const auto subject = read_subject(options.input);
  const auto found = find_flavors(find_places());
  const auto flavors = chosen(found, options, subject);
  if (flavors.size() > 1 && !options.out.empty())
    throw UserError({Code::bad_usage,
                     "-o with " + std::to_string(flavors.size()) + " flavors",
                     "one flavor for one file",
                     "name one with --flavor",
                     {}});
  CompilePool pool({1, {}, {}, {}});
  Json results = Json::array();
  std::string bytes;
  for (const auto& f : flavors) {
    auto reply = pool.compile({f.name,
                               subject.name,
                               subject.text_for(f.name),
                               {subject.target, options.opt_level, forms.at(options.form)}});
    results.push_back(describe(f, reply));
    bytes = std::move(reply.bytes);
  }
  if (!options.out.empty()) write_output(options.out, bytes);
  if (options.out == "-") return;
  if (options.json)
    print_json({{"schema", "twinir-compile-1"},
                {"kernel", subject.name},
                {"target", subject.target},
                {"results", results}});
  else
    print_table(results);
}

} // namespace

void add_compile(CLI::App& app, Session&) {
  auto* command =
      add_command(app, "compile", "Compiles a kernel or IR text, and shows registers, spills and LDS",
                  "twinir compile saxpy                              for every flavor that knows the target\n"
                  "twinir compile saxpy --spec dtype=f16 -o saxpy.hsaco\n"
                  "twinir compile saxpy.ll --flavor llvm22 -o saxpy.hsaco\n"
                  "twinir compile saxpy --form assembly -o saxpy.s\n"
                  "twinir compile saxpy --json");
  auto options = std::make_shared<Options>();
  options->input.add_to(*command, "a family (twinir list), a file with kernel JSON, or IR text (.ll)");
  command->add_option("--flavor", options->flavors, "LLVMs, with commas between");
  command->add_option("-o,--output", options->out,
                      "file to write; - for standard output (then nothing else is printed)");
  command->add_option("--form", options->form, "code-object, object, assembly or ir (code-object)")
      ->check(CLI::IsMember({"code-object", "object", "assembly", "ir"}));
  command->add_option("-O,--opt", options->opt_level, "optimisation level (3)")->check(CLI::Range(0u, 3u));
  command->add_flag("--json", options->json, "print JSON");
  command->callback([options] { run(*options); });
}

} // namespace twinir::tools
