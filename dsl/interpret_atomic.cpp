// SPDX-License-Identifier: MIT
// The interpreter's atomics, one item after the other, and its diagnosis.
#include "dsl/constant.hpp"
#include "dsl/interpret_float.hpp"

#include <algorithm>
#include <cstring>

namespace twinir::interp {
namespace {

/// What an element becomes: f(item, old).
template <class F> void update(Group& g, const Stmt& s, const F& f) {
  const auto pointer = g.view(s.args[0]);
  const auto space = s.args[0].type.scalar;
  auto& out = g.place(s.name, s.type);
  std::vector<std::byte> bytes(s.type.bytes());
  g.each_item([&](std::size_t item) {
    const Word address = g.use(pointer, item);
    Word old = 0;
    g.read(space, address, bytes, bytes.size());
    std::memcpy(&old, bytes.data(), bytes.size());
    const Word next = f(item, old);
    std::memcpy(bytes.data(), &next, bytes.size());
    g.write(space, address, bytes, bytes.size());
    Group::put(out, item, 0, old);
  });
}

/// The same with one value operand: f(old, value).
template <class F> void update_by(Group& g, const Stmt& s, const F& f) {
  const auto value = g.view(s.args[1]);
  update(g, s,
         [&](std::size_t item, Word old) { return truncated(s.type.scalar, f(old, g.use(value, item))); });
}

template <class F> void update_signed(Group& g, const Stmt& s, const F& f) {
  const auto scalar = s.type.scalar;
  update_by(g, s, [&](Word old, Word b) {
    return f(signed_value(scalar, old), signed_value(scalar, b)) ? old : b;
  });
}

/// Both operands are doubles: f64 is rounded once, and f32 twice, which gives the same.
template <class F> void update_float(Group& g, const Stmt& s, const F& f) {
  const auto scalar = s.type.scalar;
  update_by(g, s, [&](Word old, Word b) {
    return from_double(scalar, f(to_double(scalar, old), to_double(scalar, b)));
  });
}

} // namespace

template <> void perform<Op::atomic_add>(Group& g, const Stmt& s) {
  update_by(g, s, [](Word old, Word b) { return old + b; });
}
template <> void perform<Op::atomic_sub>(Group& g, const Stmt& s) {
  update_by(g, s, [](Word old, Word b) { return old - b; });
}
template <> void perform<Op::atomic_umin>(Group& g, const Stmt& s) {
  update_by(g, s, [](Word old, Word b) { return std::min(old, b); });
}
template <> void perform<Op::atomic_umax>(Group& g, const Stmt& s) {
  update_by(g, s, [](Word old, Word b) { return std::max(old, b); });
}
template <> void perform<Op::atomic_smin>(Group& g, const Stmt& s) {
  update_signed(g, s, [](std::int64_t old, std::int64_t b) { return old < b; });
}
template <> void perform<Op::atomic_smax>(Group& g, const Stmt& s) {
  update_signed(g, s, [](std::int64_t old, std::int64_t b) { return old > b; });
}
template <> void perform<Op::atomic_and>(Group& g, const Stmt& s) {
  update_by(g, s, [](Word old, Word b) { return old & b; });
}
template <> void perform<Op::atomic_or>(Group& g, const Stmt& s) {
  update_by(g, s, [](Word old, Word b) { return old | b; });
}
template <> void perform<Op::atomic_xor>(Group& g, const Stmt& s) {
  update_by(g, s, [](Word old, Word b) { return old ^ b; });
}
template <> void perform<Op::atomic_exchange>(Group& g, const Stmt& s) {
  update_by(g, s, [](Word, Word b) { return b; });
}
template <> void perform<Op::atomic_compare>(Group& g, const Stmt& s) {
  const auto expected = g.view(s.args[1]), desired = g.view(s.args[2]);
  update(g, s, [&](std::size_t item, Word old) {
    const Word next = g.use(desired, item);
    return old == g.use(expected, item) ? next : old;
  });
}

template <> void perform<Op::atomic_fadd>(Group& g, const Stmt& s) {
  update_float(g, s, [](double old, double b) { return old + b; });
}
template <> void perform<Op::atomic_fmin>(Group& g, const Stmt& s) { update_float(g, s, smaller); }
template <> void perform<Op::atomic_fmax>(Group& g, const Stmt& s) { update_float(g, s, larger); }

template <> void perform<Op::assert_>(Group& g, const Stmt& s) {
  const auto condition = g.view(s.args[0]);
  g.each_item([&](std::size_t item) {
    if (g.use(condition, item) == 0)
      g.fault(Code::exec_trap, "assertion '" + s.name + "' does not hold", "a condition that holds",
              "correct the kernel or what it was given");
  });
}
template <> void perform<Op::trap>(Group& g, const Stmt&) {
  g.each_item([&](std::size_t) {
    g.fault(Code::exec_trap, "a trap was reached", "a way around it",
            "correct the kernel or what it was given");
  });
}

} // namespace twinir::interp
