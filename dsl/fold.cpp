// SPDX-License-Identifier: MIT
// Simplification when a node is made. Only what is exact for every input, so that a kernel with an extent bound as a
// constant is the shape-generic kernel with that extent filled in.
#include "dsl/constant.hpp"
#include "dsl/error.hpp"
#include "dsl/graph.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

namespace twinir::graph {
namespace {

using Word = std::uint64_t;

bool is_word(const Node* n, Word w) { return n->is_uniform() && n->bits[0] == w; }
bool is_float(const Node* n, double v) {
  return n->is_uniform() && n->bits[0] == float_bits(n->type.scalar, v);
}

std::optional<Word> shift(Op op, Scalar s, Word a, Word b) {
  if (b >= bit_width(s)) return std::nullopt; // the verifier names it
  switch (op) {
  case Op::shl: return truncated(s, a << b);
  case Op::lshr: return a >> b;
  default: return truncated(s, static_cast<Word>(signed_value(s, a) >> b));
  }
}

std::optional<Word> divide(Op op, Scalar s, Word a, Word b) {
  if (b == 0) return std::nullopt; // the verifier names it
  if (op == Op::udiv) return a / b;
  if (op == Op::urem) return a % b;
  const auto x = signed_value(s, a), y = signed_value(s, b);
  if (y == -1) return op == Op::srem ? std::optional<Word>(0) : truncated(s, Word{0} - a);
  return truncated(s, static_cast<Word>(op == Op::sdiv ? x / y : x % y));
}

std::optional<Word> evaluate(Op op, Scalar s, Word a, Word b) {
  const auto x = signed_value(s, a), y = signed_value(s, b);
  switch (op) {
  case Op::add: return truncated(s, a + b);
  case Op::sub: return truncated(s, a - b);
  case Op::mul: return truncated(s, a * b);
  case Op::and_: return a & b;
  case Op::or_: return a | b;
  case Op::xor_: return a ^ b;
  case Op::umin: return a < b ? a : b;
  case Op::umax: return a < b ? b : a;
  case Op::smin: return x < y ? a : b;
  case Op::smax: return x < y ? b : a;
  case Op::shl:
  case Op::lshr:
  case Op::ashr: return shift(op, s, a, b);
  case Op::udiv:
  case Op::urem:
  case Op::sdiv:
  case Op::srem: return divide(op, s, a, b);
  default: return std::nullopt;
  }
}

bool compare(std::string_view pred, Scalar s, Word a, Word b) {
  const auto x = signed_value(s, a), y = signed_value(s, b);
  if (pred == "eq") return a == b;
  if (pred == "ne") return a != b;
  if (pred == "ult") return a < b;
  if (pred == "ule") return a <= b;
  if (pred == "ugt") return a > b;
  if (pred == "uge") return a >= b;
  if (pred == "slt") return x < y;
  if (pred == "sle") return x <= y;
  return pred == "sgt" ? x > y : x >= y;
}

bool commutes(Op op) {
  switch (op) {
  case Op::add:
  case Op::mul:
  case Op::and_:
  case Op::or_:
  case Op::xor_:
  case Op::umin:
  case Op::umax:
  case Op::smin:
  case Op::smax:
  case Op::fadd:
  case Op::fmul: return true;
  default: return false;
  }
}

/// a op b where b (or for sub also a) is the neutral or absorbing element.
Node* neutral_int(Graph& g, const Node& n) {
  Node *a = n.args[0], *b = n.args[1];
  const Word ones = truncated(n.type.scalar, ~Word{0});
  switch (n.op) {
  case Op::add:
  case Op::sub:
  case Op::or_:
  case Op::xor_:
  case Op::shl:
  case Op::lshr:
  case Op::ashr: return is_word(b, 0) ? a : nullptr;
  case Op::mul: return is_word(b, 1) ? a : is_word(b, 0) ? b : nullptr;
  case Op::and_: return is_word(b, ones) ? a : is_word(b, 0) ? b : nullptr;
  case Op::udiv:
  case Op::sdiv: return is_word(b, 1) ? a : nullptr;
  case Op::urem: return is_word(b, 1) ? g.constant(n.type, {0}) : nullptr;
  default: return nullptr;
  }
}

Node* fold_int_binary(Graph& g, Node& n) {
  if (n.args[0]->is_uniform() && n.args[1]->is_uniform())
    if (const auto word = evaluate(n.op, n.type.scalar, n.args[0]->bits[0], n.args[1]->bits[0])) return g.constant(n.type, {*word});
  return neutral_int(g, n);
}

/// A constant with a NaN in some lane. Arithmetic makes it quiet and may choose another payload, so it is not
/// folded; what only moves bits (select) is.
bool has_nan(const Node* n) {
  return n->is_constant() && std::ranges::any_of(n->bits, [&](Word w) { return is_nan(n->type.scalar, w); });
}

Node* fold_float_binary(Graph&, Node& n) {
  Node *a = n.args[0], *b = n.args[1];
  if (has_nan(a)) return nullptr;
  if (n.op == Op::fmul && is_float(b, 1)) return a;
  if (n.op == Op::fdiv && is_float(b, 1)) return a;
  if (n.op == Op::fadd && is_float(b, -0.0)) return a; // x + -0 is x for every x; x + +0 is not for -0
  if (n.op == Op::fsub && is_float(b, 0)) return a;
  return nullptr;
}

Node* fold_fma(Graph& g, Node& n) {
  if (n.args[0]->is_constant() && !n.args[1]->is_constant()) std::swap(n.args[0], n.args[1]);
  if (!is_float(n.args[1], 1) || has_nan(n.args[0]) || has_nan(n.args[2])) return nullptr;
  Node sum;
  sum.op = Op::fadd, sum.type = n.type, sum.args = {n.args[0], n.args[2]};
  if (auto* simpler = fold(g, sum)) return simpler;
  return g.intern(std::move(sum));
}

Node* fold_icmp(Graph& g, Node& n) {
  if (!n.args[0]->is_uniform() || !n.args[1]->is_uniform()) return nullptr;
  const auto s = n.args[0]->type.scalar;
  return g.constant(n.type, {compare(n.attributes[0].word, s, n.args[0]->bits[0], n.args[1]->bits[0]) ? Word{1} : Word{0}});
}

Node* fold_select(Graph&, Node& n) {
  if (n.args[0]->is_uniform()) return n.args[0]->bits[0] ? n.args[1] : n.args[2];
  return n.args[1] == n.args[2] ? n.args[1] : nullptr;
}

Node* fold_cast(Graph& g, Node& n) {
  if (!n.args[0]->is_uniform()) return nullptr;
  const auto from = n.args[0]->type.scalar;
  const auto word = n.args[0]->bits[0];
  const auto wide = n.op == Op::sext ? static_cast<Word>(signed_value(from, word)) : word;
  return g.constant(n.type, {truncated(n.type.scalar, wide)});
}

} // namespace

Node* fold(Graph& graph, Node& node) {
  if (node.args.size() == 2 && commutes(node.op) && node.args[0]->is_constant() && !node.args[1]->is_constant())
    std::swap(node.args[0], node.args[1]);
  switch (info(node.op).rule) {
  case TypeRule::int_binary: return fold_int_binary(graph, node);
  case TypeRule::float_binary: return fold_float_binary(graph, node);
  case TypeRule::icmp: return fold_icmp(graph, node);
  case TypeRule::select: return fold_select(graph, node);
  case TypeRule::int_narrow:
  case TypeRule::int_widen: return fold_cast(graph, node);
  default: return node.op == Op::fma ? fold_fma(graph, node) : nullptr;
  }
}

} // namespace twinir::graph
