// SPDX-License-Identifier: MIT
// Arithmetic, comparison and conversion of values.
#include "dsl/build_internal.hpp"

namespace twinir {
namespace detail {

KernelBuilder& kernel_of(std::initializer_list<const Arg*> args) {
  for (const auto* a : args)
    if (const auto* v = a->value(); v && v->kernel()) return *v->kernel();
  throw UserError({Code::foreign_value, "an operation without a value of a kernel", "at least one value made by a builder",
                   "use values that a KernelBuilder gave", place((*args.begin())->where)});
}

Type peer_type(std::initializer_list<const Arg*> args) {
  for (const auto* a : args)
    if (const auto* v = a->value(); v && v->kernel()) return v->type();
  return {};
}

Value same_type(Op op, std::initializer_list<const Arg*> args, std::vector<std::string> flags) {
  auto& k = kernel_of(args);
  const Type type = peer_type(args);
  std::vector<graph::Node*> nodes;
  for (const auto* a : args) nodes.push_back(k.node(*a, type));
  return k.make(op, type, std::move(nodes), (*args.begin())->where, {std::move(flags)});
}

namespace {
bool floats(const Arg& a, const Arg& b) { return peer_type({&a, &b}).is_float(); }

Value int_or_float(Op int_op, Op float_op, const Arg& a, const Arg& b) { return same_type(floats(a, b) ? float_op : int_op, {&a, &b}); }

std::vector<std::string> words(Wrap wrap) {
  switch (wrap) {
  case Wrap::free: return {};
  case Wrap::nuw: return {"nuw"};
  case Wrap::nsw: return {"nsw"};
  case Wrap::nuw_nsw: return {"nuw", "nsw"};
  }
  return {};
}

Value cast(Op op, const Arg& a, Scalar to) {
  auto& k = kernel_of({&a});
  const Type from = peer_type({&a});
  return k.make(op, from.with(to), {k.node(a, from)}, a.where);
}

Value high_product(const Arg& a, const Arg& b, Op extend, Op shift, const char* flag) {
  auto& k = kernel_of({&a, &b});
  const Type type = peer_type({&a, &b}), wide = type.with(Scalar::i64);
  if (type.scalar != Scalar::i32)
    throw UserError({Code::type_mismatch, "a high product of " + to_string(type), "i32", "convert the operands", place(a.where)});
  auto* x = k.make(extend, wide, {k.node(a, type)}, a.where).node();
  auto* y = k.make(extend, wide, {k.node(b, type)}, a.where).node();
  const auto product = k.make(Op::mul, wide, {x, y}, a.where, {{flag}});
  const auto high = k.make(shift, wide, {product.node(), k.node(Arg(32, a.where), wide)}, a.where);
  return k.make(Op::trunc, type, {high.node()}, a.where);
}
} // namespace
} // namespace detail

using detail::same_type;

Value operator+(Arg a, Arg b) { return detail::int_or_float(Op::add, Op::fadd, a, b); }
Value operator-(Arg a, Arg b) { return detail::int_or_float(Op::sub, Op::fsub, a, b); }
Value operator*(Arg a, Arg b) { return detail::int_or_float(Op::mul, Op::fmul, a, b); }
Value operator/(Arg a, Arg b) { return detail::int_or_float(Op::sdiv, Op::fdiv, a, b); }
Value operator%(Arg a, Arg b) { return same_type(Op::srem, {&a, &b}); }
Value operator&(Arg a, Arg b) { return same_type(Op::and_, {&a, &b}); }
Value operator|(Arg a, Arg b) { return same_type(Op::or_, {&a, &b}); }
Value operator^(Arg a, Arg b) { return same_type(Op::xor_, {&a, &b}); }
Value operator<<(Arg a, Arg b) { return same_type(Op::shl, {&a, &b}); }
Value operator>>(Arg a, Arg b) { return same_type(Op::ashr, {&a, &b}); }
Value operator-(Arg a) {
  if (detail::peer_type({&a}).is_float()) return same_type(Op::fneg, {&a});
  const Arg zero(0, a.where);
  return same_type(Op::sub, {&zero, &a});
}
Value operator~(Arg a) {
  const Arg ones(-1, a.where);
  return same_type(Op::xor_, {&a, &ones});
}
Value operator!(Arg a) {
  const Arg one(1, a.where);
  return same_type(Op::xor_, {&a, &one});
}
Value add(Arg a, Arg b, Wrap wrap) { return same_type(Op::add, {&a, &b}, detail::words(wrap)); }
Value sub(Arg a, Arg b, Wrap wrap) { return same_type(Op::sub, {&a, &b}, detail::words(wrap)); }
Value mul(Arg a, Arg b, Wrap wrap) { return same_type(Op::mul, {&a, &b}, detail::words(wrap)); }
Value udiv(Arg a, Arg b) { return same_type(Op::udiv, {&a, &b}); }
Value urem(Arg a, Arg b) { return same_type(Op::urem, {&a, &b}); }
Value lshr(Arg a, Arg b) { return same_type(Op::lshr, {&a, &b}); }
Value umulh(Arg a, Arg b) { return detail::high_product(a, b, Op::zext, Op::lshr, "nuw"); }
Value smulh(Arg a, Arg b) { return detail::high_product(a, b, Op::sext, Op::ashr, "nsw"); }
Value bitfield(Arg a, int low, int width) {
  const auto bits = static_cast<int>(bit_width(detail::peer_type({&a}).scalar));
  if (low < 0 || width < 1 || low + width > bits)
    throw UserError({Code::bad_index, "bits " + std::to_string(low) + " to " + std::to_string(low + width - 1),
                     "bits of a value of " + std::to_string(bits), "correct the field", place(a.where)});
  const Arg left(bits - width - low, a.where), right(bits - width, a.where);
  const Arg top = same_type(Op::shl, {&a, &left});
  return same_type(Op::lshr, {&top, &right});
}
Value umin(Arg a, Arg b) { return same_type(Op::umin, {&a, &b}); }
Value umax(Arg a, Arg b) { return same_type(Op::umax, {&a, &b}); }
Value smin(Arg a, Arg b) { return same_type(Op::smin, {&a, &b}); }
Value smax(Arg a, Arg b) { return same_type(Op::smax, {&a, &b}); }
Value ctpop(Arg a) { return same_type(Op::ctpop, {&a}); }
Value ctlz(Arg a) { return same_type(Op::ctlz, {&a}); }
Value cttz(Arg a) { return same_type(Op::cttz, {&a}); }
Value bitreverse(Arg a) { return same_type(Op::bitreverse, {&a}); }

Value fma(Arg a, Arg b, Arg c) { return same_type(Op::fma, {&a, &b, &c}); }
Value contract(Arg a, Arg b, Arg c) {
  const Arg product = same_type(Op::fmul, {&a, &b}, {"contract"});
  return same_type(Op::fadd, {&product, &c}, {"contract"});
}
Value fabs(Arg a) { return same_type(Op::fabs, {&a}); }
Value sqrt(Arg a) { return same_type(Op::sqrt, {&a}); }
Value rsq(Arg a) { return same_type(Op::rsq, {&a}); }
Value rcp(Arg a) { return same_type(Op::rcp, {&a}); }
Value exp2(Arg a) { return same_type(Op::exp2, {&a}); }
Value log2(Arg a) { return same_type(Op::log2, {&a}); }
Value floor(Arg a) { return same_type(Op::floor, {&a}); }
Value ceil(Arg a) { return same_type(Op::ceil, {&a}); }
Value ftrunc(Arg a) { return same_type(Op::ftrunc, {&a}); }
Value rint(Arg a) { return same_type(Op::rint, {&a}); }
Value canonicalize(Arg a) { return same_type(Op::canonicalize, {&a}); }
Value copysign(Arg magnitude, Arg sign) { return same_type(Op::copysign, {&magnitude, &sign}); }
Value ldexp(Arg a, Arg exponent) {
  auto& k = detail::kernel_of({&a, &exponent});
  const Type type = detail::peer_type({&a});
  return k.make(Op::ldexp, type, {k.node(a, type), k.node(exponent, type.with(Scalar::i32))}, a.where);
}
Value frexp_mant(Arg a) { return same_type(Op::frexp_mant, {&a}); }
Value frexp_exp(Arg a) {
  auto& k = detail::kernel_of({&a});
  const Type type = detail::peer_type({&a});
  return k.make(Op::frexp_exp, type == f16 ? i16 : i32, {k.node(a, type)}, a.where);
}
Value minnum(Arg a, Arg b) { return same_type(Op::minnum, {&a, &b}); }
Value maxnum(Arg a, Arg b) { return same_type(Op::maxnum, {&a, &b}); }
Value minimumnum(Arg a, Arg b) { return same_type(Op::minimumnum, {&a, &b}); }
Value maximumnum(Arg a, Arg b) { return same_type(Op::maximumnum, {&a, &b}); }

Value compare(std::string_view predicate, Arg a, Arg b) {
  auto& k = detail::kernel_of({&a, &b});
  const Type type = detail::peer_type({&a, &b});
  return k.make(type.is_float() ? Op::fcmp : Op::icmp, type.with(Scalar::i1), {k.node(a, type), k.node(b, type)}, a.where,
                {{}, {{"pred", 0, std::string(predicate)}}});
}
Value operator<(Arg a, Arg b) { return compare(detail::floats(a, b) ? "olt" : "slt", a, b); }
Value operator<=(Arg a, Arg b) { return compare(detail::floats(a, b) ? "ole" : "sle", a, b); }
Value operator>(Arg a, Arg b) { return compare(detail::floats(a, b) ? "ogt" : "sgt", a, b); }
Value operator>=(Arg a, Arg b) { return compare(detail::floats(a, b) ? "oge" : "sge", a, b); }
Value operator==(Arg a, Arg b) { return compare(detail::floats(a, b) ? "oeq" : "eq", a, b); }
Value operator!=(Arg a, Arg b) { return compare(detail::floats(a, b) ? "une" : "ne", a, b); }
Value ult(Arg a, Arg b) { return compare("ult", a, b); }
Value ule(Arg a, Arg b) { return compare("ule", a, b); }
Value ugt(Arg a, Arg b) { return compare("ugt", a, b); }
Value uge(Arg a, Arg b) { return compare("uge", a, b); }

Value select(Arg condition, Arg a, Arg b) {
  auto& k = detail::kernel_of({&condition, &a, &b});
  const Type type = detail::peer_type({&a, &b});
  return k.make(Op::select, type, {k.node(condition, i1), k.node(a, type), k.node(b, type)}, condition.where);
}
namespace {
// Class bits of llvm.is.fpclass.
constexpr int nan_classes = 0x003, infinity_classes = 0x204;
Value classify(const Arg& a, int mask) {
  auto& k = detail::kernel_of({&a});
  const Type type = detail::peer_type({&a});
  return k.make(Op::classify, type.with(Scalar::i1), {k.node(a, type)}, a.where, {{}, {{"mask", mask, {}}}});
}
Value fp8_unpack(Op op, const Arg& packed, int byte) {
  auto& k = detail::kernel_of({&packed});
  return k.make(op, f32, {k.node(packed, i32)}, packed.where, {{}, {{"byte", byte, {}}}});
}
Value fp8_pack(Op op, const Arg& a, const Arg& b, const Arg& packed, int word) {
  auto& k = detail::kernel_of({&a, &b, &packed});
  return k.make(op, i32, {k.node(a, f32), k.node(b, f32), k.node(packed, i32)}, a.where, {{}, {{"word", word, {}}}});
}
} // namespace
Value is_nan(Arg a) { return classify(a, nan_classes); }
Value is_inf(Arg a) { return classify(a, infinity_classes); }

Value zext(Arg a, Scalar to) { return detail::cast(Op::zext, a, to); }
Value sext(Arg a, Scalar to) { return detail::cast(Op::sext, a, to); }
Value trunc(Arg a, Scalar to) { return detail::cast(Op::trunc, a, to); }
Value fpcast(Arg a, Scalar to) {
  const Type from = detail::peer_type({&a});
  if (from.scalar == to) return *a.value();
  return detail::cast(bit_width(from.scalar) < bit_width(to) ? Op::fpext : Op::fptrunc, a, to);
}
Value sitofp(Arg a, Scalar to) { return detail::cast(Op::sitofp, a, to); }
Value uitofp(Arg a, Scalar to) { return detail::cast(Op::uitofp, a, to); }
Value fptosi(Arg a, Scalar to) { return detail::cast(Op::fptosi, a, to); }
Value fptoui(Arg a, Scalar to) { return detail::cast(Op::fptoui, a, to); }
Value fptosi_sat(Arg a, Scalar to) { return detail::cast(Op::fptosi_sat, a, to); }
Value fptoui_sat(Arg a, Scalar to) { return detail::cast(Op::fptoui_sat, a, to); }
Value bitcast(Arg a, Type to) {
  auto& k = detail::kernel_of({&a});
  const Type from = detail::peer_type({&a});
  if (from == to) return *a.value();
  return k.make(Op::bitcast, to, {k.node(a, from)}, a.where);
}
Value fp8_to_f32(Arg packed, int byte) { return fp8_unpack(Op::cvt_f32_fp8, packed, byte); }
Value bf8_to_f32(Arg packed, int byte) { return fp8_unpack(Op::cvt_f32_bf8, packed, byte); }
Value f32_to_fp8(Arg a, Arg b, Arg packed, int word) { return fp8_pack(Op::cvt_pk_fp8, a, b, packed, word); }
Value f32_to_bf8(Arg a, Arg b, Arg packed, int word) { return fp8_pack(Op::cvt_pk_bf8, a, b, packed, word); }

} // namespace twinir
