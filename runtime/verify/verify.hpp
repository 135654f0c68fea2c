// SPDX-License-Identifier: MIT
// Verifies one spec of a family: its emitted text on the host executor, against plain float64 arithmetic.
#pragma once
// Guarantees: memory starts as poison and the executor checks every access; a fault it finds, and memory that
// was touched and should not be, are failures. A family takes part with one line in verifiers.def and its
// function.
#include "dsl/kernel_def.hpp"
#include "instances/spec.hpp"
#include "runtime/host_executor.hpp"

#include <optional>
#include <string>

namespace twinir {

/// What a family's check gets.
struct VerifySubject {
  const KernelDef& kernel;
  const Json& spec; ///< with every field
  const host::Kernel& loaded;
  const HostExecutor& executor;
};

/// How far the numbers are from the reference; infinity for NaN and for memory that should not have changed.
struct Verification {
  double error = 0, tolerance = 0;                               ///< relative to what the family's check says
  [[nodiscard]] bool good() const { return error <= tolerance; } // not for NaN
};

/// Whether the family has a check.
[[nodiscard]] bool has_verifier(const std::string& family);

/// Loads the text in checked mode and runs the family's check; empty when it has none. Throws UserError for a
/// fault that the executor finds or a text that it cannot run.
[[nodiscard]] std::optional<Verification> verify(const std::string& family, const Json& spec,
                                                 const KernelDef& kernel, const std::string& text,
                                                 const HostExecutor& executor);

} // namespace twinir
