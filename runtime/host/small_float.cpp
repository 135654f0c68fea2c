// SPDX-License-Identifier: MIT
#include "runtime/host/small_float.hpp"

#include <bit>
#include <cmath>

namespace twinir::exec {
namespace {

// A binary format of at most 16 bits.
struct Format {
  int mantissa; // stored bits
  int bias;
  std::uint32_t greatest; // code of the greatest finite value
  std::uint32_t overflow; // code of what lies beyond
  std::uint32_t nan;
  int sign_shift;
};

constexpr Format e4m3{3, 7, 0x7e, 0x7f, 0x7f, 7};
constexpr Format e5m2{2, 15, 0x7b, 0x7c, 0x7e, 7};
constexpr Format binary16{10, 15, 0x7bff, 0x7c00, 0x7e00, 15};
constexpr Format bfloat16{7, 127, 0x7f7f, 0x7f80, 0x7fc0, 15};

// The value in units of the last place, rounded once; doubles hold every such quotient exactly.
std::uint32_t round_magnitude(double magnitude, const Format& format) {
  int exponent = 0;
  std::frexp(magnitude, &exponent);               // magnitude in [2^(exponent-1), 2^exponent)
  const int least = 1 - format.bias;              // exponent of the smallest normal number
  const int unit = std::max(exponent - 1, least); // subnormals share the least exponent
  const double scaled = std::nearbyint(std::ldexp(magnitude, format.mantissa - unit));
  const auto steps = static_cast<std::uint32_t>(scaled); // with the hidden bit for normal numbers
  return static_cast<std::uint32_t>(unit - least) * (1u << format.mantissa) + steps;
}

std::uint32_t encode(double value, const Format& format) {
  const std::uint32_t sign = std::signbit(value) ? 1u << format.sign_shift : 0;
  if (std::isnan(value)) return sign | format.nan;
  const double magnitude = std::fabs(value);
  if (magnitude > 1e39) return sign | format.overflow; // beyond all these formats
  if (magnitude == 0) return sign;
  const std::uint32_t code = round_magnitude(magnitude, format);
  return sign | (code > format.greatest ? format.overflow : code);
}

float decode(std::uint32_t code, const Format& format) {
  const std::uint32_t sign = code >> format.sign_shift & 1;
  const std::uint32_t body = code & ((1u << format.sign_shift) - 1);
  const std::uint32_t fraction = body & ((1u << format.mantissa) - 1);
  const int exponent = static_cast<int>(body >> format.mantissa);
  float value = 0;
  if (body > format.greatest)
    value = body == format.overflow && format.overflow != format.nan ? INFINITY : NAN;
  else if (exponent == 0)
    value = std::ldexp(static_cast<float>(fraction), 1 - format.bias - format.mantissa);
  else
    value = std::ldexp(static_cast<float>(fraction + (1u << format.mantissa)),
                       exponent - format.bias - format.mantissa);
  return sign != 0 ? -value : value;
}

__m128i in_register(std::uint32_t code) { return _mm_cvtsi32_si128(static_cast<int>(code)); }

} // namespace

float fp8_to_f32(std::uint32_t byte) { return decode(byte & 255, e4m3); }
float bf8_to_f32(std::uint32_t byte) { return decode(byte & 255, e5m2); }
std::uint32_t f32_to_fp8(float value) { return encode(static_cast<double>(value), e4m3); }
std::uint32_t f32_to_bf8(float value) { return encode(static_cast<double>(value), e5m2); }

double frexp_mant(double value) {
  int exponent = 0;
  return std::isfinite(value) ? std::frexp(value, &exponent) : value;
}

std::int32_t frexp_exp(double value) {
  int exponent = 0;
  if (std::isfinite(value)) (void)std::frexp(value, &exponent);
  return exponent;
}

__m128i truncate_f32_to_f16(float value) { return in_register(encode(static_cast<double>(value), binary16)); }
__m128i truncate_f64_to_f16(double value) { return in_register(encode(value, binary16)); }
__m128i truncate_f32_to_bf16(float value) {
  return in_register(encode(static_cast<double>(value), bfloat16));
}
__m128i truncate_f64_to_bf16(double value) { return in_register(encode(value, bfloat16)); }

} // namespace twinir::exec
