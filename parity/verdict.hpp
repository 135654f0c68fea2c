// SPDX-License-Identifier: MIT
// What the gate says about one case on one flavor, and about a whole run.
#pragma once
#include "parity/difference.hpp"
#include "parity/engine.hpp"
#include "parity/resources.hpp"
#include "parity/shard.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace twinir {

/// The two emitters.
enum class Verdict {
  identical,    ///< the same bytes
  mismatch,     ///< different bytes
  both_refused, ///< the same code (and words, where the contract gives them)
  asymmetric,   ///< one refused, or they refused differently
  error,        ///< an emitter did not work, or a case is wrong
  not_run,      ///< the Python emitter only, because there is no plugin of its LLVM
};

/// The result and what was recorded.
enum class GoldenVerdict {
  match,
  drift,             ///< recorded otherwise, with this toolchain
  new_case,          ///< not in its shard
  gone,              ///< in a shard, but no case any more
  unrecorded,        ///< no shard that can be used
  toolchain_differs, ///< recorded otherwise, with another toolchain
  not_checked,       ///< there is no result
  not_asked,         ///< there is a result, and it was not to be held against what was recorded
};

enum class Check { passed, failed, not_run };

[[nodiscard]] std::string_view to_string(Verdict verdict);
[[nodiscard]] std::string_view to_string(GoldenVerdict verdict);
[[nodiscard]] std::string_view to_string(Check check);
[[nodiscard]] bool is_good(Verdict verdict);
[[nodiscard]] bool is_good(GoldenVerdict verdict);

/// One case on one flavor.
struct CaseResult {
  std::string id, family;
  Verdict verdict = Verdict::error;
  GoldenVerdict golden = GoldenVerdict::not_checked;
  std::string sha256;   ///< of the text, when there is one that counts
  std::string code;     ///< of the refusal, when it was refused
  std::string recorded; ///< what the shard says, when that differs
  std::optional<Difference> difference;
  Check reprint = Check::not_run, codegen = Check::not_run;
  nlohmann::ordered_json compiled; ///< of the compile: registers, bytes
  double llvm_ms = 0;              ///< of the compile: what LLVM's own stages took
  ResourceVerdict resources = ResourceVerdict::not_checked;
  std::vector<std::string> resource_changes; ///< "vgprs 30 -> 31"
  std::vector<Diagnostic> problems;
  std::string text;      ///< kept when asked for
  std::string cpp_text;  ///< of the C++ emitter, where it differs; kept when asked for
  bool compared = false; ///< both emitters answered, and the answers were held against each other

  [[nodiscard]] bool good() const;
};

/// What comparing the two emitters came to. Specs that are refused before any emitter are not compared.
struct Differential {
  std::size_t compared = 0;
  std::size_t identical = 0; ///< texts, byte by byte
  std::size_t refused = 0;   ///< by both emitters alike

  Differential& operator+=(const Differential& other);
};

/// Fills in `golden` (and `recorded`) from the shard that should have the case; `llvm` is the toolchain of
/// the run.
void judge_golden(CaseResult& result, const LoadedShard& loaded, const std::string& llvm);

/// Fills in `resources` from what was recorded; `llvm` is the toolchain of the run.
void judge_resources(CaseResult& result, const LoadedResources& loaded, const std::string& llvm);

/// One flavor of a run.
struct FlavorReport {
  FlavorInfo flavor;
  std::vector<std::string> recorded_with; ///< other LLVM versions in its shards
  std::vector<CaseResult> results;        ///< by id; gone ones last
  std::vector<Diagnostic> problems;       ///< shards that cannot be used

  /// Without faults, and with both emitters compared at least once where both are there.
  [[nodiscard]] bool good() const;
  [[nodiscard]] Differential differential() const;
  /// Are its texts checked by more than the Python emitter: by the C++ emitter, or by a reader?
  [[nodiscard]] bool checked() const;
  [[nodiscard]] std::size_t count(Verdict verdict) const;
  [[nodiscard]] std::size_t count(GoldenVerdict verdict) const;
  [[nodiscard]] std::size_t count(ResourceVerdict verdict) const;
};

struct GateReport {
  std::vector<FlavorReport> flavors;
  std::size_t cases = 0;
  double seconds = 0;
  unsigned jobs = 1; ///< threads it ran on
  bool require_both = false;

  [[nodiscard]] bool good() const;
  [[nodiscard]] Differential differential() const;
  /// What LLVM's own stages took for the compiled cases, on all threads together.
  [[nodiscard]] double llvm_seconds() const;
  /// 0 GREEN, 1 RED, 3 when the only fault is an LLVM that is not installed: under require_both where a flavor is not
  /// checked, or where no two emitters were compared and not every flavor was read.
  [[nodiscard]] int exit_status() const;
};

} // namespace twinir
