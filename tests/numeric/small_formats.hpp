// SPDX-License-Identifier: MIT
// Binary formats of 8 and 16 bits decoded by their definition, and exact rounding of sums, for comparison.
#pragma once
// Independent of the executor: values are found by search among all codes, ties are decided on exact
// differences.
#include <cmath>
#include <cstdint>

namespace twinir::test {

struct SmallFormat {
  int mantissa;
  int bias;
  std::uint32_t greatest; ///< code of the greatest finite value
  int width;
};
inline constexpr SmallFormat half_format{10, 15, 0x7bff, 16};
inline constexpr SmallFormat bfloat_format{7, 127, 0x7f7f, 16};
inline constexpr SmallFormat e4m3_format{3, 7, 0x7e, 8};
inline constexpr SmallFormat e5m2_format{2, 15, 0x7b, 8};

/// The value of a finite, non-negative code; the code after the greatest is the value one step further.
[[nodiscard]] inline double magnitude(std::uint32_t code, const SmallFormat& f) {
  const int exponent = static_cast<int>(code >> f.mantissa);
  const double fraction = code & ((1u << f.mantissa) - 1);
  if (exponent == 0) return std::ldexp(fraction, 1 - f.bias - f.mantissa);
  return std::ldexp(fraction + (1u << f.mantissa), exponent - f.bias - f.mantissa);
}

[[nodiscard]] inline bool is_nan_code(std::uint32_t code, const SmallFormat& f) {
  return (code & ((1u << (f.width - 1)) - 1)) > f.greatest + 1;
}

/// The value of any code of a format with infinities.
[[nodiscard]] inline double value_of(std::uint32_t code, const SmallFormat& f) {
  const std::uint32_t body = code & ((1u << (f.width - 1)) - 1);
  const double size = body > f.greatest + 1 ? NAN : body == f.greatest + 1 ? INFINITY : magnitude(body, f);
  return (code >> (f.width - 1)) != 0 ? -size : size;
}

/// The code nearest to the exact number high + low (|low| far below high), ties to even; past the greatest:
/// one more.
[[nodiscard]] inline std::uint32_t nearest(double high, double low, const SmallFormat& f) {
  const std::uint32_t sign = std::signbit(high) ? 1u << (f.width - 1) : 0;
  const double size = std::fabs(high);
  const double rest = std::signbit(high) ? -low : low;
  if (std::isinf(high)) return sign | (f.greatest + 1);
  std::uint32_t below = 0;
  for (std::uint32_t step = 1u << (f.width - 2); step != 0; step /= 2)
    if (below + step <= f.greatest && magnitude(below + step, f) <= size) below += step;
  const double middle = (magnitude(below, f) + magnitude(below + 1, f)) / 2;
  const double side = (size - middle) + rest;
  return sign | (below + (side > 0 || (side == 0 && below % 2 != 0) ? 1 : 0));
}

/// a + b as an unevaluated sum of two doubles.
struct ExactSum {
  double high;
  double low;
};
[[nodiscard]] inline ExactSum exact_sum(double a, double b) {
  const double sum = a + b;
  if (!std::isfinite(sum)) return {sum, 0};
  const double part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

} // namespace twinir::test
