// SPDX-License-Identifier: MIT
// What a convolution should give, in float64, and how far a result is from it.
#pragma once
// The products and sums are Eigen's (double precision GEMM over unrolled patches); tests compare it with the integer
// answers of small problems.
#include "instances/conv/problem.hpp"

#include <span>
#include <vector>

namespace twinir {

/// Direct convolution: x is N H W C, f is K Y X C/g, the result N Ho Wo K. Any filter, stride, padding, dilation, groups.
[[nodiscard]] std::vector<double> reference_convolution(const conv::ConvProblem& problem, std::span<const double> x, std::span<const double> f);

struct ConvError {
  double max_relative = 0; ///< max|out - ref| / max(max|ref|, 1)
  double l2_relative = 0;  ///< |out - ref|_2 / |ref|_2
  std::size_t not_finite = 0;
};
/// NaN and infinities in `out` count as infinitely wrong.
[[nodiscard]] ConvError conv_error(std::span<const double> out, std::span<const double> reference);

/// Bits of 16-bit elements to double and back (nearest even).
[[nodiscard]] double from_half(std::uint16_t bits);
[[nodiscard]] std::uint16_t to_half(double value);

} // namespace twinir
