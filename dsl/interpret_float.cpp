// SPDX-License-Identifier: MIT
// The interpreter's float arithmetic and float comparison.
#include "dsl/interpret_float.hpp"

#include "dsl/constant.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace twinir::interp {
namespace {

Word sign_bit(Scalar s) { return Word{1} << (bit_width(s) - 1); }
Word infinity(Scalar s) { return sign_bit(s) - (Word{1} << mantissa_bits(s)); }

double half_value(Word bits) {
  const auto exponent = static_cast<int>(bits >> 10 & 31);
  const auto fraction = static_cast<double>(bits & 1023);
  double value = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25);
  if (exponent == 31) value = fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : HUGE_VAL;
  return (bits >> 15 & 1) != 0 ? -value : value;
}

/// a + b, rounded to odd: a later rounding to fewer digits is then as if there were only that one.
double add_to_odd(double a, double b) {
  const double sum = a + b;
  if (!std::isfinite(sum)) return sum;
  const double part_b = sum - a, part_a = sum - part_b;
  const double error = (a - part_a) + (b - part_b);
  const auto bits = std::bit_cast<Word>(sum);
  if (error == 0 || (bits & 1) != 0) return sum;
  return std::bit_cast<double>(std::signbit(error) == std::signbit(sum) ? bits + 1 : bits - 1);
}

template <class F> void float_unary(Group& g, const Stmt& s, const F& f) {
  const auto k = s.type.scalar;
  map_elements<1>(g, s, [&](Word a) { return from_double(k, f(to_double(k, a))); });
}
template <class F> void float_binary(Group& g, const Stmt& s, const F& f) {
  const auto k = s.type.scalar;
  map_elements<2>(g, s, [&](Word a, Word b) { return from_double(k, f(to_double(k, a), to_double(k, b))); });
}

} // namespace

double smaller(double a, double b) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
double larger(double a, double b) { return -smaller(-a, -b); }

unsigned mantissa_bits(Scalar s) {
  switch (s) {
  case Scalar::f16: return 10;
  case Scalar::bf16: return 7;
  case Scalar::f32: return 23;
  default: return 52;
  }
}

Word quiet(Scalar s, Word bits) { return is_nan(s, bits) ? bits | Word{1} << (mantissa_bits(s) - 1) : bits; }

double to_double(Scalar s, Word bits) {
  switch (s) {
  case Scalar::f16: return half_value(bits);
  case Scalar::bf16: return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits << 16)));
  case Scalar::f32: return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  default: return std::bit_cast<double>(bits);
  }
}

Word from_double(Scalar s, double value) { return float_bits(s, value); }

Word fused(Scalar s, Word a, Word b, Word c) {
  const double x = to_double(s, a), y = to_double(s, b), z = to_double(s, c);
  if (s == Scalar::f64) return from_double(s, std::fma(x, y, z));
  if (s == Scalar::f32) return from_double(s, static_cast<double>(std::fma(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z))));
  return from_double(s, add_to_odd(x * y, z)); // the product of two 16-bit floats is exact
}

template <> void perform<Op::fadd>(Group& g, const Stmt& s) {
  float_binary(g, s, [](double a, double b) { return a + b; });
}
template <> void perform<Op::fsub>(Group& g, const Stmt& s) {
  float_binary(g, s, [](double a, double b) { return a - b; });
}
template <> void perform<Op::fmul>(Group& g, const Stmt& s) {
  float_binary(g, s, [](double a, double b) { return a * b; });
}
template <> void perform<Op::fdiv>(Group& g, const Stmt& s) {
  float_binary(g, s, [](double a, double b) { return a / b; });
}
template <> void perform<Op::minnum>(Group& g, const Stmt& s) { float_binary(g, s, smaller); }
template <> void perform<Op::maxnum>(Group& g, const Stmt& s) { float_binary(g, s, larger); }
template <> void perform<Op::minimumnum>(Group& g, const Stmt& s) { float_binary(g, s, smaller); }
template <> void perform<Op::maximumnum>(Group& g, const Stmt& s) { float_binary(g, s, larger); }

template <> void perform<Op::copysign>(Group& g, const Stmt& s) {
  const Word sign = sign_bit(s.type.scalar);
  map_elements<2>(g, s, [&](Word a, Word b) { return (a & ~sign) | (b & sign); });
}
template <> void perform<Op::fneg>(Group& g, const Stmt& s) {
  map_elements<1>(g, s, [sign = sign_bit(s.type.scalar)](Word a) { return a ^ sign; });
}
template <> void perform<Op::fabs>(Group& g, const Stmt& s) {
  map_elements<1>(g, s, [sign = sign_bit(s.type.scalar)](Word a) { return a & ~sign; });
}
template <> void perform<Op::floor>(Group& g, const Stmt& s) {
  float_unary(g, s, [](double a) { return std::floor(a); });
}
template <> void perform<Op::ceil>(Group& g, const Stmt& s) {
  float_unary(g, s, [](double a) { return std::ceil(a); });
}
template <> void perform<Op::ftrunc>(Group& g, const Stmt& s) {
  float_unary(g, s, [](double a) { return std::trunc(a); });
}
template <> void perform<Op::rint>(Group& g, const Stmt& s) {
  float_unary(g, s, [](double a) { return std::nearbyint(a); });
}
template <> void perform<Op::sqrt>(Group& g, const Stmt& s) {
  float_unary(g, s, [](double a) { return std::sqrt(a); });
}
template <> void perform<Op::rsq>(Group& g, const Stmt& s) {
  float_unary(g, s, [](double a) { return 1 / std::sqrt(a); });
}
template <> void perform<Op::rcp>(Group& g, const Stmt& s) {
  float_unary(g, s, [](double a) { return 1 / a; });
}
template <> void perform<Op::exp2>(Group& g, const Stmt& s) {
  float_unary(g, s, [](double a) { return std::exp2(a); });
}
template <> void perform<Op::log2>(Group& g, const Stmt& s) {
  float_unary(g, s, [](double a) { return std::log2(a); });
}
template <> void perform<Op::canonicalize>(Group& g, const Stmt& s) {
  map_elements<1>(g, s, [&](Word a) { return quiet(s.type.scalar, a); });
}
template <> void perform<Op::frexp_mant>(Group& g, const Stmt& s) {
  float_unary(g, s, [](double a) {
    int exponent = 0;
    return std::isfinite(a) ? std::frexp(a, &exponent) : a;
  });
}
// Infinities and NaNs have the exponent 0.
template <> void perform<Op::frexp_exp>(Group& g, const Stmt& s) {
  map_elements<1>(g, s, [&](Word a) {
    int exponent = 0;
    const double value = to_double(s.args[0].type.scalar, a);
    if (std::isfinite(value)) (void)std::frexp(value, &exponent);
    return truncated(s.type.scalar, static_cast<Word>(static_cast<std::int64_t>(exponent)));
  });
}
template <> void perform<Op::fma>(Group& g, const Stmt& s) {
  map_elements<3>(g, s, [&](Word a, Word b, Word c) { return fused(s.type.scalar, a, b, c); });
}
template <> void perform<Op::ldexp>(Group& g, const Stmt& s) {
  const auto k = s.type.scalar;
  map_elements<2>(g, s, [&](Word a, Word b) {
    const auto power = static_cast<int>(signed_value(Scalar::i32, b));
    return from_double(k, std::ldexp(to_double(k, a), power));
  });
}

namespace {

/// The letters after o and u: eq gt ge lt le ne.
bool ordered(std::string_view relation, double a, double b) {
  if (relation == "eq") return a == b;
  if (relation == "gt") return a > b;
  if (relation == "ge") return a >= b;
  if (relation == "lt") return a < b;
  if (relation == "le") return a <= b;
  return a != b;
}

bool holds(std::string_view pred, double a, double b) {
  const bool nan = std::isnan(a) || std::isnan(b);
  if (pred == "ord") return !nan;
  if (pred == "uno") return nan;
  return nan ? pred[0] == 'u' : ordered(pred.substr(1), a, b);
}

/// The bit of llvm.is.fpclass: signalling and quiet NaN, then from -infinity up to +infinity.
unsigned class_of(Scalar s, Word a) {
  if (is_nan(s, a)) return quiet(s, a) == a ? 1 : 0;
  const Word size = a & ~sign_bit(s);
  unsigned rank = 0; // zero, subnormal, normal, infinity
  if (size != 0) rank = size == infinity(s) ? 3 : size >> mantissa_bits(s) == 0 ? 1 : 2;
  return size == a ? 6 + rank : 5 - rank;
}

} // namespace

template <> void perform<Op::fcmp>(Group& g, const Stmt& s) {
  const auto k = s.args[0].type.scalar;
  map_elements<2>(g, s, [&](Word a, Word b) -> Word { return holds(s.word("pred"), to_double(k, a), to_double(k, b)); });
}
template <> void perform<Op::classify>(Group& g, const Stmt& s) {
  const auto mask = static_cast<Word>(s.value("mask"));
  map_elements<1>(g, s, [&](Word a) { return mask >> class_of(s.args[0].type.scalar, a) & 1; });
}

} // namespace twinir::interp
