// SPDX-License-Identifier: MIT
#include "instances/winograd/input_parts.hpp"

namespace twinir::winograd {
namespace {

Pointer exponents(KernelBuilder& k, Prescale prescale) {
  switch (prescale) {
  case Prescale::none: return {};
  case Prescale::split: return k.global_in("te", i32);
  case Prescale::fused: return k.global_out("te", i32);
  }
  return {};
}

} // namespace

InputArgs::InputArgs(KernelBuilder& k, DType io, DType storage, Prescale prescale, int vec)
    : x(k.global_in("x", io.type(), {.align = vec * element_bytes})),
      v(k.global_out("v", storage.type(), {.align = 16})), te(exponents(k, prescale)), tiles(k), image(k),
      c(k.arg<i32>("c")), channel_bytes(k.arg<i32>("channel_bytes")), x_bytes(k.arg<i32>("x_bytes")),
      v_bytes(k.arg<i32>("v_bytes")), bin_stride(k.arg<i32>("bin_stride")),
      row_stride(k.arg<i32>("row_stride")) {}

Window InputArgs::window(KernelBuilder& k, const TilePlace& place) const {
  const auto group = k.workgroup(1);
  const auto from = k.buffer(group_start(x, group, channel_bytes), x_bytes - group * channel_bytes);
  return {k, from, image, tiles, place};
}

BinWriter InputArgs::writer(KernelBuilder& k, Tile tile, const Value& index, const Value& channel,
                            const Arg& first_bin) const {
  const auto to = k.buffer(group_start(v, k.workgroup(1), bin_stride * tile.bins()), v_bytes);
  return {to, index * row_stride + channel * element_bytes + first_bin, bin_stride, v.element()};
}

Rational row_scale(int m, int row) {
  const int e = matrices(m).bt_exponent[static_cast<std::size_t>(row)];
  return e >= 0 ? Rational(1 << e) : Rational(1, 1 << -e);
}

Value scaled_pixel(const Value& pixel, const Value& scale) {
  const auto wide = fpcast(pixel, Scalar::f32);
  return scale.node() ? wide * scale : wide;
}

void horizontal_pass(int m_w, const Input& input, Rational constant, BinWriter& out) {
  for (const auto& group : row_groups(matrices(m_w).bt))
    for (const auto& value :
         apply(group, input, [&](int column) { return constant * row_scale(m_w, column); }))
      out.write(value);
}

} // namespace twinir::winograd
