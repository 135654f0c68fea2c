// SPDX-License-Identifier: MIT
// `twinir flavor record`: what an installed LLVM decides about the text, as a data file.
#include "emit/files.hpp"
#include "emit/plugins.hpp"
#include "parity/flavors.hpp"
#include "tools/commands.hpp"
#include "tools/kernel_input.hpp"
#include "tools/output.hpp"

namespace twinir::tools {
namespace {

struct Options {
  std::string llvm, out;
  bool check = false;
};

std::vector<std::string> wanted(const Options& options) {
  if (options.llvm.empty()) return installed_flavors();
  std::vector<std::string> out;
  for (const auto& name : split_list(options.llvm))
    out.push_back(name.starts_with("llvm") ? name : "llvm" + name);
  return out;
}

/// Compares with the file there is; false when it differs or is missing.
bool check_file(const std::string& flavor, const std::string& text, const std::filesystem::path& file) {
  std::error_code error;
  const bool exists = std::filesystem::exists(file, error);
  const bool same = exists && read_file(file) == text;
  print(flavor + " (" + plugin_of(flavor).info().llvm + "): " +
        (same     ? "as recorded"
         : exists ? "differs from the file"
                  : "not recorded") +
        "\n");
  return same;
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
      "twinir flavor record --check              compares every installed LLVM with its file");
  auto options = std::make_shared<Options>();
  recording->add_option("--llvm", options->llvm, "majors, with commas between (every installed one)");
  recording->add_option("-o,--output", options->out, "file to write; - for standard output");
  recording->add_flag("--check", options->check, "compare only");
  recording->callback([options, &session] { run(*options, session); });
}

} // namespace twinir::tools
