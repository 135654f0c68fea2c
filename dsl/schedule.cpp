// SPDX-License-Identifier: MIT
// The scheduler: from a graph of values to statements. docs/scheduling.md states the rule and why.
#include "dsl/error.hpp"
#include "dsl/graph.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace twinir::graph {
namespace {

[[noreturn]] void out_of_scope(const Node& n) {
  const std::string what = n.kind == Node::Kind::leaf ? "carried value or result '" + n.hint + "'"
                                                      : "'" + std::string(info(n.op).name) + "'";
  throw OutOfScope({Code::scope_violation,
                    what + " used outside the region it was made in",
                    "a use in that region",
                    "give the value out as a result of the if or the loop",
                    {}},
                   n);
}

class Scheduler {
public:
  Scheduler(Graph& graph, std::unordered_set<std::string>& names) : top_(graph.top()), names_(names) {}

  std::vector<Stmt> run() {
    collect(*top_);
    for (Node* n : order_) bound(*n);
    place_uses(*top_);
    for (auto it = order_.rbegin(); it != order_.rend(); ++it) place(**it);
    for (Node* n : order_)
      if (n->kind == Node::Kind::op) placed_[{n->home, n->slot}].push_back(n);
    return emit(*top_);
  }

private:
  // --- 1. every reachable node, operands first, in the order of a left-to-right walk from the actions
  void collect(Node* root) {
    std::vector<std::pair<Node*, std::size_t>> stack;
    const auto push = [&](Node* n) {
      if (!std::exchange(n->seen, true)) stack.emplace_back(n, 0);
    };
    push(root);
    while (!stack.empty()) {
      auto& [n, next] = stack.back();
      if (next < n->args.size()) push(n->args[next++]);
      else order_.push_back(n), stack.pop_back();
    }
  }
  void collect(Region& r) {
    for (auto& a : r.actions) {
      for (auto* n : a.args) collect(n);
      for (auto* n : a.first) collect(n);
      if (a.body) collect(*a.body);
      if (a.otherwise) collect(*a.otherwise);
    }
  }

  // --- 2. the outermost region a node may be in: that of its innermost operand
  void bound(Node& n) const {
    n.earliest = n.home ? n.home : top_;
    if (n.home) return;
    for (auto* a : n.args)
      if (a->earliest->depth > n.earliest->depth) n.earliest = a->earliest;
  }

  // --- 3. places: users before operands
  void place_uses(Region& r) {
    for (std::size_t i = 0; i < r.actions.size(); ++i) {
      auto& a = r.actions[i];
      for (auto* n : a.args) use(*n, &r, static_cast<int>(i));
      for (auto* n : a.first) use(*n, &r, static_cast<int>(i));
      if (a.kind == Action::Kind::pin)
        for (auto* n : a.args) n->stays = true;
      if (a.body) place_uses(*a.body);
      if (a.otherwise) place_uses(*a.otherwise);
    }
  }

  void place(Node& n) const {
    if (n.kind != Node::Kind::op) return;
    const bool movable = n.effect == Effect::pure && !n.stays;
    while (movable && n.home->loop && n.earliest->depth < n.home->depth) {
      n.slot = n.home->parent_slot;
      n.home = n.home->parent;
    }
    for (auto* a : n.args) use(*a, n.home, n.slot);
  }

  /// Notes a use of `n` before action `slot` of region `r`.
  static void use(Node& n, Region* r, int slot) {
    if (n.kind == Node::Kind::constant) return;
    if (n.kind == Node::Kind::leaf || n.effect != Effect::pure) return use_fixed(n, r, slot);
    if (!std::exchange(n.used, true)) {
      n.home = r, n.slot = slot;
      return;
    }
    while (r != n.home) { // climb both to the innermost common region
      const bool climb_use = r->depth >= n.home->depth, climb_home = r->depth <= n.home->depth;
      if (climb_use) slot = r->parent_slot, r = r->parent;
      if (climb_home) n.slot = n.home->parent_slot, n.home = n.home->parent;
    }
    n.slot = std::min(n.slot, slot);
  }

  static void use_fixed(Node& n, Region* r, int slot) {
    if (!n.home) return; // parameters and LDS arrays are everywhere
    for (; r != n.home; r = r->parent) {
      if (!r->parent) out_of_scope(n);
      slot = r->parent_slot;
    }
    if (n.kind == Node::Kind::leaf) return;
    if (n.effect == Effect::load) slot = std::min(slot, epoch_end(n));
    n.slot = std::exchange(n.used, true) ? std::min(n.slot, slot) : slot;
  }

  static int epoch_end(const Node& n) {
    const auto& ends = n.home->epoch_end[static_cast<std::size_t>(n.space)];
    const auto epoch = static_cast<std::size_t>(n.epoch);
    return epoch < ends.size() ? ends[epoch] : static_cast<int>(n.home->actions.size()) - 1;
  }

  // --- 4. statements and names
  std::string unique(const std::string& hint) {
    std::string name = hint;
    for (int i = 2; !names_.insert(name).second; ++i) name = hint + "_" + std::to_string(i);
    return name;
  }
  void name(Node& n) {
    if (n.hint.empty()) n.name = unique("v" + std::to_string(++values_));
    else n.name = unique(n.hint);
  }

  static Operand operand(const Node& n) {
    if (n.is_constant()) return {{}, n.type, n.bits, n.poison};
    if (n.name.empty()) throw InternalError("a value without a name was used");
    return {n.name, n.type, {}, false};
  }
  static std::vector<Operand> operands(const std::vector<Node*>& nodes) {
    std::vector<Operand> out;
    out.reserve(nodes.size());
    for (const auto* n : nodes) out.push_back(operand(*n));
    return out;
  }

  Stmt statement(Node& n) {
    name(n);
    Stmt s;
    s.op = n.op, s.name = n.name, s.type = n.type, s.element = n.element;
    s.args = operands(n.args);
    s.flags = n.flags, s.attributes = n.attributes, s.mask = n.mask;
    return s;
  }

  std::vector<Stmt> emit(Region& r) {
    std::vector<Stmt> out;
    for (std::size_t i = 0; i < r.actions.size(); ++i) {
      if (const auto it = placed_.find({&r, static_cast<int>(i)}); it != placed_.end())
        for (auto* n : it->second) out.push_back(statement(*n));
      if (r.actions[i].kind == Action::Kind::statement) out.push_back(action(r.actions[i]));
    }
    return out;
  }

  Stmt action(Action& a) {
    Stmt s;
    s.op = a.op, s.args = operands(a.args), s.flags = a.flags, s.attributes = a.attributes;
    if (a.op == Op::if_) branch(a, s);
    else if (a.op == Op::for_)
      loop(a, s);
    else if (a.op == Op::assert_)
      s.name = unique(a.hint);
    else if (!a.results.empty())
      name(*a.results[0]), s.name = a.results[0]->name, s.type = a.results[0]->type;
    return s;
  }

  static const std::vector<Node*>& given(const Region& r) { return r.actions.back().args; }

  void branch(Action& a, Stmt& s) {
    s.name = unique("if" + std::to_string(++stems_));
    s.body = emit(*a.body);
    s.has_else = a.otherwise != nullptr;
    if (a.otherwise) s.otherwise = emit(*a.otherwise);
    for (std::size_t i = 0; i < a.results.size(); ++i) {
      name(*a.results[i]);
      s.results.push_back({a.results[i]->name, a.results[i]->type, operand(*given(*a.body)[i]), operand(*given(*a.otherwise)[i])});
    }
  }

  void loop(Action& a, Stmt& s) {
    s.name = unique("for" + std::to_string(++stems_));
    for (auto* n : a.carried) name(*n);
    for (std::size_t i = 0; i < a.finals.size(); ++i) a.finals[i]->name = a.carried[i + 1]->name;
    s.body = emit(*a.body);
    const auto& counter = *a.carried[0];
    s.carry.push_back({counter.name, operand(*a.args[0]), {counter.name + ".next", counter.type, {}, false}});
    for (std::size_t i = 0; i < a.first.size(); ++i)
      s.carry.push_back({a.carried[i + 1]->name, operand(*a.first[i]), operand(*given(*a.body)[i])});
  }

  Region* top_;
  std::unordered_set<std::string>& names_; // looked up only
  std::vector<Node*> order_;
  std::map<std::pair<Region*, int>, std::vector<Node*>> placed_; // looked up only
  int values_ = 0, stems_ = 0;
};

} // namespace

std::vector<Stmt> schedule(Graph& graph, std::unordered_set<std::string>& names) { return Scheduler(graph, names).run(); }

} // namespace twinir::graph
