// SPDX-License-Identifier: MIT
// What plugins report, as plain structures.
#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace twinir {

struct PluginInfo {
  std::string llvm;    ///< "22.1.8"; of a development snapshot with its package: "24.0.0 (24~++2026...)"
  std::string flavor;  ///< "llvm22"
  std::string from;    ///< the folder of the LLVM, for a flavor with a name of its own; else empty
  bool links = false;  ///< was it built with lld?
  bool remote = false; ///< does it run in workers behind a loader?
  std::vector<std::pair<std::string, bool>> targets; ///< name, and whether this LLVM generates code for it

  [[nodiscard]] bool knows(std::string_view target) const;
};

/// An argument of a kernel in its kernarg segment; offsets and sizes in bytes.
struct ArgReport {
  std::uint64_t offset = 0, size = 0;
  std::string kind; ///< "global_buffer", "by_value", "hidden_..."
  friend bool operator==(const ArgReport&, const ArgReport&) = default;
};

struct KernelReport {
  std::string name;
  std::uint64_t vgprs = 0, agprs = 0, sgprs = 0, vgpr_spills = 0, sgpr_spills = 0;
  std::uint64_t scratch_bytes = 0, lds_bytes = 0, kernarg_bytes = 0;
  std::uint64_t wave = 0, max_items = 0;
  std::uint64_t code_bytes = 0, instructions = 0;  ///< of the kernel itself, without padding
  std::uint64_t flat = 0, scratch = 0, matrix = 0; ///< flat_*, scratch_*, v_wmma* and v_mfma* instructions
  std::vector<ArgReport> args;
  friend bool operator==(const KernelReport&, const KernelReport&) = default;
};

struct CodeObjectReport {
  std::string arch; ///< "gfx1250"
  unsigned abi = 0;
  std::uint32_t e_flags = 0;
  std::uint64_t bytes = 0;
  std::vector<KernelReport> kernels;
  std::string json; ///< the report as JSON, without times
};

/// Milliseconds; 0 for a stage that did not run.
struct StageTimes {
  double parse = 0, optimise = 0, codegen = 0, link = 0, inspect = 0, free = 0, total = 0;
  /// What LLVM and lld themselves took: all but the inspection of the code object.
  [[nodiscard]] double llvm() const { return parse + optimise + codegen + link + free; }
};

[[nodiscard]] PluginInfo parse_plugin_info(std::string_view json);
/// What parse_plugin_info reads.
[[nodiscard]] std::string plugin_info_json(const PluginInfo& info);
[[nodiscard]] CodeObjectReport parse_code_object_report(std::string_view json);
/// "ms" of the report of a compile.
[[nodiscard]] StageTimes parse_stage_times(std::string_view json);
/// What parse_stage_times reads, as the value of "ms".
[[nodiscard]] nlohmann::ordered_json stage_times_json(const StageTimes& ms);
/// "reprints" of the report of a compile; false where it is not there.
[[nodiscard]] bool parse_reprints(std::string_view json);

} // namespace twinir
