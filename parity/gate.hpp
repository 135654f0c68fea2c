// SPDX-License-Identifier: MIT
// The gate: every case through both emitters on every flavor, against the goldens and LLVM itself.
#pragma once
// Guarantees: fails closed. Nothing to compare is gate_no_cases (TIR6001), nothing but refusals
// gate_all_refused (TIR6002); what was not run is reported as not run; one broken shard, case or worker does
// not stop the others.
#include "emit/parallel.hpp"
#include "parity/case.hpp"
#include "parity/verdict.hpp"

namespace twinir {

struct GateOptions {
  std::string only;        ///< part of an id; empty: every case
  unsigned jobs = 0;       ///< threads; 0: one per core
  bool reprint = true;     ///< the text re-parses and re-prints to itself
  bool codegen = true;     ///< compile and link
  bool keep_texts = false; ///< in the results
  bool require_both = false;
  bool golden = true; ///< hold results against what was recorded
  Progress progress;
};

/// What a run works with.
struct GateParts {
  const std::vector<Family>& families;
  std::vector<Case> cases; ///< all of them; options.only selects
  std::vector<FlavorInfo> flavors;
  const Golden& golden;
  Engine& cpp;
  Engine& python;
  Judge& judge;
};

[[nodiscard]] GateReport run_gate(const GateParts& parts, const GateOptions& options);

/// The two answers for one kernel as a verdict; `kernel` serves to name the statement of a difference.
void compare_emissions(CaseResult& result, const Emission& cpp, const Emission& python,
                       const KernelDef& kernel);

/// Is this how an emitter says that a kernel cannot be emitted (and not that it failed)?
[[nodiscard]] bool is_refusal(Code code);

} // namespace twinir
