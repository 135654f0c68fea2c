// SPDX-License-Identifier: MIT
// The interpreter's integer arithmetic and integer comparison.
#include "dsl/constant.hpp"
#include "dsl/interpret_group.hpp"

#include <algorithm>
#include <bit>

namespace twinir::interp {
namespace {

using Signed = std::int64_t;

/// An exact result in both readings, and whether it left 64 bits.
struct Exact {
  Word bits = 0;
  bool unsigned_lost = false, signed_lost = false;
};

/// The low bits of `r`; poison where a promise is broken.
Word kept(Group& g, const Stmt& s, const Exact& r, Signed signed_result) {
  const auto scalar = s.type.scalar;
  const auto low = truncated(scalar, r.bits);
  if (s.has("nuw") && (r.unsigned_lost || low != r.bits)) g.poison("an unsigned wrap that was ruled out");
  if (s.has("nsw") && (r.signed_lost || signed_value(scalar, low) != signed_result)) g.poison("a signed wrap that was ruled out");
  return low;
}

/// Operands in both readings, then f.
template <class F> void int_binary(Group& g, const Stmt& s, const F& f) {
  const auto scalar = s.type.scalar;
  map_elements<2>(g, s, [&](Word a, Word b) { return f(a, b, signed_value(scalar, a), signed_value(scalar, b)); });
}

void check_divisor(const Group& g, Word b) {
  if (b == 0) g.by_zero();
}

void check_signed_division(Group& g, const Stmt& s, Signed x, Signed y) {
  check_divisor(g, static_cast<Word>(y));
  const Signed least = signed_value(s.type.scalar, Word{1} << (bit_width(s.type.scalar) - 1));
  if (y == -1 && x == least) g.poison("a quotient that does not fit");
}

void check_exact(Group& g, const Stmt& s, bool exact) {
  if (s.has("exact") && !exact) g.poison("lost bits that were ruled out");
}

void check_amount(Group& g, const Stmt& s, Word amount) {
  if (amount >= bit_width(s.type.scalar)) g.poison("a shift by " + std::to_string(amount) + " of " + std::to_string(bit_width(s.type.scalar)) + " bits");
}

Word low_bits(Word amount) { return (Word{1} << amount) - 1; }

} // namespace

template <> void perform<Op::add>(Group& g, const Stmt& s) {
  int_binary(g, s, [&](Word a, Word b, Signed x, Signed y) {
    Exact r;
    Signed sum = 0;
    r.unsigned_lost = __builtin_add_overflow(a, b, &r.bits);
    r.signed_lost = __builtin_add_overflow(x, y, &sum);
    return kept(g, s, r, sum);
  });
}
template <> void perform<Op::sub>(Group& g, const Stmt& s) {
  int_binary(g, s, [&](Word a, Word b, Signed x, Signed y) {
    Exact r;
    Signed difference = 0;
    r.unsigned_lost = __builtin_sub_overflow(a, b, &r.bits);
    r.signed_lost = __builtin_sub_overflow(x, y, &difference);
    return kept(g, s, r, difference);
  });
}
template <> void perform<Op::mul>(Group& g, const Stmt& s) {
  int_binary(g, s, [&](Word a, Word b, Signed x, Signed y) {
    Exact r;
    Signed product = 0;
    r.unsigned_lost = __builtin_mul_overflow(a, b, &r.bits);
    r.signed_lost = __builtin_mul_overflow(x, y, &product);
    return kept(g, s, r, product);
  });
}

template <> void perform<Op::udiv>(Group& g, const Stmt& s) {
  map_elements<2>(g, s, [&](Word a, Word b) {
    check_divisor(g, b);
    check_exact(g, s, a % b == 0);
    return a / b;
  });
}
template <> void perform<Op::sdiv>(Group& g, const Stmt& s) {
  int_binary(g, s, [&](Word, Word, Signed x, Signed y) {
    check_signed_division(g, s, x, y);
    check_exact(g, s, x % y == 0);
    return truncated(s.type.scalar, static_cast<Word>(x / y));
  });
}
template <> void perform<Op::urem>(Group& g, const Stmt& s) {
  map_elements<2>(g, s, [&](Word a, Word b) {
    check_divisor(g, b);
    return a % b;
  });
}
template <> void perform<Op::srem>(Group& g, const Stmt& s) {
  int_binary(g, s, [&](Word, Word, Signed x, Signed y) {
    check_signed_division(g, s, x, y);
    return truncated(s.type.scalar, static_cast<Word>(x % y));
  });
}

template <> void perform<Op::and_>(Group& g, const Stmt& s) {
  map_elements<2>(g, s, [](Word a, Word b) { return a & b; });
}
template <> void perform<Op::or_>(Group& g, const Stmt& s) {
  map_elements<2>(g, s, [](Word a, Word b) { return a | b; });
}
template <> void perform<Op::xor_>(Group& g, const Stmt& s) {
  map_elements<2>(g, s, [](Word a, Word b) { return a ^ b; });
}

template <> void perform<Op::shl>(Group& g, const Stmt& s) {
  int_binary(g, s, [&](Word a, Word b, Signed x, Signed) {
    check_amount(g, s, b);
    const auto low = truncated(s.type.scalar, a << b);
    if (s.has("nuw") && low >> b != a) g.poison("an unsigned wrap that was ruled out");
    if (s.has("nsw") && signed_value(s.type.scalar, low) >> b != x) g.poison("a signed wrap that was ruled out");
    return low;
  });
}
template <> void perform<Op::lshr>(Group& g, const Stmt& s) {
  map_elements<2>(g, s, [&](Word a, Word b) {
    check_amount(g, s, b);
    check_exact(g, s, (a & low_bits(b)) == 0);
    return a >> b;
  });
}
template <> void perform<Op::ashr>(Group& g, const Stmt& s) {
  int_binary(g, s, [&](Word a, Word b, Signed x, Signed) {
    check_amount(g, s, b);
    check_exact(g, s, (a & low_bits(b)) == 0);
    return truncated(s.type.scalar, static_cast<Word>(x >> b));
  });
}

template <> void perform<Op::umin>(Group& g, const Stmt& s) {
  map_elements<2>(g, s, [](Word a, Word b) { return std::min(a, b); });
}
template <> void perform<Op::umax>(Group& g, const Stmt& s) {
  map_elements<2>(g, s, [](Word a, Word b) { return std::max(a, b); });
}
template <> void perform<Op::smin>(Group& g, const Stmt& s) {
  int_binary(g, s, [](Word a, Word b, Signed x, Signed y) { return x < y ? a : b; });
}
template <> void perform<Op::smax>(Group& g, const Stmt& s) {
  int_binary(g, s, [](Word a, Word b, Signed x, Signed y) { return x < y ? b : a; });
}

template <> void perform<Op::ctpop>(Group& g, const Stmt& s) {
  map_elements<1>(g, s, [](Word a) { return static_cast<Word>(std::popcount(a)); });
}
template <> void perform<Op::ctlz>(Group& g, const Stmt& s) {
  const Word unused = 64 - bit_width(s.type.scalar);
  map_elements<1>(g, s, [&](Word a) { return static_cast<Word>(std::countl_zero(a)) - unused; });
}
template <> void perform<Op::cttz>(Group& g, const Stmt& s) {
  const Word width = bit_width(s.type.scalar);
  map_elements<1>(g, s, [&](Word a) { return std::min(width, static_cast<Word>(std::countr_zero(a))); });
}
template <> void perform<Op::bitreverse>(Group& g, const Stmt& s) {
  const unsigned width = bit_width(s.type.scalar);
  map_elements<1>(g, s, [&](Word a) {
    Word out = 0;
    for (unsigned i = 0; i < width; ++i) out = out << 1 | (a >> i & 1);
    return out;
  });
}

namespace {

bool holds(std::string_view pred, Word a, Word b, Signed x, Signed y) {
  if (pred == "eq") return a == b;
  if (pred == "ne") return a != b;
  if (pred == "ugt") return a > b;
  if (pred == "uge") return a >= b;
  if (pred == "ult") return a < b;
  if (pred == "ule") return a <= b;
  if (pred == "sgt") return x > y;
  if (pred == "sge") return x >= y;
  if (pred == "slt") return x < y;
  return x <= y;
}

} // namespace

template <> void perform<Op::icmp>(Group& g, const Stmt& s) {
  const auto scalar = s.args[0].type.scalar;
  const auto& pred = s.word("pred");
  map_elements<2>(g, s, [&](Word a, Word b) -> Word { return holds(pred, a, b, signed_value(scalar, a), signed_value(scalar, b)); });
}

} // namespace twinir::interp
