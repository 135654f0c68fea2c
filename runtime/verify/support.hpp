// SPDX-License-Identifier: MIT
// The support matrix: what of every family emits, compiles and gives right numbers, for each target and
// flavor.
#pragma once
// Guarantees: made from the registry, from what was tried; what was not tried says so. The specs are those
// that the gate expects to be accepted. Refuses an empty list of flavors (toolchain_missing).
#include "emit/compile_pool.hpp"
#include "emit/parallel.hpp"
#include "instances/family.hpp"
#include "runtime/verify/verify.hpp"

#include <optional>
#include <string>
#include <vector>

namespace twinir {

/// How many of the specs did something, or why nothing was tried.
struct SupportCount {
  enum class State : std::uint8_t { tried, unknown_target, no_linker, no_check, no_executor, not_run };
  State state = State::not_run;
  std::size_t good = 0, all = 0;
  friend bool operator==(const SupportCount&, const SupportCount&) = default;
};
/// "3 of 3", "-" when there was nothing to try, "target unknown", "no check", "not run".
[[nodiscard]] std::string to_string(const SupportCount& count);

/// One family on one target with one flavor.
struct SupportRow {
  std::string family, target, flavor;
  SupportCount emits;                ///< of the specs
  SupportCount compiles;             ///< of those that emit: a code object without spills
  SupportCount verified;             ///< of those that emit: right numbers on the host executor
  std::string executor;              ///< the LLVM whose executor ran the texts; empty when none did
  std::optional<Diagnostic> problem; ///< the first of the first spec that has one
};

struct SupportOptions {
  std::vector<std::string> flavors, targets;
  std::string only; ///< part of a family's name
  bool compile = true, verify = true;
  unsigned jobs = 0;
  Progress progress;
};

/// By family, target and flavor; families without specs for a target have no row there.
[[nodiscard]] std::vector<SupportRow> make_support(const std::vector<Family>& families, CompilePool& pool,
                                                   const SupportOptions& options);

/// The executor of a flavor. Throws UserError toolchain_missing.
[[nodiscard]] const HostExecutor& executor_for(const std::string& flavor);
/// Executors exist for LLVM 22 and newer.
[[nodiscard]] bool has_executor(const std::string& flavor);

} // namespace twinir
