// SPDX-License-Identifier: MIT
// KernelBuilder: what a group and its waves do together: synchronisation, copies to LDS, collectives,
// matrices; scheduling.
#include "dsl/builder_state.hpp"
#include "dsl/error.hpp"
#include "dsl/matrix.hpp"

namespace twinir {

using graph::Action;

// --- synchronisation

void KernelBuilder::fence(std::string order, std::string scope) {
  act(Op::fence, {}, std::source_location::current(),
      {{"order", 0, std::move(order)}, {"scope", 0, std::move(scope)}});
}

void KernelBuilder::barrier() {
  fence("release", "workgroup");
  act(Op::barrier, {}, std::source_location::current());
  fence("acquire", "workgroup");
}

void KernelBuilder::barrier_signal() {
  // Without the fence LLVM does not wait for LDS reads before the signal, and the buffer may be refilled
  // under them.
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
    throw UserError({Code::bad_attribute,
                     "an asynchronous copy of " + std::to_string(bytes) + " bytes",
                     "4, 8 or 16",
                     "split the copy",
                     {}});
  const Op op = bytes == 4 ? Op::async_load_b32 : bytes == 8 ? Op::async_load_b64 : Op::async_load_b128;
  act(op, {node(Arg(from.address(), here), {Scalar::p1, 1}), node(Arg(to.address(), here), {Scalar::p3, 1})},
      here, {{"offset", offset, {}}, {"aux", 0, {}}});
}

void KernelBuilder::load_lds(const Pointer& from, const Pointer& base, int bytes, int offset) {
  const auto here = std::source_location::current();
  if (bytes != 4 && bytes != 12 && bytes != 16)
    throw UserError({Code::bad_attribute,
                     "a load of " + std::to_string(bytes) + " bytes into LDS",
                     "4, 12 or 16",
                     "split the load",
                     {}});
  const Op op = bytes == 4 ? Op::load_lds_b32 : bytes == 12 ? Op::load_lds_b96 : Op::load_lds_b128;
  act(op,
      {node(Arg(from.address(), here), {Scalar::p1, 1}), node(Arg(base.address(), here), {Scalar::p3, 1})},
      here, {{"offset", offset, {}}, {"aux", 0, {}}});
}

void KernelBuilder::wait_load_lds(int pending) {
  act(Op::wait_load_lds, {}, std::source_location::current(), {{"count", pending, {}}});
}

void KernelBuilder::wait_async(int pending) {
  act(Op::wait_async, {}, std::source_location::current(), {{"count", pending, {}}});
}

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
  const bool bfloat = a.value() && a.value()->type().scalar == Scalar::bf16;
  const auto number = bfloat ? MatrixNumber::bfloat : MatrixNumber::half;
  return mma(a, b, c, number, number);
}

namespace {
const MatrixOp& require_matrix_op(const Target& target, MatrixNumber a, MatrixNumber b, int side,
                                  const std::source_location& where) {
  if (const auto* found = find_matrix_op(target, a, b, side)) return *found;
  const std::string numbers = std::string(to_string(a)) + " by " + std::string(to_string(b));
  throw UserError({Code::op_not_on_target,
                   "a matrix product of " + numbers + (side == 0 ? "" : ", side " + std::to_string(side)),
                   "one that " + std::string(target.name) + " has (docs/matrix.md)",
                   "choose another target or other numbers", place(where)});
}
} // namespace

Value KernelBuilder::mma(Arg a, Arg b, Arg c, MatrixNumber of_a, MatrixNumber of_b, int side) {
  const auto& m = require_matrix_op(target_, of_a, of_b, side, a.where);
  const bool packed = bit_width(m.a) == 8 || m.fragment.scalar == Scalar::i16;
  const auto fragment = [&](const Arg& x) {
    const bool as_bits = packed && x.value() && x.value()->type() != m.fragment &&
                         x.value()->type().bits() == m.fragment.bits();
    return as_bits ? node(bitcast(*x.value(), m.fragment), m.fragment) : node(x, m.fragment);
  };
  auto* const left = fragment(a);
  auto* const right = fragment(b);
  OpExtra extra;
  if (m.has_signs())
    extra.attributes = {{"signed_a", of_a == MatrixNumber::int8, {}},
                        {"signed_b", of_b == MatrixNumber::int8, {}}};
  return make(m.op, m.sums(), {left, right, node(c, m.sums())}, a.where, std::move(extra));
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

void KernelBuilder::sched_barrier(int mask) {
  act(Op::sched_barrier, {}, std::source_location::current(), {{"mask", mask, {}}});
}
void KernelBuilder::setprio(int priority) {
  act(Op::setprio, {}, std::source_location::current(), {{"priority", priority, {}}});
}

} // namespace twinir
