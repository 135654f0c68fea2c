// SPDX-License-Identifier: MIT
// The small float formats of the interpreter.
#include "dsl/interpret_float.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace twinir::interp {
namespace {

struct Format {
  int mantissa, bias;
  Word greatest; ///< code of the greatest finite value
  Word overflow; ///< code of what lies beyond
  Word nan;
};
constexpr Format e4m3{3, 7, 0x7E, 0x7F, 0x7F};
constexpr Format e5m2{2, 15, 0x7B, 0x7C, 0x7E};

Word encode(Word bits, const Format& f) {
  const double value = to_double(Scalar::f32, bits), magnitude = std::fabs(value);
  const Word sign = bits >> 31 << 7;
  if (std::isnan(value)) return sign | f.nan;
  if (magnitude > 1e6) return sign | f.overflow;
  if (magnitude == 0) return sign;
  int exponent = 0;
  (void)std::frexp(magnitude, &exponent);
  const int least = 1 - f.bias, unit = std::max(exponent - 1, least); // subnormals share the least exponent
  const auto steps = static_cast<Word>(std::nearbyint(std::ldexp(magnitude, f.mantissa - unit)));
  const Word code = (static_cast<Word>(unit - least) << f.mantissa) + steps;
  return sign | (code > f.greatest ? f.overflow : code);
}

double decode(Word byte, const Format& f) {
  const Word body = byte & 127, fraction = body & ((Word{1} << f.mantissa) - 1);
  const auto exponent = static_cast<int>(body >> f.mantissa);
  if (body > f.greatest) return body == f.overflow && f.overflow != f.nan ? HUGE_VAL : std::numeric_limits<double>::quiet_NaN();
  const auto steps = static_cast<double>(exponent == 0 ? fraction : fraction + (Word{1} << f.mantissa));
  return std::ldexp(steps, std::max(exponent, 1) - f.bias - f.mantissa);
}

Word signed_f32(Word byte, const Format& f) { return from_double(Scalar::f32, decode(byte, f)) | (byte >> 7 & 1) << 31; }

} // namespace

Word fp8_to_f32_bits(Word byte) { return signed_f32(byte, e4m3); }
Word bf8_to_f32_bits(Word byte) { return signed_f32(byte, e5m2); }
Word f32_bits_to_fp8(Word bits) { return encode(bits, e4m3); }
Word f32_bits_to_bf8(Word bits) { return encode(bits, e5m2); }

} // namespace twinir::interp
