// SPDX-License-Identifier: MIT
// The program `twinir`.
#include "tools/commands.hpp"
#include "tools/output.hpp"

#include <iostream>

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
  add_flavor(app, session);
  add_aot(app, session);
#ifdef TWINIR_HAS_CONV
  add_conv(app, session);
#endif
  add_doctor(app, session);
  add_explain(app, session);
  add_version(app, session);
  add_worker(app, session);
}

int parse(CLI::App& app, Session& session, int argc, char** argv) {
  try {
    app.parse(argc, argv);
    return session.status;
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e, std::cout, std::cerr);
    print_error(UserError({Code::bad_usage,
                           e.what(),
                           "a command that twinir knows",
                           "see twinir --help, or twinir <command> --help",
                           {}}));
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
