// SPDX-License-Identifier: MIT
// Registration of the transforms, and the refusals that their fields alone do not show.
#include "instances/family.hpp"
#include "instances/winograd/specs.hpp"

namespace twinir::winograd {
namespace {

void check(const TransformSpec& s, const Target& target, Refusals& out) {
  out.require(s.dtype.type() == f16, Code::unsupported_dtype, "dtype = " + s.dtype.name(), "f16", "use f16");
  out.require(s.block <= target.max_items && s.block % target.wave == 0, Code::spec_refused, "block = " + std::to_string(s.block),
              "a multiple of the wave of " + std::to_string(target.wave), "choose another block");
}

/// Tiles and vectors at the default block, and one at the largest.
std::vector<Json> gate_specs() {
  std::vector<Json> out;
  for (const char* tile : {"f2x2", "f4x4"})
    for (int vec : {1, 2, 4, 8}) out.push_back({{"tile", tile}, {"vec", vec}});
  out.push_back({{"tile", "f4x4"}, {"vec", 2}, {"block", 1024}});
  out.push_back({{"tile", "f2x2"}, {"vec", 4}, {"block", 64}});
  return out;
}
std::vector<Json> refused_specs() {
  return {{{"tile", "f3x3"}}, {{"vec", 3}}, {{"vec", 0}}, {{"block", 2048}}, {{"block", 33}}, {{"block", 0}}, {{"dtype", "f32"}}, {{"lanes", 4}}};
}

GateSpecs gate(const Target&) { return {gate_specs(), refused_specs()}; }

template <class Spec, class Build> Family transform(const char* name, const char* summary, Build build) {
  return make_family<Spec>({name, summary, check, build, gate});
}

} // namespace

Family filter_family() { return transform<FilterSpec>("winograd_filter", "K1: filter transform U = G g GT", build_filter); }
Family input_family() { return transform<InputSpec>("winograd_input", "K2: input transform V = BT d B, register path", build_input); }
Family output_family() { return transform<OutputSpec>("winograd_output", "K4: output transform Y = AT M A", build_output); }

} // namespace twinir::winograd
