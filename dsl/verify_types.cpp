// SPDX-License-Identifier: MIT
// One function per type rule of ops.def.
#include "dsl/error.hpp"
#include "dsl/matrix.hpp"
#include "dsl/verify.hpp"

#include <algorithm>
#include <array>

namespace twinir {
namespace {

/// What a rule function sees: the statement, and how to refuse it.
struct Check {
  const Stmt& s;
  const std::string& kernel;

  [[nodiscard]] Type arg(std::size_t i) const { return s.args[i].type; }

  [[noreturn]] void fail(Code code, const std::string& found, const std::string& expected, const std::string& action) const {
    throw UserError({code, found + " in kernel '" + kernel + "'", expected, action, {}});
  }
  void require(bool ok, const char* expected) const {
    if (ok) return;
    std::string found = "'" + std::string(info(s.op).name) + "' (";
    for (std::size_t i = 0; i < s.args.size(); ++i) found += (i ? ", " : "") + to_string(arg(i));
    fail(Code::type_mismatch, found + ") -> " + to_string(s.type), expected, "convert the operands");
  }
  void arity(std::size_t n) const {
    if (s.args.size() != n)
      fail(Code::type_mismatch, std::to_string(s.args.size()) + " operands for '" + std::string(info(s.op).name) + "'",
           std::to_string(n) + " operands", "give the right number");
  }
  void same(std::size_t n, bool kind, const char* expected) const {
    arity(n);
    const bool equal = std::ranges::all_of(s.args, [&](const auto& o) { return o.type == s.type; });
    require(kind && equal, expected);
  }
};

bool wide_int(Type t) { return t.is_int() && t.scalar != Scalar::i1; }
bool number(Type t) { return t.is_int() || t.is_float(); }
bool in_memory(Type t) { return number(t) && t.bytes() > 0; }
bool scalar_of(Type t, std::initializer_list<Scalar> kinds) {
  return !t.is_vector() && std::ranges::find(kinds, t.scalar) != kinds.end();
}
bool pointer(Type t) { return !t.is_vector() && t.is_pointer(); }
bool index(Type t) { return scalar_of(t, {Scalar::i32, Scalar::i64}); }

/// The constant words of an operand, one per lane or one for all; empty for values and poison.
const std::vector<std::uint64_t>& words(const Operand& o) { return o.bits; }

void shift_amount(const Check& c) {
  if (c.s.op != Op::shl && c.s.op != Op::lshr && c.s.op != Op::ashr) return;
  const unsigned width = bit_width(c.s.type.scalar);
  for (auto amount : words(c.s.args[1]))
    if (amount >= width)
      c.fail(Code::shift_too_wide, "a shift by " + std::to_string(amount) + " of " + std::to_string(width) + " bits",
             "an amount below the width", "shift by less, or select the result you mean");
}
void divisor(const Check& c) {
  if (c.s.op != Op::udiv && c.s.op != Op::sdiv && c.s.op != Op::urem && c.s.op != Op::srem) return;
  for (auto word : words(c.s.args[1]))
    if (word == 0) c.fail(Code::division_by_zero, "a division by the constant 0", "another divisor", "correct it");
}

void int_binary(const Check& c) {
  const bool logic = c.s.op == Op::and_ || c.s.op == Op::or_ || c.s.op == Op::xor_;
  c.same(2, logic ? c.s.type.is_int() : wide_int(c.s.type), "two integers of one type (i1 only for and, or, xor)");
  shift_amount(c);
  divisor(c);
}
void int_unary(const Check& c) { c.same(1, wide_int(c.s.type), "an integer of 8 bits or more"); }
void float_binary(const Check& c) { c.same(2, c.s.type.is_float(), "two floats of one type"); }
void float_ternary(const Check& c) { c.same(3, c.s.type.is_float(), "three floats of one type"); }
void float_unary(const Check& c) {
  const bool narrow = c.s.type.scalar == Scalar::f16 || c.s.type.scalar == Scalar::f32;
  const bool table = c.s.op == Op::exp2 || c.s.op == Op::log2;
  c.same(1, table ? narrow : c.s.type.is_float(), table ? "f16 or f32" : "a float");
}
void hw_float_unary(const Check& c) {
  c.same(1, scalar_of(c.s.type, {Scalar::f16, Scalar::f32, Scalar::f64}), "a scalar f16, f32 or f64");
}
void frexp_exp(const Check& c) {
  c.arity(1);
  const bool half = c.arg(0) == f16;
  c.require(scalar_of(c.arg(0), {Scalar::f16, Scalar::f32, Scalar::f64}) && c.s.type == (half ? i16 : i32),
            "a scalar float, giving i32 (i16 for f16)");
}
void ldexp(const Check& c) {
  c.arity(2);
  c.require(c.s.type.is_float() && c.arg(0) == c.s.type && c.arg(1) == c.s.type.with(Scalar::i32), "a float and an i32 per lane");
}
void icmp(const Check& c) {
  c.arity(2);
  c.require(c.arg(0) == c.arg(1) && (c.arg(0).is_int() || pointer(c.arg(0))) && c.s.type == c.arg(0).with(Scalar::i1),
            "two integers or pointers of one type, giving i1 per lane");
}
void fcmp(const Check& c) {
  c.arity(2);
  c.require(c.arg(0) == c.arg(1) && c.arg(0).is_float() && c.s.type == c.arg(0).with(Scalar::i1),
            "two floats of one type, giving i1 per lane");
}
void select(const Check& c) {
  c.arity(3);
  const bool condition = c.arg(0) == i1 || (c.s.type.is_vector() && c.arg(0) == c.s.type.with(Scalar::i1));
  c.require(condition && c.arg(1) == c.s.type && c.arg(2) == c.s.type && !c.s.type.is_void(),
            "an i1 (or one per lane) and two values of one type");
}
void classify(const Check& c) {
  c.arity(1);
  c.require(c.arg(0).is_float() && c.s.type == c.arg(0).with(Scalar::i1), "a float, giving i1 per lane");
}
void cast(const Check& c, bool kinds, bool widths, const char* expected) {
  c.require(kinds && widths && c.arg(0).lanes == c.s.type.lanes, expected);
}
void int_narrow(const Check& c) {
  c.arity(1);
  cast(c, c.arg(0).is_int() && c.s.type.is_int(), c.s.type.bits() < c.arg(0).bits(), "an integer to a narrower one");
}
void int_widen(const Check& c) {
  c.arity(1);
  cast(c, c.arg(0).is_int() && c.s.type.is_int(), c.s.type.bits() > c.arg(0).bits(), "an integer to a wider one");
}
void float_narrow(const Check& c) {
  c.arity(1);
  cast(c, c.arg(0).is_float() && c.s.type.is_float(), c.s.type.bits() < c.arg(0).bits(), "a float to a narrower one");
}
void float_widen(const Check& c) {
  c.arity(1);
  cast(c, c.arg(0).is_float() && c.s.type.is_float(), c.s.type.bits() > c.arg(0).bits(), "a float to a wider one");
}
void float_to_int(const Check& c) {
  c.arity(1);
  cast(c, c.arg(0).is_float(), wide_int(c.s.type), "a float to an integer of 8 bits or more");
}
void int_to_float(const Check& c) {
  c.arity(1);
  cast(c, wide_int(c.arg(0)), c.s.type.is_float(), "an integer of 8 bits or more to a float");
}
void bitcast(const Check& c) {
  c.arity(1);
  c.require(number(c.arg(0)) && number(c.s.type) && c.arg(0).bits() == c.s.type.bits(), "numbers of the same size in bits");
}
void fp8_unpack(const Check& c) {
  c.arity(1);
  c.require(c.arg(0) == i32 && c.s.type == f32, "an i32, giving f32");
}
void fp8_pack(const Check& c) {
  c.arity(3);
  c.require(c.arg(0) == f32 && c.arg(1) == f32 && c.arg(2) == i32 && c.s.type == i32, "two f32 and an i32, giving i32");
}
void element_index(const Check& c, const Operand& at, unsigned lanes) {
  for (auto i : words(at))
    if (i >= lanes)
      c.fail(Code::bad_index, "element " + std::to_string(i) + " of a vector of " + std::to_string(lanes), "an element that exists",
             "correct the index");
}
void extract(const Check& c) {
  c.arity(2);
  c.require(c.arg(0).is_vector() && c.s.type == c.arg(0).element() && c.arg(1) == i32, "a vector and an i32, giving its element type");
  element_index(c, c.s.args[1], c.arg(0).lanes);
}
void insert(const Check& c) {
  c.arity(3);
  c.require(c.s.type.is_vector() && c.arg(0) == c.s.type && c.arg(1) == c.s.type.element() && c.arg(2) == i32,
            "a vector, an element and an i32");
  element_index(c, c.s.args[2], c.s.type.lanes);
}
void shuffle(const Check& c) {
  c.arity(2);
  c.require(c.arg(0).is_vector() && c.arg(0) == c.arg(1) && c.s.type.is_vector() &&
                c.s.type == c.arg(0).with_lanes(static_cast<int>(c.s.mask.size())),
            "two vectors of one type and a mask as long as the result");
  for (int m : c.s.mask)
    if (m < -1 || m >= 2 * c.arg(0).lanes)
      c.fail(Code::bad_index, "mask entry " + std::to_string(m), "-1 to " + std::to_string(2 * c.arg(0).lanes - 1), "correct the mask");
}
void id(const Check& c) { c.same(0, c.s.type == i32, "a result of i32"); }
void mbcnt(const Check& c) { c.same(2, c.s.type == i32, "two i32"); }
void implicit_args(const Check& c) { c.same(0, c.s.type == Type{Scalar::p4, 1}, "a result of p4"); }
void gep(const Check& c) {
  c.arity(2);
  c.require(pointer(c.arg(0)) && c.s.type == c.arg(0) && index(c.arg(1)) && in_memory(c.s.element) &&
                (c.arg(0).scalar != Scalar::p3 || c.arg(1) == i32),
            "a pointer and an i32 or i64 index (i32 for LDS), and an element type with a memory form");
}
void load(const Check& c) {
  c.arity(1);
  c.require(pointer(c.arg(0)) && in_memory(c.s.type), "a pointer, giving a number of 8 bits or more");
}
void store(const Check& c) {
  c.arity(2);
  c.require(in_memory(c.arg(0)) && pointer(c.arg(1)) && c.arg(1).scalar != Scalar::p4 && c.s.type.is_void(),
            "a number of 8 bits or more and a pointer to global or LDS memory");
}
void rsrc(const Check& c) {
  c.arity(2);
  c.require(c.arg(0) == Type{Scalar::p1, 1} && c.arg(1) == i32 && c.s.type == Type{Scalar::p8, 1}, "a global pointer and an i32, giving p8");
}
bool buffer_type(Type t) {
  const int n = t.lanes;
  if (t.scalar == Scalar::i8) return n == 1;
  if (t.scalar == Scalar::i16 || t.scalar == Scalar::f16 || t.scalar == Scalar::bf16) return n == 1 || n == 2 || n == 4 || n == 8;
  return (t.scalar == Scalar::i32 || t.scalar == Scalar::f32) && n <= 4;
}
void buffer_load(const Check& c) {
  c.arity(3);
  c.require(c.arg(0) == Type{Scalar::p8, 1} && c.arg(1) == i32 && c.arg(2) == i32 && buffer_type(c.s.type),
            "a resource and two i32, giving i8, 1, 2, 4 or 8 of 16 bits, or 1 to 4 of 32 bits");
}
void buffer_store(const Check& c) {
  c.arity(4);
  c.require(buffer_type(c.arg(0)) && c.arg(1) == Type{Scalar::p8, 1} && c.arg(2) == i32 && c.arg(3) == i32 && c.s.type.is_void(),
            "i8, 1, 2, 4 or 8 of 16 bits, or 1 to 4 of 32 bits, a resource and two i32");
}
void atomic(const Check& c, std::size_t operands, bool kind, const char* expected) {
  c.arity(1 + operands);
  const bool equal = std::all_of(c.s.args.begin() + 1, c.s.args.end(), [&](const auto& o) { return o.type == c.s.type; });
  c.require(kind && equal && scalar_of(c.arg(0), {Scalar::p1, Scalar::p3}), expected);
}
void atomic_int(const Check& c) {
  atomic(c, 1, scalar_of(c.s.type, {Scalar::i32, Scalar::i64}), "a pointer to global or LDS memory and an i32 or i64, giving its type");
}
void atomic_float(const Check& c) {
  atomic(c, 1, scalar_of(c.s.type, {Scalar::f32, Scalar::f64}), "a pointer to global or LDS memory and an f32 or f64, giving its type");
}
void atomic_exchange(const Check& c) {
  atomic(c, 1, scalar_of(c.s.type, {Scalar::i32, Scalar::i64, Scalar::f32, Scalar::f64}),
         "a pointer to global or LDS memory and a number of 32 or 64 bits, giving its type");
}
void atomic_compare(const Check& c) {
  atomic(c, 2, scalar_of(c.s.type, {Scalar::i32, Scalar::i64}), "a pointer to global or LDS memory and two i32 or two i64, giving their type");
}
void async_load(const Check& c) {
  c.arity(2);
  c.require(c.arg(0) == Type{Scalar::p1, 1} && c.arg(1) == Type{Scalar::p3, 1} && c.s.type.is_void(), "a global pointer and an LDS pointer");
}
void no_operands(const Check& c) { c.same(0, c.s.type.is_void(), "no operands and no result"); }
void readfirstlane(const Check& c) { c.same(1, scalar_of(c.s.type, {Scalar::i32, Scalar::f32}), "an i32 or f32"); }
void readlane(const Check& c) {
  c.arity(2);
  c.require(scalar_of(c.s.type, {Scalar::i32, Scalar::f32}) && c.arg(0) == c.s.type && c.arg(1) == i32, "an i32 or f32, and an i32");
}
void bpermute(const Check& c) { c.same(2, c.s.type == i32, "two i32"); }
void ballot(const Check& c) {
  c.arity(1);
  c.require(c.arg(0) == i1 && c.s.type == (c.s.op == Op::ballot_b64 ? i64 : i32), "an i1, giving a bit per lane");
}
void matrix(const Check& c) {
  c.arity(3);
  const auto& m = matrix_op(c.s.op);
  c.require(c.arg(0) == m.fragment && c.arg(1) == m.fragment && c.arg(2) == m.sums() && c.s.type == m.sums(),
            "two fragments and the sums of this operation (docs/matrix.md)");
}
void opaque(const Check& c) {
  c.same(1, number(c.s.type) && c.s.type.bits() % 32 == 0 && c.s.type.bits() <= 512, "a number of 32 to 512 bits in steps of 32");
}
void assert_(const Check& c) {
  c.arity(1);
  c.require(c.arg(0) == i1 && c.s.type.is_void(), "one i1 condition");
}
void if_(const Check& c) {
  c.arity(1);
  c.require(c.arg(0) == i1 && c.s.type.is_void(), "one i1 condition");
}
void for_(const Check& c) {
  c.arity(3);
  c.require(index(c.arg(0)) && c.arg(1) == c.arg(0) && c.arg(2) == c.arg(0) && c.s.type.is_void(), "three i32 or three i64");
  for (auto step : words(c.s.args[2]))
    if (step == 0 || step >> (bit_width(c.arg(2).scalar) - 1))
      c.fail(Code::bad_constant, "a loop step that is not positive", "a step of 1 or more", "count upwards");
}

using Rule = void (*)(const Check&);
// In the order of TypeRule.
constexpr std::array<Rule, 48> rules{int_binary,  int_unary,    float_binary, float_unary,  hw_float_unary, float_ternary, frexp_exp,
                                     ldexp,       icmp,         fcmp,         select,       classify,       int_narrow,    int_widen,
                                     float_narrow, float_widen, float_to_int, int_to_float, bitcast,        fp8_unpack,    fp8_pack,
                                     extract,     insert,       shuffle,      id,           mbcnt,          implicit_args, gep,
                                     load,        store,        rsrc,         buffer_load,  buffer_store,   atomic_int,    atomic_float,
                                     atomic_exchange, atomic_compare, async_load, no_operands, readfirstlane, readlane, bpermute, ballot, matrix,      opaque,
                                     assert_,     if_,          for_};
static_assert(static_cast<std::size_t>(TypeRule::for_) + 1 == rules.size());
} // namespace

void verify_types(const Stmt& stmt, const std::string& kernel) {
  const Check check{stmt, kernel};
  rules[static_cast<std::size_t>(info(stmt.op).rule)](check);
}

} // namespace twinir
