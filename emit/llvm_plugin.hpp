// SPDX-License-Identifier: MIT
// LlvmPlugin: one LLVM, loaded at run time.
#pragma once
// Guarantees: links no LLVM; several plugins live in one process; every call may come from any thread. A
// plugin stays loaded until the process ends. Errors of a plugin arrive as UserError with the plugin's code.
// What LLVM itself does not survive ends the process: callers that must live compile in a worker process. A
// plugin with a file .loader beside it (an LLVM that needs another C library) runs in worker processes which
// that command starts; its answers are the same, and what LLVM does not survive is UserError llvm_crashed.
//
//   for (const auto& file : twinir::LlvmPlugin::discover())
//     std::cout << file.flavor << ": " << twinir::LlvmPlugin::open(file.path).info().llvm << '\n';
#include "emit/plugin_reports.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace twinir {

/// A plugin on disk.
struct PluginFile {
  int major = 0;                   ///< 22; 0 for a build under a name of its own
  std::string path;                ///< of twinir-llvm-22.so
  std::string flavor;              ///< "llvm22", "rocm"
  std::vector<std::string> loader; ///< the command that starts programs for it; empty: none is needed
  friend bool operator==(const PluginFile&, const PluginFile&) = default;
};

/// What a compile is to give back.
enum class Output : std::uint8_t { code_object, object, assembly, optimised_ir };

struct CompileOptions {
  std::string target;     ///< "gfx1250"; must be the text's own target-cpu
  unsigned opt_level = 3; ///< 0 to 3
  Output output = Output::code_object;
  bool reprint = false; ///< also find out whether the text re-prints to itself
  bool counts = true; ///< of a code object: count its instructions by disassembling; 0 in the report when not
};

struct Compiled {
  std::string bytes;
  CodeObjectReport report; ///< filled in for a code object only
  StageTimes ms;
  bool reprints = false; ///< the text re-prints to itself; false as well when that was not asked
};

class PluginCalls;

/// 22 of "llvm22"; 0 for a flavor with a name of its own.
[[nodiscard]] int flavor_major(std::string_view flavor);

class LlvmPlugin {
public:
  /// The plugins in the folder TWINIR_PLUGIN_DIR when it is set, else in ../lib/twinir beside the program:
  /// builds with a name of their own, then by version.
  [[nodiscard]] static std::vector<PluginFile> discover();
  /// Throws UserError toolchain_missing when the file is no plugin of this version of TwinIR.
  [[nodiscard]] static LlvmPlugin open(const std::string& path);
  /// Loads it into this process whether it has a loader or not: for the workers that the loader started.
  [[nodiscard]] static LlvmPlugin open_here(const std::string& path);
  /// The discovered plugin of a flavor ("llvm22"); throws UserError toolchain_missing with the flavors that
  /// were found.
  [[nodiscard]] static LlvmPlugin of_flavor(std::string_view flavor);

  [[nodiscard]] const PluginInfo& info() const;
  /// Kernel JSON to IR text.
  [[nodiscard]] std::string emit(std::string_view kernel_json) const;
  /// Parses, verifies and prints IR text again.
  [[nodiscard]] std::string reprint(std::string_view ir) const;
  [[nodiscard]] Compiled compile(std::string_view ir, const CompileOptions& options) const;
  /// Reads a code object; any bytes are safe.
  [[nodiscard]] CodeObjectReport inspect(std::string_view bytes) const;
  /// The flavor data file (emit/flavors/README.md).
  [[nodiscard]] std::string record() const;
  /// Lines of float literals, for tests.
  void literals(const std::function<void(std::string_view)>& sink) const;

private:
  explicit LlvmPlugin(std::shared_ptr<const PluginCalls> calls);
  std::shared_ptr<const PluginCalls> calls_;
};

} // namespace twinir
