// SPDX-License-Identifier: MIT
// The interpreter's conversions, selection and vector operations.
#include "dsl/constant.hpp"
#include "dsl/interpret_float.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace twinir::interp {
namespace {

Scalar from_kind(const Stmt& s) { return s.args[0].type.scalar; }

/// |n| in a double, rounded to odd when it has more than 53 bits: one rounding is left for the narrow kinds.
double magnitude_to_odd(Word n) {
  if (n >> 53 == 0) return static_cast<double>(n);
  const Word kept = n >> 11 | ((n & 0x7FF) != 0 ? 1 : 0);
  return std::ldexp(static_cast<double>(kept), 11);
}

Word from_integer(Scalar to, Word magnitude, bool negative) {
  const double value = to == Scalar::f64 ? static_cast<double>(magnitude) : magnitude_to_odd(magnitude);
  return from_double(to, negative ? -value : value);
}

/// The integers of `s`, as [least, most] and as doubles with the end exclusive.
struct Range {
  double least, end;
  Word least_bits, most_bits;
};
Range range(Scalar s, bool is_signed) {
  const int width = static_cast<int>(bit_width(s)) - (is_signed ? 1 : 0);
  const Word most = truncated(s, ~Word{0}) >> (is_signed ? 1 : 0);
  const double end = std::ldexp(1.0, width);
  return {is_signed ? -end : 0, end, is_signed ? truncated(s, most + 1) : 0, most};
}

Word integer_bits(Scalar s, double whole, bool is_signed) {
  if (!is_signed) return static_cast<Word>(whole);
  return truncated(s, static_cast<Word>(static_cast<std::int64_t>(whole)));
}

void float_to_int(Group& g, const Stmt& s, bool is_signed) {
  const auto r = range(s.type.scalar, is_signed);
  map_elements<1>(g, s, [&](Word a) {
    const double whole = std::trunc(to_double(from_kind(s), a));
    if (!(whole >= r.least && whole < r.end)) g.poison("a float outside the range of " + to_string(s.type.element()));
    return integer_bits(s.type.scalar, whole, is_signed);
  });
}

void float_to_int_saturating(Group& g, const Stmt& s, bool is_signed) {
  const auto r = range(s.type.scalar, is_signed);
  map_elements<1>(g, s, [&](Word a) {
    const double whole = std::trunc(to_double(from_kind(s), a));
    if (std::isnan(whole)) return Word{0};
    if (whole < r.least) return r.least_bits;
    return whole >= r.end ? r.most_bits : integer_bits(s.type.scalar, whole, is_signed);
  });
}

/// A NaN keeps its sign and the leading bits of its payload, and becomes quiet.
Word convert_float(Scalar from, Scalar to, Word a) {
  if (!is_nan(from, a)) return from_double(to, to_double(from, a));
  const auto old_bits = mantissa_bits(from), new_bits = mantissa_bits(to);
  const Word payload = a & ((Word{1} << old_bits) - 1), sign = a >> (bit_width(from) - 1);
  const Word moved = old_bits > new_bits ? payload >> (old_bits - new_bits) : payload << (new_bits - old_bits);
  return sign << (bit_width(to) - 1) | from_double(to, std::numeric_limits<double>::quiet_NaN()) | moved;
}
void change_float(Group& g, const Stmt& s) {
  map_elements<1>(g, s, [&](Word a) { return convert_float(from_kind(s), s.type.scalar, a); });
}

} // namespace

template <> void perform<Op::trunc>(Group& g, const Stmt& s) {
  map_elements<1>(g, s, [&](Word a) { return truncated(s.type.scalar, a); });
}
template <> void perform<Op::zext>(Group& g, const Stmt& s) {
  map_elements<1>(g, s, [](Word a) { return a; });
}
template <> void perform<Op::sext>(Group& g, const Stmt& s) {
  map_elements<1>(g, s, [&](Word a) { return truncated(s.type.scalar, static_cast<Word>(signed_value(from_kind(s), a))); });
}
template <> void perform<Op::fptrunc>(Group& g, const Stmt& s) { change_float(g, s); }
template <> void perform<Op::fpext>(Group& g, const Stmt& s) { change_float(g, s); }
template <> void perform<Op::fptoui>(Group& g, const Stmt& s) { float_to_int(g, s, false); }
template <> void perform<Op::fptosi>(Group& g, const Stmt& s) { float_to_int(g, s, true); }
template <> void perform<Op::fptoui_sat>(Group& g, const Stmt& s) { float_to_int_saturating(g, s, false); }
template <> void perform<Op::fptosi_sat>(Group& g, const Stmt& s) { float_to_int_saturating(g, s, true); }
template <> void perform<Op::uitofp>(Group& g, const Stmt& s) {
  map_elements<1>(g, s, [&](Word a) { return from_integer(s.type.scalar, a, false); });
}
template <> void perform<Op::sitofp>(Group& g, const Stmt& s) {
  map_elements<1>(g, s, [&](Word a) {
    const auto value = signed_value(from_kind(s), a);
    return from_integer(s.type.scalar, value < 0 ? Word{0} - static_cast<Word>(value) : static_cast<Word>(value), value < 0);
  });
}

// The bits of all elements in a row, the first one lowest.
template <> void perform<Op::bitcast>(Group& g, const Stmt& s) {
  const auto v = g.view(s.args[0]);
  auto& out = g.place(s.name, s.type);
  const unsigned from = bit_width(from_kind(s)), to = bit_width(s.type.scalar);
  g.each_item([&](std::size_t item) {
    std::vector<Word> words(out.words, 0);
    for (unsigned bit = 0; bit < s.type.bits(); ++bit)
      words[bit / to] |= (g.use(v, item, bit / from) >> bit % from & 1) << bit % to;
    for (std::size_t i = 0; i < out.words; ++i) Group::put(out, item, i, words[i]);
  });
}

template <> void perform<Op::cvt_f32_fp8>(Group& g, const Stmt& s) {
  map_elements<1>(g, s, [shift = 8 * s.value("byte")](Word a) { return fp8_to_f32_bits(a >> shift & 255); });
}
template <> void perform<Op::cvt_f32_bf8>(Group& g, const Stmt& s) {
  map_elements<1>(g, s, [shift = 8 * s.value("byte")](Word a) { return bf8_to_f32_bits(a >> shift & 255); });
}

namespace {

template <class F> void pack(Group& g, const Stmt& s, const F& narrow) {
  const auto shift = 16 * s.value("word");
  map_elements<3>(g, s, [&](Word a, Word b, Word c) {
    return (c & ~(Word{0xFFFF} << shift)) | (narrow(a) | narrow(b) << 8) << shift;
  });
}

/// Copies word `j` of `from` to word `i` of `to`, poison included.
void copy(Lanes& to, std::size_t item, std::size_t i, const View& from, std::size_t j) {
  Group::put(to, item, i, from.word(item, j), from.is_poison(item, j));
}

std::size_t element(Group& g, Word index, Type vector) {
  if (index >= vector.lanes) g.poison("element " + std::to_string(index) + " of a vector of " + std::to_string(vector.lanes));
  return index;
}

} // namespace

template <> void perform<Op::cvt_pk_fp8>(Group& g, const Stmt& s) { pack(g, s, f32_bits_to_fp8); }
template <> void perform<Op::cvt_pk_bf8>(Group& g, const Stmt& s) { pack(g, s, f32_bits_to_bf8); }

template <> void perform<Op::select>(Group& g, const Stmt& s) {
  const auto condition = g.view(s.args[0]), a = g.view(s.args[1]), b = g.view(s.args[2]);
  auto& out = g.place(s.name, s.type);
  g.each_item([&](std::size_t item) {
    for (std::size_t i = 0; i < out.words; ++i) copy(out, item, i, g.use(condition, item, i) != 0 ? a : b, i);
  });
}
template <> void perform<Op::extract>(Group& g, const Stmt& s) {
  const auto vector = g.view(s.args[0]), index = g.view(s.args[1]);
  auto& out = g.place(s.name, s.type);
  g.each_item([&](std::size_t item) { copy(out, item, 0, vector, element(g, g.use(index, item), s.args[0].type)); });
}
template <> void perform<Op::insert>(Group& g, const Stmt& s) {
  const auto vector = g.view(s.args[0]), value = g.view(s.args[1]), index = g.view(s.args[2]);
  auto& out = g.place(s.name, s.type);
  g.each_item([&](std::size_t item) {
    for (std::size_t i = 0; i < out.words; ++i) copy(out, item, i, vector, i);
    copy(out, item, element(g, g.use(index, item), s.type), value, 0);
  });
}
template <> void perform<Op::shuffle>(Group& g, const Stmt& s) {
  const auto a = g.view(s.args[0]), b = g.view(s.args[1]);
  auto& out = g.place(s.name, s.type);
  const int lanes = s.args[0].type.lanes;
  g.each_item([&](std::size_t item) {
    for (std::size_t i = 0; i < out.words; ++i) {
      const int m = s.mask[i];
      if (m < 0) Group::put(out, item, i, 0, true);
      else copy(out, item, i, m < lanes ? a : b, static_cast<std::size_t>(m % lanes));
    }
  });
}

} // namespace twinir::interp
