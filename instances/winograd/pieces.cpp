// SPDX-License-Identifier: MIT
#include "instances/winograd/pieces.hpp"

#include "instances/winograd/exponents.hpp"

namespace twinir::winograd {

TileArgs::TileArgs(KernelBuilder& k)
    : tiles(k.arg<i32>("tiles")), tiles_y(k.arg<i32>("tiles_y")), tiles_x(k.arg<i32>("tiles_x")),
      dil_h(k.arg<i32>("dil_h")), dil_w(k.arg<i32>("dil_w")), by_tiles_y(k, "tiles_y"),
      by_tiles_x(k, "tiles_x"), by_dil_h(k, "dil_h"), by_dil_w(k, "dil_w") {}

TilePlace TileArgs::place(const Value& index, Tile tile) const {
  const auto line = by_tiles_x.quotient(index);
  const auto image = by_tiles_y.quotient(line);
  // Line y of a dilated image: run y / dilation of the interleaved image y % dilation.
  const auto first = [](const Value& y, const MagicArg& by, const Value& dilation, int m) {
    const auto run = by.quotient(y);
    return (y - run * dilation) + run * (dilation * m);
  };
  return {image, first(line - image * tiles_y, by_dil_h, dil_h, tile.m_h()),
          first(index - line * tiles_x, by_dil_w, dil_w, tile.m_w())};
}

ImageArgs::ImageArgs(KernelBuilder& k)
    : h(k.arg<i32>("h")), w(k.arg<i32>("w")), pad_h(k.arg<i32>("pad_h")), pad_w(k.arg<i32>("pad_w")),
      pixel(k.arg<i32>("pixel")) {}

Window::Window(KernelBuilder& k, Buffer from, const ImageArgs& image, const TileArgs& tiles,
               const TilePlace& place)
    : k_(k), from_(std::move(from)), h_(image.h), w_(image.w), dil_h_(tiles.dil_h), dil_w_(tiles.dil_w),
      top_(place.top - image.pad_h), left_(place.left - image.pad_w),
      origin_(((place.image * image.h + top_) * image.w + left_) * image.pixel),
      row_step_(image.w * image.pixel * tiles.dil_h), column_step_(image.pixel * tiles.dil_w) {}

Window Window::fresh() const {
  auto out = *this;
  out.row_step_ = k_.opaque(row_step_, true), out.column_step_ = k_.opaque(column_step_, true);
  out.left_ = k_.opaque(left_);
  return out;
}

Value Window::has_row(const Arg& y) const { return ult(top_ + dil_h_ * y, h_); }
Value Window::has_column(const Arg& x) const { return ult(left_ + dil_w_ * x, w_); }

Value Window::load(Type type, const Value& valid, const Value& offset) const {
  return from_.load(type, select(valid, offset, k_.constant(i32, out_of_range)));
}

Value Window::pixel(Type type, const Value& present, const Value& origin, int y, int x) const {
  return load(type, has_row(y) & (has_column(x) & present), origin + row_step_ * y + column_step_ * x);
}

Pointer group_start(const Pointer& all, const Value& group, const Value& bytes) {
  const auto wide = [](const Value& v) { return zext(v, Scalar::i64); };
  return all.as(i8).shifted(wide(group) * wide(bytes)).as(all.element());
}

void BinWriter::write(const Value& values) {
  // One descriptor and a running uniform offset: a pointer or descriptor per bin would fill the scalar
  // registers.
  if (bin_offset_.node())
    to_.store(offset_, fpcast(values, storage_.scalar()), bin_offset_);
  else
    to_.store(offset_, fpcast(values, storage_.scalar()));
  bin_offset_ = bin_offset_.node() ? bin_offset_ + bin_stride_ : bin_stride_;
}

Value factor(const Value& exponent, int lanes) {
  const auto power = power_of_two(exponent);
  return lanes == 1 ? power : splat(power, lanes);
}

} // namespace twinir::winograd
