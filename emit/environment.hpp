// SPDX-License-Identifier: MIT
// Every environment variable that TwinIR reads, and the places that follow from them.
#pragma once
// Guarantees: no other file asks the environment for a variable of TwinIR; an empty value counts as unset.
#include <chrono>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace twinir {

/// A variable for tables and help.
struct Variable {
  std::string_view name, help;
};
[[nodiscard]] std::span<const Variable> environment_variables();
/// The value of a variable of that table; InternalError for any other name.
[[nodiscard]] std::optional<std::string> environment(std::string_view name);

/// The program `twinir` itself: $TWINIR_EXECUTABLE (for programs that embed TwinIR), else bin/twinir beside the shared
/// library that holds this code where bin, lib and share are there (the Python package), else the running program.
[[nodiscard]] std::filesystem::path executable();
/// The program that serves as worker: $TWINIR_EXECUTABLE, else this one when it is `twinir` (also when its
/// file was replaced), else `twinir` beside it.
[[nodiscard]] std::filesystem::path worker_program();

/// Where the data files lie.
struct Places {
  std::filesystem::path flavors; ///< llvm22.json, ...
  std::filesystem::path python;  ///< the Python emitter with serve.py
  std::filesystem::path reader;  ///< the reader of texts with serve.py
  std::filesystem::path golden;  ///< llvm22/<family>.json
};
/// Under $TWINIR_SHARE_DIR, else in ../share/twinir beside the program's folder.
[[nodiscard]] Places find_places();

/// $TWINIR_PLUGIN_DIR, else ../lib/twinir beside the program's folder; UserError bad_environment.
[[nodiscard]] std::filesystem::path plugin_folder();

/// $XDG_STATE_HOME/twinir, else ~/.local/state/twinir.
[[nodiscard]] std::filesystem::path state_folder();
/// $TWINIR_REPRODUCER_DIR, else "reproducers" in the state folder.
[[nodiscard]] std::filesystem::path reproducer_folder();
/// $TWINIR_COMPILE_TIMEOUT in seconds, else two minutes; UserError bad_environment.
[[nodiscard]] std::chrono::seconds compile_timeout();

} // namespace twinir
