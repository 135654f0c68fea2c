// SPDX-License-Identifier: MIT
// Control flow of a KernelBuilder.
#include "dsl/builder_state.hpp"
#include "dsl/error.hpp"

namespace twinir {
namespace {

using graph::Action;
using graph::Node;
using graph::Region;

void merge_writes(Action& action, const Region& inner) {
  for (std::size_t s = 0; s < graph::spaces; ++s) action.writes[s] = action.writes[s] || inner.epoch[s] > 0;
}

std::vector<Node*> nodes(KernelBuilder& k, const std::vector<Value>& values) {
  std::vector<Node*> out;
  for (const auto& v : values) out.push_back(k.node(Arg(v), v.type()));
  return out;
}

[[noreturn]] void bad_count(std::size_t have, std::size_t want, const char* what, const std::source_location& where) {
  throw UserError({Code::type_mismatch, std::to_string(have) + " " + what, std::to_string(want), "give one for each", place(where)});
}

void same_types(const std::vector<Node*>& a, const std::vector<Node*>& b, const char* what, const std::source_location& where) {
  if (a.size() != b.size()) bad_count(b.size(), a.size(), what, where);
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i]->type != b[i]->type)
      throw UserError({Code::type_mismatch, std::string(what) + ": " + to_string(b[i]->type) + " for value " + std::to_string(i), to_string(a[i]->type),
                       "convert the value", place(where)});
}

/// The innermost open block, which must be an `if` or a `for`.
OpenBlock& innermost(std::vector<OpenBlock>& blocks, bool is_if, bool ends_else) {
  const bool ok = !blocks.empty() && blocks.back().is_if() == is_if && !(ends_else && blocks.back().in_else);
  if (ok) return blocks.back();
  const std::string open = blocks.empty()          ? "no open block"
                           : blocks.back().in_else ? "an open else branch"
                           : blocks.back().is_if() ? "an open if"
                                                   : "an open loop";
  throw UserError({Code::open_block,
                   open,
                   is_if ? "an open if" : "an open loop",
                   "end blocks in the order opposite to their beginnings",
                   {}});
}

/// Results need a value on both paths.
void needs_else(std::size_t results, bool has_else, const std::source_location& where) {
  if (results > 0 && !has_else)
    throw UserError({Code::type_mismatch, std::to_string(results) + " results of an if without an else",
                     "an else that gives them, too",
                     "give the values of the other case (in Python: otherwise(), then give())",
                     place(where)});
}

} // namespace

// --- if

void KernelBuilder::begin_if(Arg condition) {
  check_open(condition.where);
  auto* c = node(condition, i1);
  if (c->type != i1) throw UserError({Code::type_mismatch, "a condition of type " + to_string(c->type), "i1", "compare first", place(condition.where)});
  OpenBlock block;
  block.action.op = Op::if_, block.action.args = {c}, block.where = condition.where;
  if (c->is_uniform()) block.known = c->bits[0] != 0;
  if (block.in_region()) block.action.body = state_->graph.enter(false);
  state_->blocks.push_back(std::move(block));
}

/// Ends the arm that is open.
void KernelBuilder::end_arm(const Values& values) {
  auto& b = state_->blocks.back();
  const auto given = nodes(*this, values);
  if (b.in_else && !b.known) same_types(b.values, given, "values of an else branch", b.where);
  if (b.in_region()) state_->graph.leave(given);
  if (b.known ? !b.in_region() : !b.in_else) b.values = given;
}

void KernelBuilder::begin_else(const Values& values) {
  auto& b = innermost(state_->blocks, true, true);
  end_arm(values);
  b.in_else = true;
  if (b.in_region()) (b.known ? b.action.body : b.action.otherwise) = state_->graph.enter(false);
}

KernelBuilder::Values KernelBuilder::end_if(const Values& values) {
  const auto& open = innermost(state_->blocks, true, false);
  needs_else(values.size(), open.in_else, open.where);
  end_arm(values);
  auto b = std::move(state_->blocks.back());
  state_->blocks.pop_back();
  Values results;
  if (b.known) {
    for (auto* n : b.values) results.emplace_back(this, n);
    return results;
  }
  for (const auto* arm : {b.action.body, b.action.otherwise})
    if (arm != nullptr) merge_writes(b.action, *arm);
  for (auto* n : b.values) {
    b.action.results.push_back(state_->graph.leaf(n->type, "r", state_->graph.current()));
    results.emplace_back(this, b.action.results.back());
  }
  state_->graph.act(std::move(b.action));
  return results;
}

KernelBuilder::Values KernelBuilder::if_values(Arg condition, const std::function<Values()>& then,
                                               const std::function<Values()>& otherwise) {
  check_open(condition.where);
  if (const auto* c = node(condition, i1); c->type == i1 && c->is_uniform()) {
    auto results = c->bits[0] ? then() : otherwise ? otherwise() : Values{};
    needs_else(results.size(), otherwise != nullptr, condition.where);
    return results;
  }
  begin_if(condition);
  auto values = then();
  if (otherwise) {
    begin_else(values);
    values = otherwise();
  }
  return end_if(values);
}

void KernelBuilder::if_(Arg condition, const Body& then, const Body& otherwise) {
  const auto none = [](const Body& body) {
    return [&body]() -> Values {
      body();
      return {};
    };
  };
  (void)if_values(condition, none(then), otherwise ? std::function<Values()>(none(otherwise)) : nullptr);
}

Value KernelBuilder::if_value(Arg condition, const std::function<Value()>& then, const std::function<Value()>& otherwise) {
  return if_values(condition, [&] { return Values{then()}; }, [&] { return Values{otherwise()}; })[0];
}

// --- for

KernelBuilder::Values KernelBuilder::begin_for(Arg low, Arg high, Arg step, const Values& first,
                                               LoopOptions options) {
  check_open(low.where);
  Type type = i32;
  for (const auto* a : {&low, &high, &step})
    if (a->value()) type = a->value()->type();
  auto& g = state_->graph;
  OpenBlock block;
  auto& action = block.action;
  action.op = Op::for_, action.args = {node(low, type), node(high, type), node(step, type)}, action.first = nodes(*this, first);
  if (!options.unroll) action.flags = {"nounroll"};
  action.body = g.enter(true);
  action.carried.push_back(g.leaf(type, options.name, action.body));
  for (std::size_t i = 0; i < first.size(); ++i)
    action.carried.push_back(g.leaf(first[i].type(), options.name + "_" + std::to_string(i), action.body));
  Values inside;
  for (auto* n : action.carried) inside.emplace_back(this, n);
  block.where = low.where;
  state_->blocks.push_back(std::move(block));
  return inside;
}

KernelBuilder::Values KernelBuilder::end_for(const Values& next) {
  auto& b = innermost(state_->blocks, false, false);
  const auto given = nodes(*this, next);
  same_types(b.action.first, given, "next values of a loop", b.where);
  auto action = std::move(b.action);
  state_->blocks.pop_back();
  auto& g = state_->graph;
  g.leave(given);
  merge_writes(action, *action.body);
  Values results;
  for (std::size_t i = 1; i < action.carried.size();
       ++i) { // another node than the carried one: an expression of it must not be shared across the loop's
              // end
    action.finals.push_back(g.leaf(action.carried[i]->type, action.carried[0]->hint, g.current()));
    results.emplace_back(this, action.finals.back());
  }
  g.act(std::move(action));
  return results;
}

KernelBuilder::Values KernelBuilder::for_carry(Arg low, Arg high, Arg step, const Values& first,
                                               const std::function<Values(Value, const Values&)>& body,
                                               LoopOptions options) {
  const auto inside = begin_for(low, high, step, first, std::move(options));
  return end_for(body(inside[0], {inside.begin() + 1, inside.end()}));
}

void KernelBuilder::for_range(Arg low, Arg high, Arg step, const std::function<void(Value)>& body, LoopOptions options) {
  (void)for_carry(low, high, step, {}, [&](Value i, const Values&) { return body(i), Values{}; }, std::move(options));
}

void KernelBuilder::return_if(Arg condition) {
  check_open(condition.where);
  auto& g = state_->graph;
  int open = static_cast<int>(state_->returns.size());
  if (g.current()->depth != open)
    throw UserError({Code::early_return_nested, "return_if inside an if or a loop", "it at the top level of the kernel",
                     "guard the rest with if_", place(condition.where)});
  const auto stay = !Value(this, node(condition, i1));
  state_->returns.push_back(stay.node());
  g.enter(false);
}

void KernelBuilder::State::close_return() {
  Action action;
  action.op = Op::if_, action.args = {returns.back()};
  action.body = graph.current();
  returns.pop_back();
  graph.leave({});
  merge_writes(action, *action.body);
  graph.act(std::move(action));
}

} // namespace twinir
