// SPDX-License-Identifier: MIT
#include "instances/gemm/tile.hpp"

#include "dsl/error.hpp"

#include <bit>

namespace twinir::gemm {
namespace {

// Registers of 32 bits that one lane needs for an object.
constexpr int piece_registers = 4;
constexpr int fixed_registers = 16; // LDS addresses and temporaries

/// What is mixed into the piece index of a row.
Value swizzle(const Value& row, int pieces) {
  const auto low = lshr(row, 1);
  if (pieces == 4) return (low & 2) | ((lshr(row, 3) ^ low) & 1);
  return (low & 3) | (((row ^ lshr(row, 3)) & 1) << 2);
}

} // namespace

int TileFacts::registers(Staging staging) const {
  const int fragments = (matrices_t + matrices_n) * matrix.pieces * piece_registers;
  const int staged = staging == Staging::registers ? passes() * piece_registers : 0;
  const int kept_fragments = staging == Staging::async_double ? 2 * fragments : fragments;
  // Lanes that hold whole rows address every piece of them, and LLVM reads a slice ahead of the products.
  const int whole_rows = matrix.piece_groups == 1 ? fragments + 6 * pieces : 0;
  return matrices_t * matrices_n * matrix.sums() + kept_fragments + staged + passes() + whole_rows +
         fixed_registers;
}

const MatrixOp* tile_operation(const Target& target, Scalar number) {
  return target.has("wmma_gfx12") ? nullptr : find_matrix_op(target, number);
}

TileFacts tile_facts(const GemmSpec& s, const Target& target) {
  const auto* op = tile_operation(target, s.in.scalar());
  if (op == nullptr) throw InternalError("a tile for a target without tiles");
  TileFacts f{};
  f.matrix = op->layout;
  f.waves = s.waves_t * s.waves_n;
  f.items = f.waves * f.matrix.wave;
  f.row_bytes = s.k_step * element_bytes;
  f.pieces = s.k_step / piece_elements;
  f.slices = s.k_step / f.matrix.depth();
  f.matrices_t = s.block_t / s.waves_t / f.matrix.side;
  f.matrices_n = s.block_n / s.waves_n / f.matrix.side;
  f.rows_per_pass = f.items / f.pieces;
  f.pass_bytes = f.rows_per_pass * f.row_bytes;
  f.passes_v = s.block_t / f.rows_per_pass;
  f.passes_u = s.block_n / f.rows_per_pass;
  f.buffer_bytes = (s.block_t + s.block_n) * f.row_bytes;
  f.lds_bytes = f.buffer_bytes * s.stages;
  return f;
}

Value u_row(const Value& row, const MatrixLayout& m) {
  if (m.run == m.sums()) return row; // rows of a product are in order already
  const auto log2 = [](int power_of_two) { return std::countr_zero(static_cast<unsigned>(power_of_two)); };
  const auto in_product = row & (m.side - 1), next_runs = lshr(in_product, log2(m.run));
  const auto group = next_runs & (m.groups() - 1), turn = lshr(next_runs, log2(m.groups()));
  return (row - in_product) + group * m.sums() + turn * m.run + (in_product & (m.run - 1));
}

Value swizzled_byte(Value row, Value piece, int pieces) {
  const auto place = piece ^ swizzle(row, pieces);
  return row * (pieces * piece_bytes) + place * piece_bytes;
}

} // namespace twinir::gemm
