// SPDX-License-Identifier: MIT
// What the three transforms have in common on the device.
#pragma once
#include "dsl/builder.hpp"
#include "instances/magic.hpp"
#include "instances/winograd/specs.hpp"

namespace twinir::winograd {

/// Which row (tile or output channel) and which channels an item works on.
struct Item {
  Value row, channel; ///< channel: the first of `vec`
};
/// Splits the item's global index into row and channel chunk; items past the last row return.
Item locate_item(KernelBuilder& k, const TransformSpec& spec, Value rows, Value chunks, const MagicArg& by_chunks);

/// Image and position of a tile.
struct TilePlace {
  Value image, y, x; ///< in tiles
};
TilePlace locate_tile(Value tile, Value tiles_x, Value tiles_y, const MagicArg& by_x, const MagicArg& by_y);

/// `vec` elements of a 16-bit kind at a byte offset; zero where `valid` does not hold.
Value load_or_zero(KernelBuilder& k, const Buffer& from, const TransformSpec& spec, Value valid, Value offset);

/// Writes one f32 vector after the other into the bins of a 16-bit workspace [bin][row][channel], bins ascending.
class BinWriter {
public:
  BinWriter(Buffer to, Value offset, Value bin_stride, const TransformSpec& spec)
      : to_(std::move(to)), offset_(offset), bin_stride_(bin_stride), spec_(spec) {}
  void write(Value values);

private:
  Buffer to_;
  Value offset_, bin_stride_, bin_offset_; ///< bytes
  TransformSpec spec_;
};

} // namespace twinir::winograd
