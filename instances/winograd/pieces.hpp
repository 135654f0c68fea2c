// SPDX-License-Identifier: MIT
// What the stages have in common on the device: tiles, windows of pixels, bins, groups.
#pragma once
#include "instances/magic.hpp"
#include "instances/winograd/specs.hpp"

namespace twinir::winograd {

/// The first output of a tile, and its image.
struct TilePlace {
  Value image, top, left;
};

/// The arguments that cut images into tiles.
struct TileArgs {
  Value tiles, tiles_y, tiles_x, dil_h, dil_w;
  MagicArg by_tiles_y, by_tiles_x, by_dil_h, by_dil_w;

  explicit TileArgs(KernelBuilder& k);
  [[nodiscard]] TilePlace place(const Value& index, Tile tile) const;
};

/// The arguments that describe the activations: extents in pixels, bytes of a pixel (all groups).
struct ImageArgs {
  Value h, w, pad_h, pad_w, pixel;

  explicit ImageArgs(KernelBuilder& k);
};

/// The n_h x n_w input pixels of one tile, by byte offset; 0 outside the image.
class Window {
public:
  Window(KernelBuilder& k, Buffer from, const ImageArgs& image, const TileArgs& tiles,
         const TilePlace& place);

  /// The same window with steps and columns that the optimiser takes for new values: offsets and masks
  /// computed from them are not moved out of a loop, where they would fill the scalar registers.
  [[nodiscard]] Window fresh() const;
  /// Of pixel (0, 0), channel 0; may lie outside the image.
  [[nodiscard]] Value origin() const { return origin_; }
  [[nodiscard]] Value row_step() const { return row_step_; }       ///< bytes
  [[nodiscard]] Value column_step() const { return column_step_; } ///< bytes
  [[nodiscard]] Value has_row(const Arg& y) const;
  [[nodiscard]] Value has_column(const Arg& x) const;
  /// At `offset` where `valid` holds.
  [[nodiscard]] Value load(Type type, const Value& valid, const Value& offset) const;
  /// Pixel (y, x) of the window whose pixel (0, 0) is at `origin`.
  [[nodiscard]] Value pixel(Type type, const Value& present, const Value& origin, int y, int x) const;

private:
  KernelBuilder& k_;
  Buffer from_;
  Value h_, w_, dil_h_, dil_w_, top_, left_, origin_, row_step_, column_step_;
};

/// The start of group `group`, `bytes` (i32, unsigned) behind the one before; uniform.
[[nodiscard]] Pointer group_start(const Pointer& all, const Value& group, const Value& bytes);

/// Writes one f32 vector after the other into neighbouring bins, in storage form.
class BinWriter {
public:
  BinWriter(Buffer to, Value offset, Value bin_stride, DType storage)
      : to_(std::move(to)), offset_(offset), bin_stride_(bin_stride), storage_(storage) {}
  void write(const Value& values);

private:
  Buffer to_;
  Value offset_, bin_stride_, bin_offset_; ///< bytes
  DType storage_;
};

/// A power of two as every element of a vector of `lanes`.
[[nodiscard]] Value factor(const Value& exponent, int lanes);

} // namespace twinir::winograd
