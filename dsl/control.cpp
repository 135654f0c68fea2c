// SPDX-License-Identifier: MIT
// Control flow, synchronisation, matrix and scheduling of a KernelBuilder.
#include "dsl/builder_state.hpp"
#include "dsl/error.hpp"
#include "dsl/matrix.hpp"

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

} // namespace

// --- if

KernelBuilder::Values KernelBuilder::if_values(Arg condition, const std::function<Values()>& then, const std::function<Values()>& otherwise) {
  check_open(condition.where);
  auto* c = node(condition, i1);
  if (c->type != i1) throw UserError({Code::type_mismatch, "a condition of type " + to_string(c->type), "i1", "compare first", place(condition.where)});
  if (c->is_uniform()) return c->bits[0] ? then() : otherwise ? otherwise() : Values{};
  auto& g = state_->graph;
  Action action;
  action.op = Op::if_, action.args = {c};
  action.body = g.enter(false);
  const auto a = nodes(*this, then());
  g.leave(a);
  merge_writes(action, *action.body);
  if (otherwise) {
    action.otherwise = g.enter(false);
    const auto b = nodes(*this, otherwise());
    same_types(a, b, "values of an else branch", condition.where);
    g.leave(b);
    merge_writes(action, *action.otherwise);
  }
  Values results;
  for (auto* n : a) {
    action.results.push_back(g.leaf(n->type, "r", g.current()));
    results.emplace_back(this, action.results.back());
  }
  g.act(std::move(action));
  return results;
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

KernelBuilder::Values KernelBuilder::for_carry(Arg low, Arg high, Arg step, const Values& first,
                                               const std::function<Values(Value, const Values&)>& body, LoopOptions options) {
  check_open(low.where);
  Type type = i32;
  for (const auto* a : {&low, &high, &step})
    if (a->value()) type = a->value()->type();
  auto& g = state_->graph;
  Action action;
  action.op = Op::for_, action.args = {node(low, type), node(high, type), node(step, type)}, action.first = nodes(*this, first);
  if (!options.unroll) action.flags = {"nounroll"};
  action.body = g.enter(true);
  action.carried.push_back(g.leaf(type, options.name, action.body));
  Values inside;
  for (std::size_t i = 0; i < first.size(); ++i) {
    action.carried.push_back(g.leaf(first[i].type(), options.name + "_" + std::to_string(i), action.body));
    inside.emplace_back(this, action.carried.back());
  }
  const auto next = nodes(*this, body(Value(this, action.carried[0]), inside));
  same_types(action.first, next, "next values of a loop", low.where);
  g.leave(next);
  merge_writes(action, *action.body);
  Values results;
  for (const auto& v : first) { // another node than the carried one: an expression of it must not be shared across the loop's end
    action.finals.push_back(g.leaf(v.type(), options.name, g.current()));
    results.emplace_back(this, action.finals.back());
  }
  g.act(std::move(action));
  return results;
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

// --- synchronisation

void KernelBuilder::fence(std::string order, std::string scope) {
  act(Op::fence, {}, std::source_location::current(), {{"order", 0, std::move(order)}, {"scope", 0, std::move(scope)}});
}

void KernelBuilder::barrier() {
  fence("release", "workgroup");
  act(Op::barrier, {}, std::source_location::current());
  fence("acquire", "workgroup");
}

void KernelBuilder::barrier_signal() {
  // Without the fence LLVM does not wait for LDS reads before the signal, and the buffer may be refilled under them.
  fence("release", "workgroup");
  act(Op::barrier_signal, {}, std::source_location::current());
}

void KernelBuilder::barrier_wait() {
  act(Op::barrier_wait, {}, std::source_location::current());
  fence("acquire", "workgroup");
}

void KernelBuilder::async_load(const Pointer& from, const Pointer& to, int bytes, int offset) {
  const auto here = std::source_location::current();
  if (bytes != 4 && bytes != 8 && bytes != 16)
    throw UserError({Code::bad_attribute, "an asynchronous copy of " + std::to_string(bytes) + " bytes", "4, 8 or 16", "split the copy", {}});
  const Op op = bytes == 4 ? Op::async_load_b32 : bytes == 8 ? Op::async_load_b64 : Op::async_load_b128;
  act(op, {node(Arg(from.address(), here), {Scalar::p1, 1}), node(Arg(to.address(), here), {Scalar::p3, 1})}, here, {{"offset", offset, {}}, {"aux", 0, {}}});
}

void KernelBuilder::wait_async(int pending) { act(Op::wait_async, {}, std::source_location::current(), {{"count", pending, {}}}); }

Value KernelBuilder::readfirstlane(Arg value) {
  auto* n = node(value, i32);
  return n->is_constant() ? Value(this, n) : make(Op::readfirstlane, n->type, {n}, value.where);
}

Value KernelBuilder::readlane(Arg value, Arg lane) {
  auto* n = node(value, i32);
  return n->is_constant() ? Value(this, n) : make(Op::readlane, n->type, {n, node(lane, i32)}, value.where);
}

Value KernelBuilder::bpermute(Arg byte, Arg value) {
  return make(Op::bpermute, i32, {node(byte, i32), node(value, i32)}, value.where);
}

Value KernelBuilder::ballot(Arg condition) {
  const bool wide = target_.wave == 64;
  return make(wide ? Op::ballot_b64 : Op::ballot_b32, wide ? i64 : i32, {node(condition, i1)},
              condition.where);
}

// --- matrix and scheduling

Value KernelBuilder::mma(Arg a, Arg b, Arg c) {
  const Scalar number = a.value() && a.value()->type().scalar == Scalar::bf16 ? Scalar::bf16 : Scalar::f16;
  const auto* known = find_matrix_op(target_, number);
  const auto& m = known ? *known : matrix_op(number == Scalar::bf16 ? Op::wmma_16x16x32_bf16 : Op::wmma_16x16x32_f16);
  const auto fragment = [&](const Arg& x) {
    const bool as_bits = x.value() && x.value()->type() == m.fragment.with(m.number) && m.fragment.scalar != m.number;
    return as_bits ? node(bitcast(*x.value(), m.fragment), m.fragment) : node(x, m.fragment);
  };
  auto* const left = fragment(a);
  auto* const right = fragment(b);
  return make(m.op, m.sums(), {left, right, node(c, m.sums())}, a.where);
}

Value KernelBuilder::pin(Arg value) {
  check_open(value.where);
  auto* n = node(value, i32);
  Action action;
  action.kind = Action::Kind::pin;
  action.args = {n};
  state_->graph.act(std::move(action));
  return {this, n};
}

Value KernelBuilder::opaque(Arg value, bool uniform) {
  auto* n = node(value, i32);
  return make(Op::opaque, n->type, {n}, value.where, {{}, {{"register", 0, uniform ? "s" : "v"}}});
}

void KernelBuilder::sched_barrier(int mask) { act(Op::sched_barrier, {}, std::source_location::current(), {{"mask", mask, {}}}); }
void KernelBuilder::setprio(int priority) { act(Op::setprio, {}, std::source_location::current(), {{"priority", priority, {}}}); }

} // namespace twinir
