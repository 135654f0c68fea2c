// SPDX-License-Identifier: MIT
#include "runtime/plan.hpp"

#include "instances/family.hpp"

#include <algorithm>

namespace twinir {
namespace {

using Pointers = std::map<std::string, PlanPointer>;

constexpr std::int64_t element_bytes = 2;  // of x and y
constexpr std::int64_t exponent_bytes = 4; // of te and fe
constexpr std::int64_t maximum_bytes = 2;  // of pm

/// Images [first, first + problem.n) of the batch.
struct Part {
  conv::ConvProblem problem;
  std::int64_t first = 0;
};

std::int64_t part_count(const conv::ConvProblem& p, winograd::Tile tile, const WinogradOptions& o) {
  const auto fit = winograd::images_at_once(p, tile, o.layout, o.workspace_limit);
  const auto least = (p.n + fit - 1) / fit;
  const auto parts = o.batch_split.value_or(least);
  (void)conv::part_size(p, parts); // refuses what is no split at all
  if (parts < least)
    throw UserError({Code::bad_split,
                     "a batch split of " + std::to_string(parts),
                     std::to_string(least) + " parts or more, for these workspaces",
                     "leave the split out, or use more parts",
                     {}});
  return parts;
}

/// Parts whose sizes differ by one image at most, the larger ones first.
std::vector<Part> split(const conv::ConvProblem& p, std::int64_t parts) {
  std::vector<Part> out;
  std::int64_t first = 0;
  for (std::int64_t i = 0; i < parts; ++i) {
    out.push_back({p, first});
    out.back().problem.n = p.n / parts + (i < p.n % parts);
    first += out.back().problem.n;
  }
  return out;
}

gemm::GemmProblem gemm_problem(const conv::ConvProblem& p, winograd::Tile tile, const winograd::Geometry& g,
                               const winograd::StageSpecs& s) {
  gemm::GemmProblem out;
  out.in = s.filter.storage, out.out = s.layout.m;
  out.bins = p.groups * tile.bins(), out.t = g.tiles, out.k = g.k, out.c = g.c;
  const auto v = s.filter.storage.bytes(), m = s.layout.m.bytes();
  out.ldv = g.v.row / v, out.stride_v = g.v.bin / v;
  out.ldu = g.u.row / v, out.stride_u = g.u.bin / v;
  out.ldm = g.m.row / m, out.stride_m = g.m.bin / m;
  return out;
}

class WinogradPlanner {
public:
  WinogradPlanner(const conv::ConvProblem& p, winograd::Tile tile, const Target& target,
                  const WinogradOptions& options)
      : problem_(p), tile_(tile), target_(target), options_(options) {
    if (!options_.specs) return;
    winograd::check_together(*options_.specs, tile_);
    options_.layout = options_.specs->layout;
  }

  Plan plan() {
    conv::check(problem_);
    const auto parts = split(problem_, part_count(problem_, tile_, options_));
    const auto& largest = parts.front().problem;
    specs_ = options_.specs ? *options_.specs
                            : winograd::default_specs(largest, tile_, options_.layout, options_.prescale);
    plan_ = {problem_,
             "winograd " + tile_.name(),
             std::string(target_.name),
             {},
             {},
             static_cast<std::int64_t>(parts.size())};
    add_buffers(largest);
    add("K1", "filter transform", "winograd_filter", specs_.filter,
        winograd::launch(specs_.filter, largest, specs_.layout),
        {{"f", {"f"}}, {"u", {"u"}}, {"fe", {"fe"}}});
    for (const auto& part : parts) add_part(part);
    return std::move(plan_);
  }

private:
  void add_buffers(const conv::ConvProblem& largest) {
    using Role = PlanBuffer::Role;
    const auto g = winograd::geometry(largest, tile_, options_.layout);
    const auto& p = problem_;
    plan_.buffers = {{"x", p.input_elements() * element_bytes, Role::input},
                     {"f", g.filter_bytes, Role::filter},
                     {"y", p.output_elements() * element_bytes, Role::output},
                     {"u", g.u.bytes, Role::workspace},
                     {"v", g.v.bytes, Role::workspace},
                     {"m", g.m.bytes, Role::workspace}};
    if (specs_.filter.scale) plan_.buffers.push_back({"fe", p.k * exponent_bytes, Role::workspace});
    if (specs_.prescale != winograd::Prescale::none)
      plan_.buffers.push_back({"te", p.groups * g.tiles * exponent_bytes, Role::workspace});
    if (specs_.maxima)
      plan_.buffers.push_back({"pm", p.groups * largest.n * p.h * p.w * maximum_bytes, Role::workspace});
  }

  void add_part(const Part& part) {
    const auto& p = part.problem;
    const PlanPointer x{"x", part.first * p.h * p.w * p.c * element_bytes},
        y{"y", part.first * p.out_h() * p.out_w() * p.k * element_bytes};
    if (specs_.maxima) {
      add("K2a", "pixel maxima", "winograd_maxima", *specs_.maxima,
          winograd::launch(*specs_.maxima, p, specs_.layout), {{"x", x}, {"pm", {"pm"}}});
      add("K2b", "tile exponents", "winograd_exponents", *specs_.exponents,
          winograd::launch(*specs_.exponents, p, specs_.layout), {{"pm", {"pm"}}, {"te", {"te"}}});
    }
    add_input(p, x);
    const auto g = winograd::geometry(p, tile_, options_.layout);
    const auto product = gemm_problem(p, tile_, g, specs_);
    const auto multiply = options_.gemm ? *options_.gemm : gemm::default_spec(product, target_);
    add("K3", "batched GEMM", "gemm", multiply, gemm::launch(multiply, product, target_),
        {{"v", {"v"}}, {"u", {"u"}}, {"m", {"m"}}});
    add("K4", "output transform", "winograd_output", specs_.output,
        winograd::launch(specs_.output, p, specs_.layout),
        {{"m", {"m"}}, {"y", y}, {"te", {"te"}}, {"fe", {"fe"}}});
  }

  void add_input(const conv::ConvProblem& p, const PlanPointer& x) {
    const Pointers pointers{{"x", x}, {"v", {"v"}}, {"te", {"te"}}};
    std::visit(
        [&](const auto& spec) {
          const bool lds = std::is_same_v<std::decay_t<decltype(spec)>, winograd::InputLdsSpec>;
          add("K2", "input transform", lds ? "winograd_input_lds" : "winograd_input", spec,
              winograd::launch(spec, p, specs_.layout), pointers);
        },
        specs_.input);
  }

  /// Pointers to buffers that the plan does not have are left out: the stage takes none of them.
  template <class Spec>
  void add(std::string id, std::string what, std::string family, const Spec& spec, Launch launch,
           Pointers pointers) {
    std::erase_if(pointers, [&](const auto& pointer) {
      return std::ranges::find(plan_.buffers, pointer.second.buffer, &PlanBuffer::name) ==
             plan_.buffers.end();
    });
    PlanStep step{std::move(id),     std::move(what),    family, spec_json(spec), spec_name(family, spec),
                  std::move(launch), std::move(pointers)};
    find_family(step.family).validate(step.spec, target_).raise(); // what the target lacks is said here
    plan_.steps.push_back(std::move(step));
  }

  conv::ConvProblem problem_;
  winograd::Tile tile_;
  const Target& target_;
  WinogradOptions options_;
  winograd::StageSpecs specs_;
  Plan plan_;
};

} // namespace

std::int64_t Plan::workspace_bytes() const {
  std::int64_t sum = 0;
  for (const auto& b : buffers)
    if (b.role == PlanBuffer::Role::workspace) sum += b.bytes;
  return sum;
}

Plan plan_winograd(const conv::ConvProblem& p, winograd::Tile tile, const Target& target,
                   const WinogradOptions& options) {
  return WinogradPlanner(p, tile, target, options).plan();
}

} // namespace twinir
