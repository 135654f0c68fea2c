// SPDX-License-Identifier: MIT
// Which specs are compared by the gate, which are built ahead of time, and which one serves a problem.
#pragma once
// Guarantees: what default_specs() gives is in aot_specs() of gfx1250, for every problem that geometry()
// accepts (tests/unit/winograd_specs.cpp tries it).
#include "instances/family.hpp"
#include "instances/winograd/specs.hpp"

#include <optional>
#include <variant>

namespace twinir::winograd {

// One specialisation per spec.
template <class Spec> [[nodiscard]] GateSpecs gate_specs(const Target& target);
template <class Spec> [[nodiscard]] std::vector<Json> aot_specs(const Target& target);

/// The stages that serve a problem; maxima and exponents only with Prescale::split.
struct StageSpecs {
  Layout layout;
  Prescale prescale;
  FilterSpec filter;
  std::optional<MaximaSpec> maxima;
  std::optional<ExponentsSpec> exponents;
  std::variant<InputSpec, InputLdsSpec> input;
  OutputSpec output;
};

/// Refuses stages that do not belong together (spec_refused): other tiles, exponents that nobody finds, reads
/// or undoes, workspaces of two types.
void check_together(const StageSpecs& specs, Tile tile);

/// The register path for f2x2 and for fused exponents of wide problems, LDS else. `prescale`: empty takes
/// what the types need: none for f16 with M in f32, else fused where a group's channels fit one pass, and
/// split where they do not. Throws what geometry() throws.
[[nodiscard]] StageSpecs default_specs(const conv::ConvProblem& problem, Tile tile, const Layout& layout = {},
                                       std::optional<Prescale> prescale = {});

} // namespace twinir::winograd
