// SPDX-License-Identifier: MIT
// Internal to dsl: the graph of immutable values that a builder makes and the scheduler orders.
#pragma once
// Nothing here may depend on the order in which nodes are made: C++ leaves open the order in which operands are
// evaluated. Addresses identify nodes; they never decide an order.
#include "dsl/error.hpp"
#include "dsl/kernel_def.hpp"

#include <array>
#include <deque>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace twinir::graph {

/// Kinds of memory that effects order loads against; a load belongs to one.
enum class Space : std::uint8_t { global, lds, invariant, none };
inline constexpr std::size_t spaces = 3;

struct Region;

struct Node {
  enum class Kind : std::uint8_t { constant, leaf, op };
  Kind kind = Kind::op;
  Op op{};
  Type type, element;
  std::vector<Node*> args;
  std::vector<std::string> flags;
  std::vector<Attribute> attributes;
  std::vector<int> mask;
  std::vector<std::uint64_t> bits; ///< constants
  bool poison = false;

  Effect effect = Effect::pure;
  Space space = Space::none;  ///< loads: what they read
  int epoch = 0;              ///< loads: writes to `space` in `home` before this one
  Region* home = nullptr;     ///< fixed for loads, convergent ops and carried values; else found by the scheduler
  Region* earliest = nullptr; ///< the outermost region it may be in
  int slot = 0;               ///< the effect of `home` before which it is placed
  bool stays = false;         ///< not moved in front of loops (pinned)
  bool seen = false, used = false;
  std::string hint, name;

  [[nodiscard]] bool is_constant() const { return kind == Kind::constant; }
  /// A constant with the same bits in every lane.
  [[nodiscard]] bool is_uniform() const { return is_constant() && !poison && bits.size() == 1; }
};

/// A value that is fixed to a region and used outside of it.
class OutOfScope : public UserError {
public:
  OutOfScope(Diagnostic diagnostic, const Node& node) : UserError(std::move(diagnostic)), node_(&node) {}
  /// The value; it lives as long as its builder.
  [[nodiscard]] const Node* node() const { return node_; }

private:
  const Node* node_;
};

/// Something that happens where it was written: a statement, a region, or a marker without code.
struct Action {
  enum class Kind : std::uint8_t { statement, pin, end };
  Kind kind = Kind::statement;
  Op op{};
  std::vector<Node*> args;
  std::vector<std::string> flags;
  std::vector<Attribute> attributes;
  Region *body = nullptr, *otherwise = nullptr;
  std::vector<Node*> carried, first; ///< for: names in the loop and first values; [0] is the counter
  std::vector<Node*> finals;         ///< for: the same values after the loop (the counter's is not offered)
  std::vector<Node*> results;        ///< if; the old value of an atomic
  std::string hint;                  ///< assert: its name
  std::array<bool, spaces> writes{}; ///< which loads may not move across it
};

struct Region {
  Region* parent = nullptr;
  int parent_slot = 0, depth = 0;
  bool loop = false;
  std::vector<Action> actions;                       ///< the last one is `end`, whose args are the values given out
  std::array<int, spaces> epoch{};                   ///< writes so far
  std::array<std::vector<int>, spaces> epoch_end{};  ///< the slot that ended each epoch
};

/// Owns nodes and regions; makes equal nodes one.
class Graph {
public:
  Graph();
  [[nodiscard]] Region* top() { return &regions_.front(); }
  [[nodiscard]] Region* current() const { return current_; }

  /// The node equal to `node` if there is one, else a new one. Loads and convergent ops get the current region.
  Node* intern(Node node);
  /// A leaf of its own (parameter, LDS array, carried value, result).
  Node* leaf(Type type, std::string hint, Region* home);
  Node* constant(Type type, std::vector<std::uint64_t> bits);
  Node* poison(Type type);

  Action& act(Action action);
  /// A region inside the current one; it belongs to the action that is added next.
  Region* enter(bool loop);
  void leave(std::vector<Node*> values);

private:
  std::deque<Node> nodes_;
  std::deque<Region> regions_;
  std::unordered_map<std::string, Node*> interned_; // looked up only
  Region* current_;
};

/// Orders the graph (docs/scheduling.md) and gives every value its name.
[[nodiscard]] std::vector<Stmt> schedule(Graph& graph, std::unordered_set<std::string>& names);

/// A simpler node for `node`, or nullptr: constants are folded, neutral elements dropped (dsl/fold.cpp).
[[nodiscard]] Node* fold(Graph& graph, Node& node);

} // namespace twinir::graph
