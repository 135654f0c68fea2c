// SPDX-License-Identifier: MIT
// `twinir parity pair`: a Python prototype and its C++ port.
#include "dsl/json.hpp"
#include "emit/child_process.hpp"
#include "emit/diagnostic_json.hpp"
#include "emit/environment.hpp"
#include "parity/cpp_engine.hpp"
#include "parity/flavors.hpp"
#include "parity/gate.hpp"
#include "parity/pair.hpp"
#include "parity/python_engine.hpp"
#include "tools/commands.hpp"
#include "tools/kernel_input.hpp"
#include "tools/output.hpp"

#include <algorithm>

namespace twinir::tools {
namespace {
namespace fs = std::filesystem;

// Exit statuses of twinir/_freeze.py.
constexpr int freeze_usage = 2, freeze_no_package = 3;

struct Options {
  std::string prototype, port, flavors;
  bool json = false;
};

[[noreturn]] void refuse(Code code, const std::string& found, const std::string& expected,
                         const std::string& action) {
  throw UserError({code, found, expected, action, {}});
}

/// The package beside this program: in the tree that is built, or around bin where the package is installed.
/// Empty: where the interpreter finds it.
fs::path package_folder() {
  std::error_code error;
  const auto home = fs::weakly_canonical(executable(), error).parent_path().parent_path();
  for (const auto& folder : {home / "python" / "twinir", home})
    if (fs::exists(folder / "_freeze.py", error)) return folder;
  return {};
}

std::string last_line_of(const std::string& text) {
  const auto lines = split_lines(std::string_view(text));
  return lines.empty()
             ? "no message"
             : std::string(
                   lines[text.ends_with('\n') || lines.size() < 2 ? lines.size() - 1 : lines.size() - 2]);
}

/// Runs the prototype in Python; what it prints comes through on standard error.
KernelDef prototype_kernel(const std::string& prototype) {
  const auto python = environment("TWINIR_PYTHON").value_or("python3");
  const auto folder = package_folder();
  std::vector<std::string> command{python};
  if (folder.empty())
    command.insert(command.end(), {"-m", "twinir._freeze"});
  else
    command.push_back((folder / "_freeze.py").string());
  command.push_back(prototype);
  const auto run = run_command(command, std::chrono::minutes(10));
  if (run.status == 0) {
    if (!run.errors.empty()) note(run.errors.substr(0, run.errors.find_last_not_of('\n') + 1));
    return read_json(run.out);
  }
  const auto said = last_line_of(run.errors);
  if (run.status == freeze_usage)
    refuse(Code::bad_usage, said, "FILE.py:NAME, a kernel or a function without arguments that gives one",
           "correct it");
  if (run.status == freeze_no_package || run.status == 127 ||
      (folder.empty() && said.find("twinir._freeze") != std::string::npos))
    refuse(Code::toolchain_missing, "'" + python + "', which does not run the package twinir (" + said + ")",
           "a Python with numpy that the package was built for", "activate it, or set TWINIR_PYTHON");
  note(run.errors.substr(0, run.errors.find_last_not_of('\n') + 1));
  refuse(Code::engine_failed, prototype + ", which ended with " + said, "a kernel",
         "see the traceback above");
}

/// The spec of "FAMILY", "FAMILY/KERNEL NAME" or "FAMILY/{JSON}".
Json spec_of(const Family& family, const std::string& rest, const Target& target) {
  if (rest.empty()) return Json::object();
  if (rest.starts_with('{')) return parse_spec_arguments({rest});
  for (const auto& specs : {family.gate(target).accepted, family.aot_grid(target)})
    for (const auto& spec : specs)
      if (family.kernel_name(spec) == rest) return spec;
  refuse(Code::bad_usage,
         "no case '" + rest.substr(0, 100) + "' of " + family.name + " on " + std::string(target.name),
         "the name of one, or a spec as JSON",
         "see twinir emit --list-cases --only " + family.name + ", or write " + family.name +
             "/'{\"field\":value}'");
}

KernelDef port_kernel(const std::string& port, const Target& target) {
  const auto slash = port.find('/');
  const auto& family = find_family(port.substr(0, slash));
  return family.build(spec_of(family, slash == std::string::npos ? "" : port.substr(slash + 1), target),
                      target);
}

/// Every recorded flavor that the Python emitter has a file of, or those asked for.
std::vector<FlavorInfo> chosen(const std::string& names) {
  auto found = find_flavors(find_places());
  std::erase_if(found, [](const FlavorInfo& f) { return f.file.empty(); });
  if (names.empty()) return found;
  std::vector<FlavorInfo> out;
  for (const auto& name : split_list(names)) {
    const auto it = std::ranges::find(found, name, &FlavorInfo::name);
    if (it == found.end())
      refuse(Code::unknown_flavor, "flavor '" + name.substr(0, 60) + "'", "one with a flavor file",
             "see twinir doctor");
    out.push_back(*it);
  }
  return out;
}

std::string verdict(const PairFlavor& f) {
  return !f.problems.empty() ? "ERROR" : f.difference ? "DIFFERENT" : f.code.empty() ? "SAME" : "REFUSED";
}

Json difference_json(const Difference& d) {
  return {{"line", d.line},
          {"before", d.before},
          {"prototype", d.left},
          {"port", d.right},
          {"statement", d.statement}};
}

Json report_json(const PairReport& report, const KernelDef& port) {
  Json out = {
      {"schema", "twinir-pair-1"}, {"same", report.good()}, {"kernel", port.name}, {"target", port.target}};
  out["prototype_sha256"] = report.prototype, out["port_sha256"] = report.port;
  if (report.kernel) out["difference"] = difference_json(*report.kernel);
  out["flavors"] = Json::array();
  for (const auto& f : report.flavors) {
    Json one = {{"flavor", f.flavor.name},
                {"verdict", verdict(f)},
                {"emitters", f.flavor.installed ? Json::array({"C++", "Python"}) : Json::array({"Python"})}};
    if (!f.sha256.empty()) one["sha256"] = f.sha256;
    if (!f.code.empty()) one["code"] = f.code;
    if (f.difference) one["difference"] = difference_json(*f.difference);
    for (const auto& p : f.problems) one["problems"].push_back(diagnostic_json(p));
    out["flavors"].push_back(one);
  }
  return out;
}

/// The first difference of the kernels, and that of the texts on the first flavor that has one.
void print_differences(const PairReport& report) {
  if (report.kernel) print("the kernels: " + render(*report.kernel, "prototype", "port"));
  const auto first =
      std::ranges::find_if(report.flavors, [](const PairFlavor& f) { return f.difference.has_value(); });
  if (first != report.flavors.end())
    print("their IR on " + first->flavor.name + ": " + render(*first->difference, "prototype", "port"));
  for (const auto& f : report.flavors)
    for (const auto& p : f.problems) print(f.flavor.name + ": " + p.text() + "\n");
}

void print_report(const PairReport& report, const KernelDef& port) {
  print_differences(report);
  Table table({"", "verdict", "emitters", "SHA-256"});
  table.add({"kernel JSON", report.prototype == report.port ? "SAME" : "DIFFERENT", "", report.port});
  for (const auto& f : report.flavors)
    table.add({f.flavor.name, verdict(f), f.flavor.installed ? "C++, Python" : "Python",
               f.code.empty() ? f.sha256 : f.code});
  print(table.text());
  print(coloured(report.good() ? Colour::green : Colour::red,
                 std::string(report.good() ? "SAME: " : "DIFFERENT: ") + port.name + " on " + port.target +
                     ", prototype and port, " + std::to_string(report.flavors.size()) + " flavors",
                 stdout) +
        "\n");
}

void run(const Options& options, Session& session) {
  const auto flavors = chosen(options.flavors);
  const auto prototype = prototype_kernel(options.prototype);
  const auto port = port_kernel(options.port, find_target(prototype.target));
  CppEngine cpp;
  PythonEngine python(find_places().python);
  const auto report = compare_pair(prototype, port, flavors, cpp, python);
  if (!report.good()) session.status = different;
  if (options.json) return print_json(report_json(report, port));
  print_report(report, port);
}

} // namespace

void add_parity(CLI::App& app, Session& session) {
  auto* command =
      add_command(app, "parity", "Proves that a Python prototype and its C++ port are the same kernel",
                  "twinir parity pair my_kernel.py:build family/case");
  command->require_subcommand(1);
  auto* pair = add_command(
      *command, "pair", "Compares kernel JSON, and IR of every emitter on every flavor, byte by byte",
      "twinir parity pair f4.py:build winograd_input/winograd_input_f4x4_f16_vf16_none_v4_b256\n"
      "twinir parity pair f4.py:build winograd_input/'{\"vec\":1}' --flavor llvm22\n"
      "twinir parity pair saxpy.py:saxpy saxpy             the family's defaults\n"
      "Python is $TWINIR_PYTHON, else python3 in PATH; the package is the one beside this program, else "
      "Python's own.");
  auto options = std::make_shared<Options>();
  pair->add_option("prototype", options->prototype,
                   "FILE.py:NAME, a function without arguments that gives a kernel, or a kernel")
      ->required();
  pair->add_option("port", options->port,
                   "FAMILY, FAMILY/KERNEL NAME or FAMILY/{JSON}; the target is the prototype's")
      ->required();
  pair->add_option("--flavor", options->flavors, "LLVMs, with commas between (every one with a flavor file)");
  pair->add_flag("--json", options->json, "print JSON");
  pair->callback([options, &session] { run(*options, session); });
}

} // namespace twinir::tools
