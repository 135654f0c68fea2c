// SPDX-License-Identifier: MIT
// The interpreter's control flow, barriers and scheduling hints.
#include "dsl/constant.hpp"
#include "dsl/interpret_group.hpp"

#include <algorithm>

namespace twinir::interp {
namespace {

using Mask = std::vector<std::uint8_t>;

/// The active items for which the i1 operand equals `wanted`.
Mask where(Group& g, const Operand& condition, bool wanted) {
  Mask out(g.items(), 0);
  const auto v = g.view(condition);
  g.each_item([&](std::size_t item) { out[item] = (g.use(v, item) != 0) == wanted; });
  return out;
}

/// A copy of an operand's words for the items of `mask`, poison included.
void assign(Group& g, const Mask& mask, const std::string& name, Type type, const Operand& from) {
  auto& to = g.place(name, type);
  const auto v = g.view(from);
  for (std::size_t item = 0; item < g.items(); ++item)
    for (std::size_t i = 0; mask[item] && i < to.words; ++i) Group::put(to, item, i, v.word(item, i), v.is_poison(item, i));
}

void assign_results(Group& g, const Stmt& s, const Mask& mask, bool then) {
  if (std::ranges::find(mask, 1) == mask.end()) return;
  for (const auto& r : s.results) assign(g, mask, r.name, r.type, then ? r.then_value : r.else_value);
}

/// The items of `mask` whose counter is below the upper bound.
Mask still_in(Group& g, const Stmt& s, const Mask& mask) {
  const auto type = s.args[0].type.scalar;
  const auto counter = g.view({s.carry[0].name, s.args[0].type, {}, false}), upper = g.view(s.args[1]);
  Mask out(mask.size(), 0);
  for (std::size_t item = 0; item < mask.size(); ++item)
    out[item] = mask[item] && signed_value(type, g.use(counter, item)) < signed_value(type, g.use(upper, item));
  return out;
}

/// The next values of all carried values at once: one may be the present value of another.
void advance(Group& g, const Stmt& s, const Mask& mask) {
  const auto type = s.args[0].type;
  auto& counter = g.place(s.carry[0].name, type);
  const auto step = g.view(s.args[2]);
  for (std::size_t i = 1; i < s.carry.size(); ++i) assign(g, mask, s.carry[i].name + ".new", s.carry[i].init.type, s.carry[i].next);
  for (std::size_t item = 0; item < mask.size(); ++item)
    if (mask[item]) Group::put(counter, item, 0, truncated(type.scalar, counter.bits[item] + g.use(step, item)));
  for (std::size_t i = 1; i < s.carry.size(); ++i)
    assign(g, mask, s.carry[i].name, s.carry[i].init.type, {s.carry[i].name + ".new", s.carry[i].init.type, {}, false});
}

void nothing(Group&, const Stmt&) {}

} // namespace

template <> void perform<Op::if_>(Group& g, const Stmt& s) {
  const auto then = where(g, s.args[0], true), otherwise = where(g, s.args[0], false);
  g.run_masked(then, s.body);
  assign_results(g, s, then, true);
  g.run_masked(otherwise, s.otherwise);
  assign_results(g, s, otherwise, false);
}

// Items that leave keep their carried values; the loop ends when none is left.
template <> void perform<Op::for_>(Group& g, const Stmt& s) {
  for (const auto& c : s.carry) assign(g, g.mask(), c.name, c.init.type, c.init);
  for (auto mask = still_in(g, s, g.mask()); std::ranges::find(mask, 1) != mask.end(); mask = still_in(g, s, mask)) {
    g.run_masked(mask, s.body);
    advance(g, s, mask);
  }
}

template <> void perform<Op::barrier>(Group& g, const Stmt&) { g.require_whole_group("a barrier"); }
template <> void perform<Op::barrier_signal>(Group& g, const Stmt&) {
  g.require_whole_group("a barrier signal");
  if (g.signals != 0)
    g.fault(Code::exec_divergent_barrier, "a second arrival at the barrier without a wait between", "one signal for every wait", "wait first");
  ++g.signals;
}
template <> void perform<Op::barrier_wait>(Group& g, const Stmt&) {
  g.require_whole_group("a barrier wait");
  if (g.signals == 0) g.fault(Code::exec_divergent_barrier, "a barrier wait before any signal", "one signal for every wait", "signal first");
  --g.signals;
}

// Lockstep keeps memory in order, and hints have no meaning.
template <> void perform<Op::fence>(Group& g, const Stmt& s) { nothing(g, s); }
template <> void perform<Op::sched_barrier>(Group& g, const Stmt& s) { nothing(g, s); }
template <> void perform<Op::setprio>(Group& g, const Stmt& s) { nothing(g, s); }
template <> void perform<Op::opaque>(Group& g, const Stmt& s) {
  map_elements<1>(g, s, [](Word a) { return a; });
}

} // namespace twinir::interp
