// SPDX-License-Identifier: MIT
// Frozen kernels: files of kernel JSON as cases of the gate, with their goldens beside them.
#pragma once
// NAME.json has NAME.golden.json, one flavor a line, sorted:
//   {"schema":"twinir-frozen-golden-1","case":"gfx1250/saxpy","kernel":"<sha256 of NAME.json>","flavors":{
//   "llvm20":{"llvm":"20.1.8","code":"TIR3001"},
//   "llvm22":{"llvm":"22.1.8","sha256":"<of the text>"}}}
// Guarantees: fails closed. A file that is no kernel, a golden that is not canonical or of another kernel
// file, and a golden without its kernel are errors of their case. Refuses with bad_file, bad_usage and
// gate_no_cases what does not say which kernels are meant.
#include "parity/case.hpp"
#include "parity/verdict.hpp"

#include <filesystem>

namespace twinir {

/// The family of their cases.
constexpr std::string_view frozen_family = "frozen";

/// What one flavor gave: its LLVM, and the SHA-256 of the text or the code of the refusal.
struct FrozenAnswer {
  std::string llvm, value;
  friend bool operator==(const FrozenAnswer&, const FrozenAnswer&) = default;
};

struct FrozenGolden {
  std::string id, kernel; ///< of the case; SHA-256 of the kernel's file
  std::map<std::string, FrozenAnswer> flavors;
  friend bool operator==(const FrozenGolden&, const FrozenGolden&) = default;
};
[[nodiscard]] std::string write_frozen_golden(const FrozenGolden& golden);
/// Throws UserError bad_shard, also for a golden of another kernel; `file` is for the message.
[[nodiscard]] FrozenGolden read_frozen_golden(std::string_view text, const std::string& id,
                                              const std::string& kernel, const std::filesystem::path& file);

/// A kernel of a file, and what was recorded for it; neither golden nor problem when nothing was.
struct Frozen {
  std::filesystem::path file;
  KernelDef kernel;
  std::string sha256; ///< of the file
  std::optional<FrozenGolden> golden;
  std::optional<Diagnostic> problem;
};
/// "a/k.golden.json" of "a/k.json"
[[nodiscard]] std::filesystem::path golden_of(const std::filesystem::path& kernel_file);
/// What was recorded for one flavor, as a shard.
[[nodiscard]] LoadedShard recorded_shard(const Frozen& frozen, const std::string& flavor);

/// The kernels of files, and of the *.json in folders: "<target>/<name>", or "frozen?<file>" with its fault.
/// UserError: bad_file for a file that cannot be read, bad_usage for two kernels of one name, gate_no_cases
/// for an empty folder.
[[nodiscard]] std::vector<Case> frozen_cases(const std::vector<std::string>& paths);

/// A golden before and after.
struct FrozenChange {
  std::filesystem::path file;
  FrozenGolden before, after; ///< before: empty when there was none that can be used
  [[nodiscard]] bool any() const { return !(before == after); }
};
/// What a run over frozen cases records. Flavors that did not run, and results that cannot be recorded, keep
/// what was recorded for the same kernel file.
[[nodiscard]] std::vector<FrozenChange> plan_frozen(const GateReport& report, const std::vector<Case>& cases);
void apply_frozen(const std::vector<FrozenChange>& changes);

} // namespace twinir
