// SPDX-License-Identifier: MIT
// The batched GEMM: M = V * transposed U for every bin, in float64.
#include "instances/family.hpp"
#include "instances/gemm/gemm_launch.hpp"
#include "runtime/verify/launch.hpp"

#include <cmath>
#include <limits>

namespace twinir {
namespace {

/// Two bins of one whole tile and one that is not, over three steps.
gemm::GemmProblem problem_of(const gemm::GemmSpec& spec) {
  auto p = gemm::GemmProblem::packed(2, spec.block_t + 3, spec.block_n - 3, 2 * spec.k_step + 8, spec.in);
  p.out = spec.out;
  return p;
}

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

/// The sum and the sum of absolute products of one element.
std::pair<double, double> dot(const double* v, const double* u, std::int64_t c) {
  double sum = 0, absolute = 0;
  for (std::int64_t i = 0; i < c; ++i) sum += v[i] * u[i], absolute += std::abs(v[i] * u[i]);
  return {sum, absolute};
}

} // namespace

Verification verify_gemm(const VerifySubject& subject) {
  const auto spec = parse_spec<gemm::GemmSpec>(subject.spec, "gemm");
  const auto p = problem_of(spec);
  const auto out_type = p.out.type().scalar;
  VerifyLaunch run(subject);
  const auto v = run.input("v", p.in.type().scalar, small_values(index(p.bins * p.t * p.ldv), 0.125));
  const auto u = run.input("u", p.in.type().scalar, small_values(index(p.bins * p.k * p.ldu) + 5, 0.25));
  run.output("m", out_type, index(p.bins * p.t * p.ldm));
  const auto launch = gemm::launch(spec, p, find_target(subject.kernel.target));
  run.run(launch.args, launch.grid);
  const auto m = run.read("m");
  Verification out{0, 2e-6 + rounding_error(out_type)}; // of the sum of absolute products
  for (std::int64_t row = 0; row < p.bins * p.t; ++row)
    for (std::int64_t n = 0; n < p.ldm; ++n) {
      const auto at = index(row * p.ldm + n);
      if (n >= p.k) {
        if (!run.is_poison("m", at)) out.error = std::numeric_limits<double>::infinity();
        continue;
      }
      const auto [sum, absolute] = dot(&v[index(row * p.ldv)], &u[index((row / p.t * p.k + n) * p.ldu)], p.c);
      out.error = worse(out.error, m[at], sum, std::max(absolute, 1e-3));
    }
  return out;
}

} // namespace twinir
