// SPDX-License-Identifier: MIT
// What a convolution should give, in float64, and how far a result is from it.
#pragma once
// The products and sums are Eigen's (double precision GEMM over unrolled patches); tests compare it with the
// integer answers of small problems.
#include "instances/conv/problem.hpp"

#include <span>
#include <vector>

namespace twinir {

/// Direct convolution: x is N H W C, f is K Y X C/g, the result N Ho Wo K. Any filter, stride, padding,
/// dilation, groups.
[[nodiscard]] std::vector<double> reference_convolution(const conv::ConvProblem& problem,
                                                        std::span<const double> x, std::span<const double> f);

struct ConvError {
  double max_relative = 0; ///< max|out - ref| / max(max|ref|, 1)
  double l2_relative = 0;  ///< |out - ref|_2 / |ref|_2
  std::size_t not_finite = 0;
};
/// NaN and infinities in `out` count as infinitely wrong.
[[nodiscard]] ConvError conv_error(std::span<const double> out, std::span<const double> reference);

/// Bits of an f16 or bf16 element to double and back (nearest even; NaN is quiet).
[[nodiscard]] double decode(DType type, std::uint16_t bits);
[[nodiscard]] std::uint16_t encode(DType type, double value);

} // namespace twinir
