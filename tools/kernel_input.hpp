// SPDX-License-Identifier: MIT
// A kernel named on the command line: a family with its spec, or a file with kernel JSON.
#pragma once
#include "dsl/kernel_def.hpp"
#include "instances/spec.hpp"

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace twinir::tools {

/// The options that several commands share.
struct KernelInput {
  std::string input;             ///< "saxpy", or a path with '/' or ".json"
  std::vector<std::string> spec; ///< JSON objects and key=value, later ones win
  std::string target;            ///< empty: gfx1250 for a family, its own for a file

  void add_to(CLI::App& command, const std::string& what);
  [[nodiscard]] bool is_file() const;
  /// Reads or builds it; UserError.
  [[nodiscard]] KernelDef kernel() const;
};

/// {"block":64,"dtype":"f16"} from {"block=64", "{\"dtype\":\"f16\"}"}; UserError bad_usage.
[[nodiscard]] Json parse_spec_arguments(const std::vector<std::string>& arguments);

/// The words of "llvm19,llvm22"; UserError bad_usage for an empty one.
[[nodiscard]] std::vector<std::string> split_list(const std::string& text);

/// What stands in front of the data when a command writes to a file: "-" and "" are standard output.
void write_output(const std::string& path, std::string_view bytes);

} // namespace twinir::tools
