// SPDX-License-Identifier: MIT
#include "dsl/graph.hpp"

#include "dsl/error.hpp"

#include <algorithm>

namespace twinir::graph {
namespace {

// A kernel of this many values is a mistake in unrolling; the emitted text would be hundreds of megabytes.
constexpr std::size_t max_nodes = 1'000'000;

void append(std::string& key, const void* pointer) {
  key.append(reinterpret_cast<const char*>(&pointer), sizeof pointer);
  key += '|';
}
void append(std::string& key, Type type) {
  key += static_cast<char>(type.scalar);
  key += static_cast<char>(type.lanes);
}

/// Text that is equal for equal nodes. Addresses of operands identify them.
std::string key_of(const Node& n) {
  std::string key;
  key.reserve(64);
  key += static_cast<char>(n.kind);
  key += static_cast<char>(n.op);
  append(key, n.type);
  append(key, n.element);
  for (const auto* a : n.args) append(key, a);
  for (const auto& f : n.flags) key += f + ',';
  for (const auto& a : n.attributes) key += a.key + '=' + std::to_string(a.value) + a.word + ',';
  for (int m : n.mask) key += std::to_string(m) + ',';
  for (auto b : n.bits) key += std::to_string(b) + ',';
  if (n.poison) key += 'p';
  if (n.home) append(key, n.home);
  if (n.effect == Effect::load) key += std::to_string(static_cast<int>(n.space)) + '@' + std::to_string(n.epoch);
  return key;
}

/// A division traps when it runs although its guard would have kept it from running: it stays where it was made.
bool may_trap(const Node& n) {
  const bool division = n.op == Op::udiv || n.op == Op::sdiv || n.op == Op::urem || n.op == Op::srem;
  return division && !n.args[1]->is_constant();
}

} // namespace

Graph::Graph() {
  regions_.emplace_back();
  current_ = &regions_.front();
}

Node* Graph::intern(Node node) {
  if (node.kind == Node::Kind::op) {
    node.effect = may_trap(node) ? Effect::convergent : info(node.op).effect;
    if (node.effect == Effect::load || node.effect == Effect::convergent) node.home = current_;
    if (node.effect == Effect::load) node.epoch = current_->epoch[static_cast<std::size_t>(node.space)];
  }
  // Every opaque value is one of its own: that is what authors ask of it.
  const bool shared = node.kind != Node::Kind::op || node.op != Op::opaque;
  if (!shared) return &nodes_.emplace_back(std::move(node));
  auto [it, fresh] = interned_.try_emplace(key_of(node), nullptr);
  if (!fresh) return it->second;
  if (nodes_.size() >= max_nodes)
    throw UserError({Code::bad_unroll, std::to_string(max_nodes) + " values in one kernel", "fewer",
                     "unroll less in the host language and use for_range", {}});
  return it->second = &nodes_.emplace_back(std::move(node));
}

Node* Graph::leaf(Type type, std::string hint, Region* home) {
  Node n;
  n.kind = Node::Kind::leaf;
  n.type = type;
  n.hint = std::move(hint);
  n.home = home;
  return &nodes_.emplace_back(std::move(n));
}

Node* Graph::constant(Type type, std::vector<std::uint64_t> bits) {
  if (std::ranges::all_of(bits, [&](auto b) { return b == bits[0]; })) bits.resize(1);
  Node n;
  n.kind = Node::Kind::constant;
  n.type = type;
  n.bits = std::move(bits);
  return intern(std::move(n));
}

Node* Graph::poison(Type type) {
  Node n;
  n.kind = Node::Kind::constant;
  n.type = type;
  n.poison = true;
  return intern(std::move(n));
}

Action& Graph::act(Action action) {
  auto& r = *current_;
  for (std::size_t s = 0; s < spaces; ++s)
    if (action.writes[s]) ++r.epoch[s], r.epoch_end[s].push_back(static_cast<int>(r.actions.size()));
  return r.actions.emplace_back(std::move(action));
}

Region* Graph::enter(bool loop) {
  auto& r = regions_.emplace_back();
  r.parent = current_;
  r.parent_slot = static_cast<int>(current_->actions.size());
  r.depth = current_->depth + 1;
  r.loop = loop;
  return current_ = &r;
}

void Graph::leave(std::vector<Node*> values) {
  Action end;
  end.kind = Action::Kind::end;
  end.args = std::move(values);
  current_->actions.push_back(std::move(end));
  if (current_->parent) current_ = current_->parent;
}

} // namespace twinir::graph
