// SPDX-License-Identifier: MIT
// Vectors of values.
#include "dsl/build_internal.hpp"

#include <numeric>

namespace twinir {
namespace {

std::vector<int> range(int first, int count) {
  std::vector<int> mask(static_cast<std::size_t>(count));
  std::iota(mask.begin(), mask.end(), first);
  return mask;
}

/// Combines neighbours until one is left: the same tree for every compiler.
Value reduce(const Arg& a, const std::function<Value(Value, Value)>& combine) {
  const int lanes = detail::peer_type({&a}).lanes;
  std::vector<Value> level;
  for (int i = 0; i < lanes; ++i) level.push_back(lanes == 1 ? *a.value() : extract(a, Arg(i, a.where)));
  while (level.size() > 1) {
    std::vector<Value> next;
    for (std::size_t i = 0; i + 1 < level.size(); i += 2) next.push_back(combine(level[i], level[i + 1]));
    if (level.size() % 2) next.push_back(level.back());
    level = std::move(next);
  }
  return level.front();
}

} // namespace

Type Value::type() const { return node_ ? node_->type : Type{}; }

Value Value::operator[](int i) const { return extract(*this, i); }

std::optional<std::uint64_t> Value::constant() const {
  return node_ && node_->is_uniform() ? std::optional(node_->bits[0]) : std::nullopt;
}

Value extract(Arg vector, Arg index) {
  auto& k = detail::kernel_of({&vector});
  const Type type = detail::peer_type({&vector});
  return k.make(Op::extract, type.element(), {k.node(vector, type), k.node(index, i32)}, vector.where);
}

Value insert(Arg vector, Arg element, Arg index) {
  auto& k = detail::kernel_of({&vector});
  const Type type = detail::peer_type({&vector});
  return k.make(Op::insert, type, {k.node(vector, type), k.node(element, type.element()), k.node(index, i32)}, vector.where);
}

Value shuffle(Arg a, Arg b, std::vector<int> mask) {
  auto& k = detail::kernel_of({&a, &b});
  const Type from = detail::peer_type({&a, &b}), to = from.with_lanes(static_cast<int>(mask.size()));
  return k.make(Op::shuffle, to, {k.node(a, from), k.node(b, from)}, a.where, {{}, {}, std::move(mask)});
}

Value splat(Arg scalar, int lanes) {
  auto& k = detail::kernel_of({&scalar});
  const Type type = detail::peer_type({&scalar});
  if (lanes == 1) return *scalar.value();
  const Type wide = type.with_lanes(lanes);
  if (scalar.value()->constant()) return k.constant(wide, std::vector{*scalar.value()->constant()});
  const Value none(&k, k.poison(wide).node());
  return twinir::shuffle(insert(none, scalar, 0), none, std::vector<int>(static_cast<std::size_t>(lanes), 0));
}

Value vector_of(std::span<const Value> elements) {
  if (elements.empty())
    throw UserError({Code::type_mismatch, "a vector of no elements", "2 to 32 elements", "give some", {}});
  if (elements.size() == 1) return elements[0];
  auto& k = *elements[0].kernel();
  auto vector = k.poison(elements[0].type().with_lanes(static_cast<int>(elements.size())));
  for (std::size_t i = 0; i < elements.size(); ++i) vector = insert(vector, elements[i], static_cast<int>(i));
  return vector;
}

Value concat(Arg a, Arg b) {
  const int lanes = detail::peer_type({&a}).lanes;
  return twinir::shuffle(a, b, range(0, 2 * lanes));
}

Value slice(Arg a, int first, int count) {
  const int lanes = detail::peer_type({&a}).lanes;
  if (count == lanes && first == 0) return *a.value();
  if (count == 1) return extract(a, Arg(first, a.where));
  auto& k = detail::kernel_of({&a});
  return twinir::shuffle(a, k.poison(detail::peer_type({&a})), range(first, count));
}

Value reduce_add(Arg a) {
  return reduce(a, [](Value x, Value y) { return x + y; });
}
Value reduce_max(Arg a) {
  const bool floats = detail::peer_type({&a}).is_float();
  return reduce(a, [&](Value x, Value y) { return floats ? maxnum(x, y) : smax(x, y); });
}
Value reduce_min(Arg a) {
  const bool floats = detail::peer_type({&a}).is_float();
  return reduce(a, [&](Value x, Value y) { return floats ? minnum(x, y) : smin(x, y); });
}

} // namespace twinir
