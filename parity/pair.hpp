// SPDX-License-Identifier: MIT
// A prototype and its port: are they the same kernel, and the same text on every flavor?
#pragma once
// Guarantees: equal only if the kernel JSON and every text of every emitter are equal byte by byte, and the
// emitters agree; an emitter that does not work is a problem and never equality.
#include "parity/difference.hpp"
#include "parity/engine.hpp"

namespace twinir {

/// One flavor: both kernels by every emitter that is there.
struct PairFlavor {
  FlavorInfo flavor;
  std::string sha256, code;             ///< of the port's text, or of its refusal
  std::optional<Difference> difference; ///< the prototype's text against the port's
  std::vector<Diagnostic> problems;
  [[nodiscard]] bool good() const { return !difference && problems.empty(); }
};

struct PairReport {
  std::string prototype, port;      ///< SHA-256 of the kernel JSON
  std::optional<Difference> kernel; ///< in readable form, or in JSON where that does not show it
  std::vector<PairFlavor> flavors;
  [[nodiscard]] bool good() const;
};

/// UserError gate_no_cases without flavors.
[[nodiscard]] PairReport compare_pair(const KernelDef& prototype, const KernelDef& port,
                                      const std::vector<FlavorInfo>& flavors, Engine& cpp, Engine& python);

} // namespace twinir
