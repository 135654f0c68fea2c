// SPDX-License-Identifier: MIT
// The cases of the gate: every registered family, its specs, on every target of the gate.
#pragma once
// Guarantees: sorted by id; one id is one spec. Refuses nothing: a case that cannot be named keeps its fault.
#include "instances/family.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace twinir {

struct Frozen;

/// One spec of one family on one target.
struct Case {
  std::string id; ///< "<target>/<kernel name>"; for a spec to be refused "<target>/<family>!<spec>"
  std::string family;
  std::string target;
  Json spec;
  bool to_be_refused = false;      ///< before any emitter
  std::optional<Diagnostic> fault; ///< why it has no kernel name, or that it shares it
  std::shared_ptr<const Frozen> frozen = {}; ///< the kernel itself, of no family (parity/frozen.hpp)
};

/// What a case gives both emitters.
struct Built {
  std::optional<KernelDef> kernel;
  std::string json;                  ///< of the kernel
  std::optional<Diagnostic> refusal; ///< when the spec was refused
};

/// Targets whose text is compared and recorded.
[[nodiscard]] std::span<const std::string_view> gate_targets();

/// Every family's cases on these targets; a family that has nothing for a target has none there.
[[nodiscard]] std::vector<Case> make_cases(const std::vector<Family>& families,
                                           std::span<const std::string_view> targets = gate_targets());
/// Those whose id contains `only`.
[[nodiscard]] std::vector<Case> select_cases(std::vector<Case> cases, const std::string& only);

/// Builds the kernel of a case; UserError becomes `refusal`.
[[nodiscard]] Built build_case(const Case& c, const std::vector<Family>& families);

} // namespace twinir
