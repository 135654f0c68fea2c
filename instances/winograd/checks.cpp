// SPDX-License-Identifier: MIT
// Which specs are refused beyond the ranges of their fields: types that lose range or accuracy, work-groups
// that do not fit the machine, register and LDS budgets.
#include "instances/winograd/registers.hpp"
#include "instances/winograd/specs.hpp"

#include <bit>

namespace twinir::winograd {
namespace {

std::string number(std::int64_t n) { return std::to_string(n); }
bool is_power(int n) { return n > 0 && std::has_single_bit(static_cast<unsigned>(n)); }
bool is_half(DType t) { return t.type() == f16 || t.type() == bf16; }

void check_types(const char* io_name, DType io, const char* other_name, DType other, Refusals& out) {
  out.require(is_half(io), Code::unsupported_dtype, std::string(io_name) + " = " + io.name(), "f16 or bf16",
              "convert the tensor");
  out.require(is_half(other), Code::unsupported_dtype, std::string(other_name) + " = " + other.name(),
              "f16 or bf16", "use f16");
}

/// f16 tensors have f16 workspaces; bf16 ones too, because bf16 U and V lose too much with larger tiles.
void check_storage(Tile tile, DType io, DType storage, Refusals& out) {
  check_types("io", io, "storage", storage, out);
  if (!out.empty() || storage.type() == f16) return;
  out.require(io.type() == bf16, Code::type_mix, "storage = bf16 for io = " + io.name(), "storage = f16",
              "use f16 storage");
  out.require(tile.longest() == Tile(2).longest(), Code::type_mix, "storage = bf16 for tile " + tile.name(),
              "f2x2: larger tiles lose too much accuracy", "use f16 storage with exponents");
}

void check_block(int block, const Target& target, Refusals& out) {
  out.require(block >= 64 && block <= target.max_items && block % target.wave == 0, Code::spec_refused,
              "a work-group of " + number(block),
              "64 to " + number(target.max_items) + ", a multiple of the wave of " + number(target.wave),
              "choose another block or number of lanes");
}

/// Lanes that share a row are a power of two.
void check_power(int block, Refusals& out) {
  out.require(is_power(block), Code::spec_refused, "block = " + number(block),
              "a power of two, because lanes share rows", "choose another block");
}

void check_registers(int need, int block, const Target& target, Refusals& out) {
  const int have = target.vgpr_budget(block);
  out.require(need <= have, Code::register_budget, "about " + number(need) + " vector registers",
              "at most " + number(have) + " for " + number(block) + " work-items",
              "use a smaller tile, vec or block");
}

/// V of f16 is in range for every f16 input; bf16 has more range.
void check_range(DType io, DType storage, bool scaled, const char* field, Refusals& out) {
  out.require(scaled || io.type() == f16 || storage.type() == bf16, Code::range_not_safe,
              std::string(field) + " for io = bf16 and storage = f16",
              "exponents, because bf16 values may overflow f16", "scale by exponents");
}

} // namespace

void check(const FilterSpec& s, const Target& target, Refusals& out) {
  check_storage(s.tile, s.io, s.storage, out);
  check_range(s.io, s.storage, s.scale, "scale = false", out);
  check_block(s.block, target, out);
  check_power(s.block, out);
  out.require(is_power(s.rows) && s.rows <= s.block, Code::filter_rows, "rows = " + number(s.rows),
              "a power of two, 1 to block", "use rows = 1");
  if (out.empty()) check_registers(registers(s), s.block, target, out);
}

void check(const MaximaSpec& s, const Target& target, Refusals& out) {
  check_types("io", s.io, "io", s.io, out);
  check_block(s.block, target, out);
  check_power(s.block, out);
}

void check(const ExponentsSpec& s, const Target& target, Refusals& out) {
  check_types("io", s.io, "io", s.io, out);
  check_block(s.block, target, out);
}

void check(const InputSpec& s, const Target& target, Refusals& out) {
  check_storage(s.tile, s.io, s.storage, out);
  check_range(s.io, s.storage, s.prescale != Prescale::none, "prescale = none", out);
  check_block(s.block, target, out);
  if (s.prescale == Prescale::fused) check_power(s.block, out);
  if (out.empty()) check_registers(registers(s), s.block, target, out);
}

void check(const InputLdsSpec& s, const Target& target, Refusals& out) {
  check_storage(s.tile, s.io, s.storage, out);
  check_range(s.io, s.storage, s.prescale != Prescale::none, "prescale = none", out);
  out.require(s.lanes >= 1, Code::lds_region_empty, "lanes = " + number(s.lanes), "1 or more",
              "use lanes = 32");
  out.require(s.lanes < 1 || is_power(s.lanes), Code::lds_lanes, "lanes = " + number(s.lanes),
              "a power of two", "use lanes = 32");
  if (!out.empty()) return;
  check_block(s.block(), target, out);
  const auto bytes = lds_bytes(s);
  out.require(bytes <= target.lds_bytes, Code::lds_too_large, number(bytes) + " bytes of LDS",
              "at most " + number(target.lds_bytes), "use fewer lanes or a smaller vec");
  if (out.empty()) check_registers(registers(s), s.block(), target, out);
}

void check(const OutputSpec& s, const Target& target, Refusals& out) {
  out.require(is_half(s.io), Code::unsupported_dtype, "io = " + s.io.name(), "f16 or bf16",
              "convert the tensor");
  out.require(s.m.type() == f32 || s.m.type() == f16, Code::unsupported_dtype, "m = " + s.m.name(),
              "f32 or f16: M in bf16 loses too much accuracy", "use f32");
  out.require(s.m.type() != f16 || (s.tile_scale && s.filter_scale), Code::range_not_safe,
              "m = f16 without all exponents", "tile_scale and filter_scale",
              "scale by exponents, or use m = f32");
  check_block(s.block, target, out);
  if (out.empty()) check_registers(registers(s), s.block, target, out);
}

} // namespace twinir::winograd
