// SPDX-License-Identifier: MIT
#include "emit/environment.hpp"

#include "dsl/error.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <dlfcn.h>
#include <unistd.h>

namespace twinir {
namespace {

constexpr std::array variables{
    Variable{"HOME", "your folder; the state folder is in it"},
    Variable{"NO_COLOR", "set: no colours"},
    Variable{"PATH", "where python3 and git are looked for"},
    Variable{"TERM", "\"dumb\": no progress bar and no colours"},
    Variable{"TWINIR_COMPILE_TIMEOUT", "seconds one kernel may take in LLVM (120)"},
    Variable{"TWINIR_EXECUTABLE",
             "the program twinir, for programs that embed TwinIR: it serves as the compile worker"},
    Variable{"TWINIR_PLUGIN_DIR", "folder of the LLVM plugins (../lib/twinir beside the program's folder)"},
    Variable{"TWINIR_PYTHON",
             "Python 3.9 or newer for the Python emitter (/usr/bin/python3, else python3 in PATH)"},
    Variable{"TWINIR_READER",
             "Python with llvmlite, which reads the texts of an LLVM that has no plugin (the emitter's Python)"},
    Variable{"TWINIR_REPRODUCER_DIR",
             "where the text of a kernel that crashed LLVM is kept (reproducers in the state folder)"},
    Variable{"TWINIR_SHARE_DIR",
             "folder with flavors, python, reader and golden (../share/twinir beside the program's folder)"},
    Variable{"XDG_STATE_HOME", "the state folder is twinir in it (~/.local/state)"},
};

} // namespace

std::span<const Variable> environment_variables() { return variables; }

std::optional<std::string> environment(std::string_view name) {
  if (std::ranges::find(variables, name, &Variable::name) == variables.end())
    throw InternalError("the variable " + std::string(name) + " is not in the table");
  const char* value = std::getenv(std::string(name).c_str());
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

namespace {
/// The folder with bin, lib and share beside the shared library that holds this code (the Python package); empty where
/// the code is part of a program.
std::filesystem::path library_home() {
  Dl_info info{};
  if (::dladdr(reinterpret_cast<const void*>(&environment_variables), &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code error;
  const auto folder = std::filesystem::absolute(info.dli_fname, error).parent_path();
  return std::filesystem::exists(folder / "share" / "twinir", error) ? folder : std::filesystem::path();
}
} // namespace

std::filesystem::path executable() {
  if (const auto given = environment("TWINIR_EXECUTABLE")) return *given;
  if (const auto home = library_home(); !home.empty()) return home / "bin" / "twinir";
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error)
    throw UserError({Code::bad_environment,
                     "no /proc/self/exe (" + error.message() + ")",
                     "the path of this program",
                     "set TWINIR_EXECUTABLE",
                     {}});
  return self;
}

std::filesystem::path worker_program() {
  if (const auto given = environment("TWINIR_EXECUTABLE")) return *given;
  const auto self = executable();
  if (!library_home().empty()) return self;
  const auto name = self.filename().string();
  // Not /proc/self: a loader that gets this as its argument would read that as itself.
  if (name == "twinir" || name == "twinir (deleted)") return "/proc/" + std::to_string(::getpid()) + "/exe";
  return self.parent_path() / "twinir";
}

Places find_places() {
  const auto given = environment("TWINIR_SHARE_DIR");
  const auto share =
      given ? std::filesystem::path(*given) : executable().parent_path().parent_path() / "share" / "twinir";
  return {share / "flavors", share / "python", share / "reader", share / "golden"};
}

std::filesystem::path plugin_folder() {
  const auto given = environment("TWINIR_PLUGIN_DIR");
  if (!given) return executable().parent_path().parent_path() / "lib" / "twinir";
  if (!std::filesystem::is_directory(*given))
    throw UserError({Code::bad_environment,
                     "TWINIR_PLUGIN_DIR=" + *given,
                     "a folder with twinir-llvm-<major>.so files",
                     "correct or unset it",
                     {}});
  return *given;
}

std::filesystem::path state_folder() {
  if (const auto state = environment("XDG_STATE_HOME")) return std::filesystem::path(*state) / "twinir";
  if (const auto home = environment("HOME"))
    return std::filesystem::path(*home) / ".local" / "state" / "twinir";
  throw UserError({Code::bad_environment,
                   "neither XDG_STATE_HOME nor HOME",
                   "a folder for state",
                   "set one of them",
                   {}});
}

std::filesystem::path reproducer_folder() {
  if (const auto given = environment("TWINIR_REPRODUCER_DIR")) return *given;
  return state_folder() / "reproducers";
}

std::chrono::seconds compile_timeout() {
  const auto given = environment("TWINIR_COMPILE_TIMEOUT");
  if (!given) return std::chrono::seconds(120);
  int seconds = 0;
  const auto [end, error] = std::from_chars(given->data(), given->data() + given->size(), seconds);
  if (error != std::errc{} || end != given->data() + given->size() || seconds < 1 || seconds > 86400)
    throw UserError({Code::bad_environment,
                     "TWINIR_COMPILE_TIMEOUT=" + given->substr(0, 60),
                     "1 to 86400 seconds",
                     "correct it, or unset it",
                     {}});
  return std::chrono::seconds(seconds);
}

} // namespace twinir
