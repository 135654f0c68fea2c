// SPDX-License-Identifier: MIT
// What tests of convolutions need: problems, data, and one runner that loads every kernel once.
#pragma once
#include "instances/conv/command.hpp"
#include "kernel_kit.hpp"
#include "runtime/accuracy.hpp"
#include "runtime/conv_run.hpp"

#include <cmath>

namespace kit {

using twinir::ConvData;
using twinir::conv::ConvProblem;
using twinir::winograd::Tile;

/// "n1 c8 h11 w13 k8 p1,1" in the flags of MIOpenDriver.
inline ConvProblem problem(const std::string& flags, twinir::DType dtype = twinir::f16) {
  return twinir::conv::parse_command((dtype.type() == twinir::bf16 ? "convbfp16 " : "convfp16 ") + flags)
      .problem;
}

inline twinir::StepCode emit_step(const twinir::PlanStep& step, const std::string& target) {
  auto kernel = twinir::find_family(step.family).build(step.spec, twinir::find_target(target));
  auto text = plugin().emit(twinir::write_json(kernel));
  return {std::move(kernel), std::move(text)};
}

/// Checked, on poisoned memory.
inline twinir::ConvRunner& runner() {
  static twinir::ConvRunner r(executor(), emit_step, {});
  return r;
}

inline twinir::Plan plan(const ConvProblem& p, Tile tile, const twinir::WinogradOptions& options = {}) {
  return twinir::plan_winograd(p, tile, twinir::find_target("gfx1250"), options);
}

struct Outcome {
  twinir::ConvRun run;
  twinir::ConvError error;
};
inline Outcome convolve(const ConvProblem& p, Tile tile, const ConvData& data,
                        const twinir::WinogradOptions& options = {}) {
  Outcome out{runner().run(plan(p, tile, options), data), {}};
  out.error = twinir::error_of(out.run, p, data);
  return out;
}

/// Elements times a factor, rounded.
inline void scale(twinir::DType type, std::vector<std::uint16_t>& elements, double factor) {
  for (auto& e : elements) e = twinir::encode(type, twinir::decode(type, e) * factor);
}

/// x[n,c,h,w] = ((7n+3c+5h+2w) mod 5) - 2 and w[k,c,r,s] = ((2k+c+3r+4s) mod 3) - 1, in our layouts.
struct Integers {
  std::vector<double> x, f;
  explicit Integers(const ConvProblem& p) {
    for (std::int64_t n = 0; n < p.n; ++n)
      for (std::int64_t h = 0; h < p.h; ++h)
        for (std::int64_t w = 0; w < p.w; ++w)
          for (std::int64_t c = 0; c < p.c; ++c)
            x.push_back(static_cast<double>((7 * n + 3 * c + 5 * h + 2 * w) % 5 - 2));
    for (std::int64_t k = 0; k < p.k; ++k)
      for (std::int64_t r = 0; r < p.y; ++r)
        for (std::int64_t s = 0; s < p.x; ++s)
          for (std::int64_t c = 0; c < p.c / p.groups; ++c)
            f.push_back(static_cast<double>((2 * k + c + 3 * r + 4 * s) % 3 - 1));
  }
  [[nodiscard]] ConvData data(twinir::DType type) const {
    ConvData d;
    for (double v : x) d.x.push_back(twinir::encode(type, v));
    for (double v : f) d.f.push_back(twinir::encode(type, v));
    return d;
  }
};

/// Of outputs in N C H W order: the sum, the sum of |y|, the sum of y_i * (i mod 97), the first and the last.
struct Sums {
  std::int64_t sum = 0, absolute = 0, weighted = 0, first = 0, last = 0;
};
inline Sums sums(const ConvProblem& p, const std::vector<double>& y) {
  Sums out;
  std::int64_t i = 0;
  for (std::int64_t n = 0; n < p.n; ++n)
    for (std::int64_t k = 0; k < p.k; ++k)
      for (std::int64_t h = 0; h < p.out_h(); ++h)
        for (std::int64_t w = 0; w < p.out_w(); ++w, ++i) {
          const auto v =
              std::llround(y[static_cast<std::size_t>(((n * p.out_h() + h) * p.out_w() + w) * p.k + k)]);
          out.sum += v, out.absolute += std::abs(v), out.weighted += v * (i % 97), out.last = v;
          if (i == 0) out.first = v;
        }
  return out;
}

} // namespace kit
