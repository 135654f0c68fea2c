// SPDX-License-Identifier: MIT
// `twinir flavor record`: what an installed LLVM decides about the text, as a data file.
#include "emit/files.hpp"
#include "emit/plugins.hpp"
#include "parity/flavors.hpp"
#include "tools/commands.hpp"
#include "tools/kernel_input.hpp"
#include "tools/output.hpp"

#include <algorithm>

namespace twinir::tools {
namespace {

struct Options {
  std::string llvm, name, out;
  bool check = false;
};

/// The named build; UserError toolchain_missing when its plugin is of another LLVM than the one in `folder`.
std::vector<std::string> named(const std::string& name, const std::string& folder) {
  const auto installed = installed_flavors();
  const auto from = std::ranges::find(installed, name) == installed.end() ? "" : plugin_of(name).info().from;
  std::error_code error;
  if (!from.empty() && (folder.empty() || std::filesystem::equivalent(folder, from, error))) return {name};
  const auto given = folder.empty() ? "DIR" : folder;
  throw UserError({Code::toolchain_missing,
                   from.empty() ? "no plugin for a build named '" + name.substr(0, 60) + "'"
                                : "a plugin '" + name + "' that was built for " + from,
                   "a plugin that was built for " + given,
                   "configure with -DTWINIR_LLVM_EXTRA=\"" + name.substr(0, 60) + "=" + given +
                       "\" and build it (docs/flavors.md)",
                   {}});
}

std::vector<std::string> wanted(const Options& options) {
  if (!options.name.empty()) return named(options.name, options.llvm);
  if (options.llvm.empty()) return default_flavors();
  std::vector<std::string> out;
  for (const auto& name : split_list(options.llvm))
    out.push_back(name.find_first_not_of("0123456789") == std::string::npos ? "llvm" + name : name);
  return out;
}

/// How what LLVM says now compares with a file; a newer snapshot of LLVM may well say something else.
std::string difference(const std::string& text, const std::string& recorded) {
  const auto now = Json::parse(text), then = Json::parse(recorded, nullptr, false);
  const auto llvm = then.is_object() ? then.value("llvm", std::string()) : std::string();
  if (llvm.empty() || llvm == now["llvm"]) return "differs from the file";
  return "differs from the file, which is of " + llvm;
}

/// Compares with the file there is; false when it differs or is missing.
bool check_file(const std::string& flavor, const std::string& text, const std::filesystem::path& file) {
  std::error_code error;
  const bool exists = std::filesystem::exists(file, error);
  const auto recorded = exists ? read_file(file) : std::string();
  const auto verdict = !exists            ? "not recorded"
                       : recorded == text ? "as recorded"
                                          : difference(text, recorded);
  print(flavor + " (" + plugin_of(flavor).info().llvm + "): " + verdict + "\n");
  return exists && recorded == text;
}

void run(const Options& options, Session& session) {
  const auto flavors = wanted(options);
  if (flavors.empty())
    throw UserError({Code::toolchain_missing,
                     "no LLVM plugin",
                     "one of llvm19 to llvm24",
                     "install llvm-22-dev and build TwinIR again",
                     {}});
  if (!options.out.empty() && flavors.size() != 1)
    throw UserError({Code::bad_usage,
                     "-o with " + std::to_string(flavors.size()) + " flavors",
                     "one",
                     "name it with --llvm",
                     {}});
  for (const auto& flavor : flavors) {
    const auto text = plugin_of(flavor).record();
    const auto file = find_places().flavors / (flavor + ".json");
    if (options.check) {
      if (!check_file(flavor, text, file)) session.status = different;
    } else if (!options.out.empty()) {
      write_output(options.out, text);
    } else {
      write_file(file, text);
      note("wrote " + file.string());
    }
  }
}

} // namespace

void add_flavor(CLI::App& app, Session& session) {
  auto* command = add_command(app, "flavor", "Records flavor data files",
                              "twinir flavor record --llvm 22\ntwinir flavor record --check");
  command->require_subcommand(1);
  auto* recording = add_command(
      *command, "record", "Asks an installed LLVM what it decides about the text, and writes it down",
      "twinir flavor record --llvm 22            writes the flavor file\n"
      "twinir flavor record --llvm 22 -o -       to standard output\n"
      "twinir flavor record --check              compares every installed LLVM with its file\n"
      "twinir flavor record --name rocm --llvm /opt/rocm/llvm    a build under a name of its own");
  auto options = std::make_shared<Options>();
  recording->add_option("--llvm", options->llvm,
                        "majors, with commas between (all but builds under a name of their own that have no file yet); "
                        "with --name, the build's folder");
  recording->add_option("--name", options->name, "the flavor of a build of TWINIR_LLVM_EXTRA");
  recording->add_option("-o,--output", options->out, "file to write; - for standard output");
  recording->add_flag("--check", options->check, "compare only");
  recording->callback([options, &session] { run(*options, session); });
}

} // namespace twinir::tools
