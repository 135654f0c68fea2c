// SPDX-License-Identifier: MIT
// Facts of a tile: how V and U lie in LDS and how a wave's fragments lie in a tile. README.md has the
// pictures.
#pragma once
// Guarantees: with swizzle() neither the copies to LDS nor the fragment reads meet a bank conflict, for 64
// banks read by 16 lanes and for 32 banks read by 8 lanes at a time. The swizzle depends on row % 16 only.
#include "dsl/matrix.hpp"
#include "dsl/value.hpp"
#include "instances/gemm/gemm_spec.hpp"

namespace twinir::gemm {

inline constexpr int piece_bytes = 16;   ///< one load, one copy, one swizzled unit
inline constexpr int piece_elements = 8; ///< of f16 or bf16
inline constexpr int element_bytes = 2;  ///< of V and U

/// Sizes that follow from a spec and a target. An LDS buffer holds block_t rows of V, then block_n rows of U.
struct TileFacts {
  MatrixLayout matrix;           ///< how a wave holds fragments and sums
  int waves, items;              ///< of a work-group
  int row_bytes;                 ///< of a row in LDS
  int pieces;                    ///< of a row
  int slices;                    ///< of a row: matrix instructions along c
  int matrices_t, matrices_n;    ///< products of a wave, along t and n
  int rows_per_pass, pass_bytes; ///< what all items copy with one piece each
  int passes_v, passes_u;        ///< copies of an item per buffer
  int buffer_bytes;              ///< of one LDS buffer
  int lds_bytes;                 ///< of all buffers

  [[nodiscard]] int passes() const { return passes_v + passes_u; }
  /// Vector registers a work-item needs at least: accumulators, fragments of a slice, staged pieces,
  /// addresses.
  [[nodiscard]] int registers(Staging staging) const;
};

/// The matrix operation of this family's tiles; null where it has none: other elements than f16 and bf16, and
/// targets for which no tile was laid out (gfx1201).
[[nodiscard]] const MatrixOp* tile_operation(const Target& target, Scalar number);

/// The target must have a tile_operation for the spec's elements.
[[nodiscard]] TileFacts tile_facts(const GemmSpec& spec, const Target& target);

/// The row of U that row `row` of U in LDS holds: with it a lane's sums of a product are consecutive n.
[[nodiscard]] Value u_row(const Value& row, const MatrixLayout& matrix);

/// Byte of piece `piece` of row `row` in an LDS tile of rows of `pieces` (4 or 8) pieces.
[[nodiscard]] Value swizzled_byte(Value row, Value piece, int pieces);

} // namespace twinir::gemm
