// SPDX-License-Identifier: MIT
// Registration of the stages.
#include "instances/family.hpp"
#include "instances/winograd/grid.hpp"
#include "instances/winograd/specs.hpp"

namespace twinir::winograd {
namespace {

/// The fields of a layout.
struct LayoutFields {
  Layout layout;

  void reflect(Fields& f) {
    f("v", layout.v, "outermost index of V");
    f("m", layout.m, "element type of M");
  }
};

Layout parse_layout(const Json& json, const Layout& usual) {
  LayoutFields fields{usual};
  auto list = fields_of(fields);
  from_json(list, json, "layout");
  return fields.layout;
}

template <class Spec> Layout usual_layout(const Spec&) { return {}; }
Layout usual_layout(const OutputSpec& s) { return {VLayout::bin_major, s.m}; } // the kernel knows M

template <class Spec> using Build = KernelDef (*)(const Spec&, const Target&, const KernelIdentity&);

template <class Spec> Family stage(const char* name, const char* summary, Build<Spec> build) {
  FamilyParts<Spec> parts{name, summary, {}, build, gate_specs<Spec>, aot_specs<Spec>, {}};
  parts.check = [](const Spec& s, const Target& t, Refusals& out) { check(s, t, out); };
  parts.launch = [](const Spec& s, const conv::ConvProblem& p, const Json& layout) {
    return launch(s, p, parse_layout(layout, usual_layout(s)));
  };
  return make_family<Spec>(std::move(parts));
}

} // namespace

Family filter_family() {
  return stage<FilterSpec>("winograd_filter", "K1: filter transform U = G g GT", build_filter);
}
Family maxima_family() {
  return stage<MaximaSpec>("winograd_maxima", "K2a: largest magnitude of every pixel", build_maxima);
}
Family exponents_family() {
  return stage<ExponentsSpec>("winograd_exponents", "K2b: exponent of every tile", build_exponents);
}
Family input_family() {
  return stage<InputSpec>("winograd_input", "K2: input transform V = BT d B, register path", build_input);
}
Family input_lds_family() {
  return stage<InputLdsSpec>("winograd_input_lds", "K2: input transform V = BT d B, LDS path",
                             build_input_lds);
}
Family output_family() {
  return stage<OutputSpec>("winograd_output", "K4: output transform Y = AT M A", build_output);
}

} // namespace twinir::winograd
