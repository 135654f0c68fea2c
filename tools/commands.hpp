// SPDX-License-Identifier: MIT
// One function per command, which adds it to the command line.
#pragma once
// A command runs in its callback and leaves its exit status in `status`; what it throws is rendered by main.
#include <CLI/CLI.hpp>

namespace twinir::tools {

/// Where the commands leave their exit status.
struct Session {
  int status = 0;
};

void add_list(CLI::App& app, Session& session);
void add_show(CLI::App& app, Session& session);
void add_emit(CLI::App& app, Session& session);
void add_compile(CLI::App& app, Session& session);
void add_inspect(CLI::App& app, Session& session);
void add_gate(CLI::App& app, Session& session);
void add_golden(CLI::App& app, Session& session);
void add_parity(CLI::App& app, Session& session);
void add_flavor(CLI::App& app, Session& session);
void add_aot(CLI::App& app, Session& session);
void add_support(CLI::App& app, Session& session);
void add_doctor(CLI::App& app, Session& session);
void add_explain(CLI::App& app, Session& session);
void add_version(CLI::App& app, Session& session);
void add_worker(CLI::App& app, Session& session);
#ifdef TWINIR_HAS_CONV
void add_conv(CLI::App& app, Session& session);
#endif

/// A subcommand with its examples below its help.
[[nodiscard]] CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& summary,
                                    const std::string& examples);

} // namespace twinir::tools
