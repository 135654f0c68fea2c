// SPDX-License-Identifier: MIT
// Value: a handle to an immutable value of a kernel under construction, and the operators on it.
#pragma once
// Guarantees: operators only describe; nothing is emitted until KernelBuilder::finish(). The kernel does not depend
// on the order in which C++ evaluates operands. Refuses wrong types with type_mismatch at the author's own line.
#include "dsl/op.hpp"
#include "dsl/type.hpp"

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <source_location>
#include <span>
#include <variant>
#include <vector>

namespace twinir {

namespace graph {
struct Node;
}
class KernelBuilder;

/// A value of one kernel. Copies are the same value.
class Value {
public:
  Value() = default; ///< no value; using it is refused with foreign_value
  Value(KernelBuilder* kernel, graph::Node* node) : kernel_(kernel), node_(node) {}

  [[nodiscard]] Type type() const;
  /// Element `i` of a vector; refuses an index out of range.
  [[nodiscard]] Value operator[](int i) const;
  [[nodiscard]] KernelBuilder* kernel() const { return kernel_; }
  [[nodiscard]] graph::Node* node() const { return node_; }
  /// Is this a constant that is the same in every lane? Then its bits; else empty.
  [[nodiscard]] std::optional<std::uint64_t> constant() const;

private:
  KernelBuilder* kernel_ = nullptr;
  graph::Node* node_ = nullptr;
};

/// An operand: a value, or a C++ number that takes the type of its neighbour; and where it was written.
struct Arg {
  std::variant<Value, std::int64_t, double> what;
  std::source_location where;

  Arg(Value v, std::source_location at = std::source_location::current()) : what(v), where(at) {}
  template <class R>
    requires std::convertible_to<R, Value> && (!std::same_as<R, Value>) && (!std::is_arithmetic_v<R>)
  Arg(const R& ref, std::source_location at = std::source_location::current()) : what(Value(ref)), where(at) {}
  template <std::integral I>
  Arg(I number, std::source_location at = std::source_location::current())
      : what(static_cast<std::int64_t>(number)), where(at) {}
  template <std::floating_point F>
  Arg(F number, std::source_location at = std::source_location::current()) : what(static_cast<double>(number)), where(at) {}

  [[nodiscard]] const Value* value() const { return std::get_if<Value>(&what); }
};

/// Wrap promises of an integer operation: breaking one gives poison.
enum class Wrap : std::uint8_t { free, nuw, nsw, nuw_nsw };

// Arithmetic. + - * / work on integers (signed) and floats; % is the signed remainder; >> keeps the sign.
[[nodiscard]] Value operator+(Arg a, Arg b);
[[nodiscard]] Value operator-(Arg a, Arg b);
[[nodiscard]] Value operator*(Arg a, Arg b);
[[nodiscard]] Value operator/(Arg a, Arg b);
[[nodiscard]] Value operator%(Arg a, Arg b);
[[nodiscard]] Value operator&(Arg a, Arg b);
[[nodiscard]] Value operator|(Arg a, Arg b);
[[nodiscard]] Value operator^(Arg a, Arg b);
[[nodiscard]] Value operator<<(Arg a, Arg b);
[[nodiscard]] Value operator>>(Arg a, Arg b);
[[nodiscard]] Value operator-(Arg a);
[[nodiscard]] Value operator~(Arg a);
/// Logical not of an i1.
[[nodiscard]] Value operator!(Arg a);
[[nodiscard]] Value add(Arg a, Arg b, Wrap wrap);
[[nodiscard]] Value sub(Arg a, Arg b, Wrap wrap);
[[nodiscard]] Value mul(Arg a, Arg b, Wrap wrap);
[[nodiscard]] Value udiv(Arg a, Arg b);
[[nodiscard]] Value urem(Arg a, Arg b);
[[nodiscard]] Value lshr(Arg a, Arg b);
/// High 32 bits of the product of two i32, unsigned and signed.
[[nodiscard]] Value umulh(Arg a, Arg b);
[[nodiscard]] Value smulh(Arg a, Arg b);
/// `width` bits of `a` from bit `low`, extended with zeros.
[[nodiscard]] Value bitfield(Arg a, int low, int width);
[[nodiscard]] Value umin(Arg a, Arg b);
[[nodiscard]] Value umax(Arg a, Arg b);
[[nodiscard]] Value smin(Arg a, Arg b);
[[nodiscard]] Value smax(Arg a, Arg b);
[[nodiscard]] Value ctpop(Arg a);
[[nodiscard]] Value ctlz(Arg a);
[[nodiscard]] Value cttz(Arg a);
[[nodiscard]] Value bitreverse(Arg a);

// Floats. Nothing is contracted unless asked for: fma is one rounding, a * b + c is two.
[[nodiscard]] Value fma(Arg a, Arg b, Arg c);
/// a * b + c that the code generator may contract.
[[nodiscard]] Value contract(Arg a, Arg b, Arg c);
[[nodiscard]] Value fabs(Arg a);
[[nodiscard]] Value sqrt(Arg a);
[[nodiscard]] Value rsq(Arg a);
[[nodiscard]] Value rcp(Arg a);
[[nodiscard]] Value exp2(Arg a);
[[nodiscard]] Value log2(Arg a);
[[nodiscard]] Value floor(Arg a);
[[nodiscard]] Value ceil(Arg a);
[[nodiscard]] Value ftrunc(Arg a);
[[nodiscard]] Value rint(Arg a);
[[nodiscard]] Value canonicalize(Arg a);
[[nodiscard]] Value copysign(Arg magnitude, Arg sign);
[[nodiscard]] Value ldexp(Arg a, Arg exponent);
[[nodiscard]] Value frexp_mant(Arg a);
[[nodiscard]] Value frexp_exp(Arg a);
/// Smaller or larger; minnum and maxnum give the other operand for one NaN, minimumnum and maximumnum also order -0 below +0.
[[nodiscard]] Value minnum(Arg a, Arg b);
[[nodiscard]] Value maxnum(Arg a, Arg b);
[[nodiscard]] Value minimumnum(Arg a, Arg b);
[[nodiscard]] Value maximumnum(Arg a, Arg b);

// Comparison. < <= > >= are signed for integers and ordered for floats; != on floats is true for NaN.
[[nodiscard]] Value operator<(Arg a, Arg b);
[[nodiscard]] Value operator<=(Arg a, Arg b);
[[nodiscard]] Value operator>(Arg a, Arg b);
[[nodiscard]] Value operator>=(Arg a, Arg b);
[[nodiscard]] Value operator==(Arg a, Arg b);
[[nodiscard]] Value operator!=(Arg a, Arg b);
[[nodiscard]] Value ult(Arg a, Arg b);
[[nodiscard]] Value ule(Arg a, Arg b);
[[nodiscard]] Value ugt(Arg a, Arg b);
[[nodiscard]] Value uge(Arg a, Arg b);
/// Any predicate of icmp or fcmp by its name.
[[nodiscard]] Value compare(std::string_view predicate, Arg a, Arg b);
[[nodiscard]] Value select(Arg condition, Arg a, Arg b);
[[nodiscard]] Value is_nan(Arg a);
[[nodiscard]] Value is_inf(Arg a);

// Conversion; lanes stay.
[[nodiscard]] Value zext(Arg a, Scalar to);
[[nodiscard]] Value sext(Arg a, Scalar to);
[[nodiscard]] Value trunc(Arg a, Scalar to);
/// Between float kinds: fpext, fptrunc, or the value itself.
[[nodiscard]] Value fpcast(Arg a, Scalar to);
[[nodiscard]] Value sitofp(Arg a, Scalar to);
[[nodiscard]] Value uitofp(Arg a, Scalar to);
[[nodiscard]] Value fptosi(Arg a, Scalar to);
[[nodiscard]] Value fptoui(Arg a, Scalar to);
[[nodiscard]] Value fptosi_sat(Arg a, Scalar to);
[[nodiscard]] Value fptoui_sat(Arg a, Scalar to);
[[nodiscard]] Value bitcast(Arg a, Type to);
/// fp8 (e4m3) and bf8 (e5m2) in the bytes of an i32, on targets that have them.
[[nodiscard]] Value fp8_to_f32(Arg packed, int byte);
[[nodiscard]] Value bf8_to_f32(Arg packed, int byte);
[[nodiscard]] Value f32_to_fp8(Arg a, Arg b, Arg packed, int word);
[[nodiscard]] Value f32_to_bf8(Arg a, Arg b, Arg packed, int word);

// Vectors.
[[nodiscard]] Value splat(Arg scalar, int lanes);
[[nodiscard]] Value vector_of(std::span<const Value> elements);
[[nodiscard]] Value extract(Arg vector, Arg index);
[[nodiscard]] Value insert(Arg vector, Arg element, Arg index);
[[nodiscard]] Value shuffle(Arg a, Arg b, std::vector<int> mask);
/// All elements of a, then all of b.
[[nodiscard]] Value concat(Arg a, Arg b);
/// `count` elements from element `first` on; a scalar when count is 1.
[[nodiscard]] Value slice(Arg a, int first, int count);
/// Sum, largest or smallest of the elements, as a tree of pairs.
[[nodiscard]] Value reduce_add(Arg a);
[[nodiscard]] Value reduce_max(Arg a);
[[nodiscard]] Value reduce_min(Arg a);

} // namespace twinir
