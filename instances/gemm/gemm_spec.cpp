// SPDX-License-Identifier: MIT
#include "instances/gemm/gemm_spec.hpp"

#include "instances/gemm/tile.hpp"

#include <algorithm>

namespace twinir::gemm {
namespace {

constexpr int max_pending_copies = 63; // a counter of 6 bits
constexpr int bank_registers = 256;    // what an instruction can name
constexpr int swizzle_period = 16;     // rows

std::string number(std::int64_t n) { return std::to_string(n); }

void check_types(const GemmSpec& s, const Target& target, Refusals& out) {
  out.require(tile_operation(target, Scalar::f16) != nullptr, Code::op_not_on_target,
              "family gemm on target " + std::string(target.name), "a target that the family has tiles for",
              "use gfx1250, gfx950 or gfx1150");
  out.require(s.staging == Staging::registers || target.has("async"), Code::op_not_on_target,
              "mode " + s.staging.name() + " on target " + std::string(target.name),
              "a target with asynchronous copies", "use mode register");
  out.require(s.in == f16 || s.in == bf16, Code::unsupported_dtype, "in = " + s.in.name(), "f16 or bf16",
              "convert v and u");
  out.require(s.out == f32 || s.out == f16, Code::unsupported_dtype, "out = " + s.out.name(), "f32 or f16",
              "convert m afterwards");
}

void check_shares(const GemmSpec& s, int side, Refusals& out) {
  const auto shared = [&](const char* block, int size, const char* waves, int count) {
    out.require(size % (count * side) == 0, Code::spec_refused,
                std::string(block) + " = " + number(size) + " for " + waves + " = " + number(count),
                "a multiple of " + number(side) + " for each wave", "use fewer waves or a larger tile");
  };
  shared("block_t", s.block_t, "waves_t", s.waves_t);
  shared("block_n", s.block_n, "waves_n", s.waves_n);
  const bool two = s.staging != Staging::registers || s.stages == 2;
  out.require(two, Code::spec_refused, "stages = " + number(s.stages) + " in mode " + s.staging.name(), "2",
              "use mode async for more buffers");
}

/// A pass of copies takes whole swizzle periods, and whole passes take the tile.
void check_passes(const GemmSpec& s, const TileFacts& f, Refusals& out) {
  const int rows = f.rows_per_pass;
  const std::string found = number(f.items) + " work-items copy " + number(rows) + " rows at a time";
  const int period = std::max(swizzle_period, f.matrix.side);
  out.require(rows % period == 0, Code::vector_width, found,
              "a multiple of " + number(period) + " rows, the period of the LDS layout", "use more waves");
  out.require(rows <= s.block_t && rows <= s.block_n, Code::vector_width, found, "at most the rows of a tile",
              "use fewer waves or a larger tile");
}

void check_resources(const GemmSpec& s, const TileFacts& f, const Target& target, Refusals& out) {
  if (f.items > target.max_items)
    return out.require(false, Code::workgroup_too_large,
                       number(f.waves) + " waves, " + number(f.items) + " work-items",
                       "at most " + number(target.max_items) + " work-items", "use fewer waves");
  out.require(f.lds_bytes <= target.lds_bytes, Code::lds_too_large, number(f.lds_bytes) + " bytes of LDS",
              "at most " + number(target.lds_bytes), "use fewer stages, a smaller tile or a smaller k_step");
  const int pending = (s.stages - (s.staging == Staging::async_double ? 1 : 2)) * f.passes();
  out.require(pending <= max_pending_copies, Code::spec_refused,
              number(pending) + " asynchronous copies of a wave pending",
              "at most " + number(max_pending_copies) + ", what the counter holds",
              "use fewer stages or more waves");
  // Above the first bank LLVM 22 spills staged pieces and copy offsets, except in the pipelined loop.
  const int limit = s.staging == Staging::async_double ? target.max_vgprs : bank_registers;
  const int need = f.registers(s.staging), have = std::min(target.vgpr_budget(f.items), limit);
  out.require(need <= have, Code::register_budget, "about " + number(need) + " vector registers",
              "at most " + number(have) + " for " + number(f.items) + " work-items in mode " +
                  s.staging.name(),
              "use a smaller tile, or another number of waves");
}

} // namespace

std::string Staging::name() const {
  switch (kind_) {
  case registers: return "register";
  case async: return "async";
  case async_double: return "async2";
  }
  return {};
}

const std::vector<Staging>& Staging::all() {
  static const std::vector<Staging> modes{registers, async, async_double};
  return modes;
}

void check(const GemmSpec& spec, const Target& target, Refusals& out) {
  check_types(spec, target, out);
  const auto* op = tile_operation(target, spec.in.scalar());
  if (op == nullptr) return;
  check_shares(spec, op->layout.side, out);
  if (!out.empty()) return;
  const auto facts = tile_facts(spec, target);
  check_passes(spec, facts, out);
  check_resources(spec, facts, target, out);
}

} // namespace twinir::gemm
