// SPDX-License-Identifier: MIT
#include "runtime/plan.hpp"

#include "instances/family.hpp"
#include "instances/gemm/gemm_launch.hpp"
#include "instances/winograd/specs.hpp"

namespace twinir {
namespace {

// Four channels an item: few registers, 8-byte loads (instances/winograd/README.md).
constexpr int preferred_vector = 4;

template <class Spec> PlanStep step(std::string id, std::string what, std::string family, const Spec& spec, Launch launch, std::map<std::string, std::string> buffers) {
  return {std::move(id), std::move(what), family, spec_json(spec), spec_name(family, spec), std::move(launch), std::move(buffers)};
}

template <class Spec> Spec transform(const conv::ConvProblem& p, winograd::Tile tile, std::int64_t channels) {
  Spec spec;
  spec.tile = tile, spec.dtype = p.dtype, spec.vec = winograd::widest_vector(channels, preferred_vector);
  return spec;
}

gemm::GemmProblem gemm_problem(const conv::ConvProblem& p, winograd::Tile tile, const winograd::Geometry& g) {
  gemm::GemmProblem out;
  out.in = p.dtype;
  out.bins = tile.bins(), out.t = g.tiles, out.k = p.k, out.c = p.c;
  out.ldv = out.ldu = g.cp, out.ldm = g.kp;
  out.stride_v = out.t * out.ldv, out.stride_u = out.k * out.ldu, out.stride_m = out.t * out.ldm;
  return out;
}

} // namespace

std::int64_t Plan::workspace_bytes() const {
  std::int64_t sum = 0;
  for (const auto& b : buffers)
    if (b.role == PlanBuffer::Role::workspace) sum += b.bytes;
  return sum;
}

Plan plan_winograd(const conv::ConvProblem& p, winograd::Tile tile, const Target& target) {
  using Role = PlanBuffer::Role;
  const auto g = winograd::geometry(p, tile);
  Plan plan{p, "winograd " + tile.name(), std::string(target.name), {}, {}};
  plan.buffers = {{"x", g.input_bytes, Role::input}, {"f", g.filter_bytes, Role::filter}, {"y", g.output_bytes, Role::output},
                  {"u", g.u_bytes, Role::workspace}, {"v", g.v_bytes, Role::workspace}, {"m", g.m_bytes, Role::workspace}};
  const auto filter = transform<winograd::FilterSpec>(p, tile, p.c);
  const auto input = transform<winograd::InputSpec>(p, tile, p.c);
  const auto output = transform<winograd::OutputSpec>(p, tile, p.k);
  const auto product = gemm_problem(p, tile, g);
  const auto multiply = gemm::default_spec(product, target);
  plan.steps.push_back(step("K1", "filter transform", "winograd_filter", filter, launch(filter, p), {{"f", "f"}, {"u", "u"}}));
  plan.steps.push_back(step("K2", "input transform", "winograd_input", input, launch(input, p), {{"x", "x"}, {"v", "v"}}));
  plan.steps.push_back(step("K3", "batched GEMM", "gemm", multiply, gemm::launch(multiply, product, target), {{"v", "v"}, {"u", "u"}, {"m", "m"}}));
  plan.steps.push_back(step("K4", "output transform", "winograd_output", output, launch(output, p), {{"m", "m"}, {"y", "y"}}));
  for (const auto& s : plan.steps) find_family(s.family).validate(s.spec, target).raise(); // what the target lacks is said here
  return plan;
}

} // namespace twinir
