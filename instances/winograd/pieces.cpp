// SPDX-License-Identifier: MIT
#include "instances/winograd/pieces.hpp"

namespace twinir::winograd {

Item locate_item(KernelBuilder& k, const TransformSpec& spec, Value rows, Value chunks, const MagicArg& by_chunks) {
  const auto id = k.let("id", k.global_id());
  const auto row = k.let("row", by_chunks.quotient(id));
  k.return_if(row >= rows);
  const auto chunk = k.let("chunk", id - row * chunks);
  return {row, k.let("channel", chunk * spec.vec)};
}

TilePlace locate_tile(Value tile, Value tiles_x, Value tiles_y, const MagicArg& by_x, const MagicArg& by_y) {
  const auto line = by_x.quotient(tile);
  const auto image = by_y.quotient(line);
  return {image, line - image * tiles_y, tile - line * tiles_x};
}

Value load_or_zero(KernelBuilder& k, const Buffer& from, const TransformSpec& spec, Value valid, Value offset) {
  const auto at = select(valid, offset, k.constant(i32, out_of_range));
  return from.load(spec.dtype.type().with_lanes(spec.vec), at);
}

void BinWriter::write(Value values) {
  // One descriptor and a running uniform offset: a pointer or descriptor per bin would fill the scalar registers.
  if (bin_offset_.node()) to_.store(offset_, fpcast(values, spec_.dtype.scalar()), bin_offset_);
  else to_.store(offset_, fpcast(values, spec_.dtype.scalar()));
  bin_offset_ = bin_offset_.node() ? bin_offset_ + bin_stride_ : bin_stride_;
}

} // namespace twinir::winograd
