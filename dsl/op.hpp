// SPDX-License-Identifier: MIT
// The operation set, read from ops.def.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace twinir {

enum class Op : std::uint8_t {
#define TWINIR_OP(id, ...) id,
#include "dsl/ops.def"
#undef TWINIR_OP
};

/// What an operation is to the scheduler.
enum class Effect : std::uint8_t {
  pure,       ///< no memory, no neighbours: placed where its users need it
  load,       ///< reads memory: stays in its region, before the next write to its address space
  convergent, ///< depends on the active lanes: stays in its region
  effect,     ///< happens where it was written
};

enum class TypeRule : std::uint8_t {
  int_binary,
  int_unary,
  float_binary,
  float_unary,
  hw_float_unary,
  float_ternary,
  frexp_exp,
  ldexp,
  icmp,
  fcmp,
  select,
  classify,
  int_narrow,
  int_widen,
  float_narrow,
  float_widen,
  float_to_int,
  int_to_float,
  bitcast,
  fp8_unpack,
  fp8_pack,
  extract,
  insert,
  shuffle,
  id,
  mbcnt,
  implicit_args,
  gep,
  load,
  store,
  rsrc,
  buffer_load,
  buffer_store,
  atomic_int,
  atomic_float,
  atomic_exchange,
  atomic_compare,
  async_load,
  no_operands,
  readfirstlane,
  readlane,
  bpermute,
  ballot,
  matrix,
  opaque,
  assert_,
  if_,
  for_,
};

/// One row of ops.def.
struct OpInfo {
  Op op;
  std::string_view name, group;
  Effect effect;
  TypeRule rule;
  std::string_view attributes, flags, feature, summary;
};

[[nodiscard]] const OpInfo& info(Op op);
[[nodiscard]] std::span<const OpInfo> all_ops();
[[nodiscard]] std::optional<Op> parse_op(std::string_view name);
/// Is `word` one of the blank-separated words of `list`?
[[nodiscard]] bool has_word(std::string_view list, std::string_view word);

} // namespace twinir
