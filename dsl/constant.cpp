// SPDX-License-Identifier: MIT
#include "dsl/constant.hpp"

#include <bit>

namespace twinir {
namespace {

struct Format {
  int mantissa, exponent;
  [[nodiscard]] int bias() const { return (1 << (exponent - 1)) - 1; }
};

Format format(Scalar s) {
  switch (s) {
  case Scalar::f16: return {10, 5};
  case Scalar::bf16: return {7, 8};
  case Scalar::f32: return {23, 8};
  default: return {52, 11};
  }
}

/// `significand` / 2^drop, rounded to nearest, ties to even.
std::uint64_t round_shift(std::uint64_t significand, int drop) {
  if (drop <= 0) return significand << -drop;
  if (drop > 63) return 0;
  const std::uint64_t kept = significand >> drop, rest = significand & ((std::uint64_t{1} << drop) - 1);
  const std::uint64_t half = std::uint64_t{1} << (drop - 1);
  return kept + (rest > half || (rest == half && (kept & 1)) ? 1 : 0);
}

} // namespace

std::uint64_t float_bits(Scalar s, double value) {
  const auto [mantissa, exponent_bits] = format(s);
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t sign = bits >> 63, fraction = bits & ((std::uint64_t{1} << 52) - 1);
  const int biased = static_cast<int>(bits >> 52 & 0x7FF);
  const std::uint64_t infinity = ((std::uint64_t{1} << exponent_bits) - 1) << mantissa;
  const std::uint64_t top = sign << (mantissa + exponent_bits);
  if (biased == 0x7FF) return fraction ? infinity | std::uint64_t{1} << (mantissa - 1) : top | infinity;
  if (biased == 0 && fraction == 0) return top;
  // value = significand * 2^(power - 52), normalised so that bit 52 is set
  std::uint64_t significand = biased ? fraction | std::uint64_t{1} << 52 : fraction;
  int power = biased ? biased - 1023 : -1022;
  const int shift = 52 - (63 - std::countl_zero(significand));
  significand <<= shift, power -= shift;
  const int lowest = 1 - format(s).bias();
  const int drop = 52 - mantissa + (power < lowest ? lowest - power : 0);
  const std::uint64_t rounded = round_shift(significand, drop);
  const int field = (power < lowest ? lowest : power) + format(s).bias() - 1; // the implicit bit adds one
  const std::uint64_t magnitude = power < lowest ? rounded : (static_cast<std::uint64_t>(field) << mantissa) + rounded;
  return top | (magnitude < infinity ? magnitude : infinity);
}

bool is_nan(Scalar s, std::uint64_t bits) {
  const auto [mantissa, exponent] = format(s);
  const std::uint64_t sign = std::uint64_t{1} << (mantissa + exponent);
  return is_float(s) && (bits & (sign - 1)) > sign - (std::uint64_t{1} << mantissa);
}

std::uint64_t truncated(Scalar s, std::uint64_t bits) {
  const unsigned width = bit_width(s);
  return width >= 64 ? bits : bits & ((std::uint64_t{1} << width) - 1);
}

std::int64_t signed_value(Scalar s, std::uint64_t bits) {
  const unsigned unused = 64 - bit_width(s);
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

std::optional<std::uint64_t> int_bits(Scalar s, std::int64_t value) {
  const auto bits = truncated(s, static_cast<std::uint64_t>(value));
  const bool as_signed = signed_value(s, bits) == value;
  const bool as_unsigned = value >= 0 && bits == static_cast<std::uint64_t>(value);
  return as_signed || as_unsigned ? std::optional(bits) : std::nullopt;
}

} // namespace twinir
