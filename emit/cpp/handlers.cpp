// SPDX-License-Identifier: MIT
#include "emit/cpp/handlers.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace twinir {
namespace {

constexpr std::size_t op_count = [] {
  std::size_t n = 0;
#define TWINIR_OP(...) ++n;
#include "dsl/ops.def"
#undef TWINIR_OP
  return n;
}();

using Table = std::array<Handler, op_count>;

constexpr void set(Table& table, Handler handler, std::initializer_list<Op> ops) {
  for (const Op op : ops) table[static_cast<std::size_t>(op)] = handler;
}

constexpr Table make_table() {
  Table t{};
  // Every operation with an intrinsic is a call, unless a line below says otherwise.
#define TWINIR_INTRINSIC(id, ...) t[static_cast<std::size_t>(Op::id)] = handlers::call;
#include "emit/cpp/intrinsics.def"
#undef TWINIR_INTRINSIC
  set(t, handlers::binary, {Op::add, Op::sub, Op::mul, Op::udiv, Op::sdiv, Op::urem, Op::srem, Op::and_, Op::or_,
                            Op::xor_, Op::shl, Op::lshr, Op::ashr, Op::fadd, Op::fsub, Op::fmul, Op::fdiv});
  set(t, handlers::fneg, {Op::fneg});
  set(t, handlers::icmp, {Op::icmp});
  set(t, handlers::fcmp, {Op::fcmp});
  set(t, handlers::select, {Op::select});
  set(t, handlers::cast, {Op::trunc, Op::zext, Op::sext, Op::fptrunc, Op::fpext, Op::fptoui, Op::fptosi, Op::uitofp,
                          Op::sitofp, Op::bitcast});
  set(t, handlers::extract, {Op::extract});
  set(t, handlers::insert, {Op::insert});
  set(t, handlers::shuffle, {Op::shuffle});
  set(t, handlers::gep, {Op::gep});
  set(t, handlers::load, {Op::load});
  set(t, handlers::store, {Op::store});
  set(t, handlers::rsrc, {Op::rsrc});
  set(t, handlers::fence, {Op::fence});
  set(t, handlers::atomic,
      {Op::atomic_add, Op::atomic_sub, Op::atomic_umin, Op::atomic_umax, Op::atomic_smin, Op::atomic_smax,
       Op::atomic_and, Op::atomic_or, Op::atomic_xor, Op::atomic_exchange, Op::atomic_fadd, Op::atomic_fmin,
       Op::atomic_fmax});
  set(t, handlers::atomic_compare, {Op::atomic_compare});
  set(t, handlers::wait_load_lds, {Op::wait_load_lds});
  set(t, handlers::opaque, {Op::opaque});
  set(t, handlers::assertion, {Op::assert_});
  set(t, handlers::branch, {Op::if_});
  set(t, handlers::loop, {Op::for_});
  return t;
}

constexpr Table table = make_table();
static_assert(std::ranges::none_of(table, [](Handler h) { return h == nullptr; }),
              "an operation of dsl/ops.def has no handler");

} // namespace

Handler find_handler(Op op) { return table[static_cast<std::size_t>(op)]; }

} // namespace twinir
