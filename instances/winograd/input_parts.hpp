// SPDX-License-Identifier: MIT
// What both paths of K2 share: arguments, where V lies, the horizontal pass.
#pragma once
#include "instances/winograd/linear.hpp"
#include "instances/winograd/pieces.hpp"

namespace twinir::winograd {

inline constexpr int element_bytes = 2; ///< of x and V

struct InputArgs {
  Pointer x, v, te; ///< te: exponents [g][tile]; read by split, written by fused, absent for none
  TileArgs tiles;
  ImageArgs image;
  Value c, channel_bytes, x_bytes, v_bytes, bin_stride, row_stride; ///< channel_bytes: c * 2

  InputArgs(KernelBuilder& k, DType io, DType storage, Prescale prescale, int vec);
  [[nodiscard]] Window window(KernelBuilder& k, const TilePlace& place) const;
  /// Writes the bins of a tile, from channel `channel` and byte `first_bin` on.
  [[nodiscard]] BinWriter writer(KernelBuilder& k, Tile tile, const Value& index, const Value& channel,
                                 const Arg& first_bin = 0) const;
  [[nodiscard]] Value exponent_index(KernelBuilder& k, const Value& tile) const {
    return k.workgroup(1) * tiles.tiles + tile;
  }
};

/// Row `row` of BT, as the power of two that keeps its sums in range.
[[nodiscard]] Rational row_scale(int m, int row);
/// A pixel in f32, times the tile's factor if there is one: scaled before anything is added, no finite pixel
/// can leave f32's range.
[[nodiscard]] Value scaled_pixel(const Value& pixel, const Value& scale);
/// A row of the vertically transformed tile times B, scaled by BT's powers of two and by `constant`; the bins
/// go to `out` in order.
void horizontal_pass(int m_w, const Input& input, Rational constant, BinWriter& out);

} // namespace twinir::winograd
