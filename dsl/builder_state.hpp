// SPDX-License-Identifier: MIT
// Internal to dsl: what a KernelBuilder holds.
#pragma once
#include "dsl/builder.hpp"
#include "dsl/graph.hpp"

#include <unordered_set>

namespace twinir {

/// An `if` or `for` whose end has not been met. Of an `if` whose condition is a known constant, the arm that
/// runs is no region, and the other one is a region that is dropped.
struct OpenBlock {
  graph::Action action;
  std::vector<graph::Node*> values; ///< if: of the first arm, or of the arm that runs
  std::optional<bool> known;        ///< if: the condition
  bool in_else = false;
  std::source_location where;

  [[nodiscard]] bool is_if() const { return action.op == Op::if_; }
  [[nodiscard]] bool in_region() const { return !known || *known == in_else; }
};

struct KernelBuilder::State {
  KernelDef def;
  std::map<std::string, std::int64_t> bound; ///< not met yet
  graph::Graph graph;
  std::unordered_set<std::string> names; ///< taken so far; looked up only
  std::vector<graph::Node*> returns;     ///< conditions of the early returns that are open
  std::vector<OpenBlock> blocks;         ///< innermost last
  bool finished = false;

  graph::Node* named_leaf(Type type, const std::string& name) {
    auto* n = graph.leaf(type, name, nullptr);
    n->name = name;
    return n;
  }
  /// Ends the region that runs where the innermost early return did not.
  void close_return();
};

/// Runs `check`; a UserError without a place gets this one.
void with_place(const std::source_location& where, const std::function<void()>& check);

} // namespace twinir
