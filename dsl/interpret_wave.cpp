// SPDX-License-Identifier: MIT
// The interpreter's wave collectives: what the active items of a wave tell each other.
#include "dsl/interpret_group.hpp"

namespace twinir::interp {
namespace {

std::size_t wave_start(const Group& g, std::size_t item) { return item / g.wave() * g.wave(); }

/// Is the lane there, and active?
bool is_on(const Group& g, std::size_t item) { return item < g.items() && g.mask()[item] != 0; }

/// Calls f(item, first active item of its wave) for every active item.
template <class F> void each_with_first(Group& g, const F& f) {
  std::size_t first = g.items();
  g.each_item([&](std::size_t item) {
    if (first == g.items() || wave_start(g, item) != wave_start(g, first)) first = item;
    f(item, first);
  });
}

void check_readlane(const Group& g, bool uniform, std::size_t source) {
  if (!uniform) g.poison("a lane number that is not the same in the whole wave");
  if (!is_on(g, source))
    g.fault(Code::exec_partial_wave, "lane " + std::to_string(source % g.wave()) + " is read while it is off",
            "a lane that is on", "keep the lane active, or read another");
}

void ballot(Group& g, const Stmt& s) {
  const auto v = g.view(s.args[0]);
  auto& out = g.place(s.name, s.type);
  Word votes = 0;
  each_with_first(g, [&](std::size_t item, std::size_t first) {
    const auto start = wave_start(g, item);
    if (item == first) {
      votes = 0;
      for (std::size_t lane = 0; lane < g.wave(); ++lane)
        if (is_on(g, start + lane)) votes |= g.use(v, start + lane) << lane;
    }
    Group::put(out, item, 0, votes);
  });
}

} // namespace

template <> void perform<Op::readfirstlane>(Group& g, const Stmt& s) {
  const auto v = g.view(s.args[0]);
  auto& out = g.place(s.name, s.type);
  each_with_first(g, [&](std::size_t item, std::size_t first) { Group::put(out, item, 0, g.use(v, first)); });
}

template <> void perform<Op::readlane>(Group& g, const Stmt& s) {
  const auto v = g.view(s.args[0]), lane = g.view(s.args[1]);
  auto& out = g.place(s.name, s.type);
  each_with_first(g, [&](std::size_t item, std::size_t first) {
    const Word number = g.use(lane, item);
    const std::size_t source = wave_start(g, item) + number % g.wave();
    check_readlane(g, number == g.use(lane, first), source);
    Group::put(out, item, 0, g.use(v, source));
  });
}

// Lanes that are off give 0, as the hardware does.
template <> void perform<Op::bpermute>(Group& g, const Stmt& s) {
  const auto byte = g.view(s.args[0]), v = g.view(s.args[1]);
  auto& out = g.place(s.name, s.type);
  g.each_item([&](std::size_t item) {
    const std::size_t source = wave_start(g, item) + (g.use(byte, item) >> 2) % g.wave();
    Group::put(out, item, 0, is_on(g, source) ? g.use(v, source) : 0);
  });
}

template <> void perform<Op::ballot_b32>(Group& g, const Stmt& s) { ballot(g, s); }
template <> void perform<Op::ballot_b64>(Group& g, const Stmt& s) { ballot(g, s); }

} // namespace twinir::interp
