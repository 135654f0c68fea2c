// SPDX-License-Identifier: MIT
// The program `twinir`.
#include "tools/commands.hpp"
#include "tools/output.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iostream>
#include <span>

namespace twinir::tools {

CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& summary,
                      const std::string& examples) {
  auto* command = app.add_subcommand(name, summary);
  command->footer("Examples:\n  " + [&] {
    std::string text = examples;
    for (std::size_t i = 0; (i = text.find('\n', i)) != std::string::npos; i += 3) text.insert(i + 1, "  ");
    return text;
  }());
  return command;
}

namespace {

constexpr const char* footer =
    "Examples:\n"
    "  twinir list                                 what there is\n"
    "  twinir show saxpy --spec dtype=f16          a kernel, for reading\n"
    "  twinir emit saxpy --flavor llvm22           its LLVM IR\n"
    "  twinir compile saxpy -o saxpy.hsaco         its code object, with registers and spills\n"
    "  twinir gate                                 both emitters, goldens, LLVM\n"
    "  twinir aot sweep                            every binary: registers, spills, LDS, waves\n"
    "  twinir doctor                               what this machine can do\n"
    "Exit status: 0 good, 1 a difference or a refused input, 2 wrong usage, 3 a toolchain is missing,\n"
    "4 the gate had nothing to compare.";

void add_commands(CLI::App& app, Session& session) {
  add_list(app, session);
  add_show(app, session);
  add_emit(app, session);
  add_compile(app, session);
  add_inspect(app, session);
  add_gate(app, session);
  add_golden(app, session);
  add_parity(app, session);
  add_flavor(app, session);
  add_aot(app, session);
#ifdef TWINIR_HAS_CONV
  add_conv(app, session);
#endif
  add_support(app, session);
  add_doctor(app, session);
  add_explain(app, session);
  add_version(app, session);
  add_worker(app, session);
}

/// The commands of a command that a user may give; the worker's is hidden, groups of options have no name.
std::vector<const CLI::App*> subcommands_of(const CLI::App& app) {
  return app.get_subcommands(
      [](const CLI::App* c) { return !c->get_name().empty() && !c->get_group().empty(); });
}

std::string names_of(const std::vector<const CLI::App*>& commands) {
  std::vector<std::string> names;
  for (const auto* c : commands) names.push_back(c->get_name());
  std::ranges::sort(names);
  return fmt::format("one of {}", fmt::join(names, ", "));
}

/// What is wrong with the command line: a command that there is not, or what CLI11 says.
UserError usage_error(const CLI::App& app, const std::string& said, std::span<char*> words) {
  const auto* at = &app;
  for (const std::string word : words) {
    const auto known = subcommands_of(*at);
    if (known.empty() || word.starts_with("-")) break;
    const auto it = std::ranges::find(known, word, &CLI::App::get_name);
    if (it == known.end())
      return UserError({Code::bad_usage,
                        "command '" + word.substr(0, 60) + "'",
                        names_of(known),
                        "see " + app.get_name() + " --help",
                        {}});
    at = *it;
  }
  const auto known = subcommands_of(*at);
  return UserError({Code::bad_usage,
                    said,
                    known.empty() ? "a command that twinir knows" : names_of(known),
                    "see twinir --help, or twinir <command> --help",
                    {}});
}

int parse(CLI::App& app, Session& session, int argc, char** argv) {
  try {
    app.parse(argc, argv);
    return session.status;
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e, std::cout, std::cerr);
    print_error(usage_error(app, e.what(), {argv + 1, argv + std::max(argc, 1)}));
    return usage;
  }
}

/// What was printed must have arrived.
int finish(int status) {
  std::cout.flush();
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return status;
  print_error(UserError({Code::bad_file,
                         "standard output that takes no more",
                         "one that can be written",
                         "make room, or write elsewhere",
                         {}}));
  return status == good ? different : status;
}

int run(int argc, char** argv) {
  try {
    CLI::App app("TwinIR: one kernel description, two independent emitters, the same bytes.", "twinir");
    app.footer(footer);
    app.require_subcommand(1);
    app.set_version_flag("--version", "twinir " TWINIR_VERSION);
    Session session;
    add_commands(app, session);
    return finish(parse(app, session, argc, argv));
  } catch (const UserError& e) {
    print_error(e);
    return exit_status(e);
  } catch (const std::exception& e) {
    print_error(
        UserError({Code::internal, e.what(), "no such error", "please report it with the command line", {}}));
    return different;
  }
}

} // namespace
} // namespace twinir::tools

int main(int argc, char** argv) { return twinir::tools::run(argc, argv); }
