// SPDX-License-Identifier: MIT
#include "instances/winograd/tile.hpp"

namespace twinir::winograd {
namespace {

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }
std::int64_t padded(std::int64_t channels) { return ceil_div(channels, 8) * 8; }

[[noreturn]] void refuse(Code code, std::string found, std::string expected) {
  throw UserError({code, std::move(found), std::move(expected), "use another convolution engine for this problem", {}});
}

std::string pair(std::int64_t a, std::int64_t b) { return std::to_string(a) + "x" + std::to_string(b); }

void check_shape(const conv::ConvProblem& p) {
  if (p.y != 3 || p.x != 3) refuse(Code::not_3x3, "a filter of " + pair(p.y, p.x), "3x3");
  if (p.stride_h != 1 || p.stride_w != 1) refuse(Code::stride_not_1, "a stride of " + pair(p.stride_h, p.stride_w), "1x1");
  if (p.dilation_h != 1 || p.dilation_w != 1) refuse(Code::unsupported_mode, "a dilation of " + pair(p.dilation_h, p.dilation_w), "1x1");
  if (p.groups != 1) refuse(Code::unsupported_mode, std::to_string(p.groups) + " groups", "1 group");
  if (p.dtype.type() != f16) refuse(Code::unsupported_dtype, "activations of " + p.dtype.name(), "f16");
}

} // namespace

const std::vector<Tile>& Tile::all() {
  static const std::vector<Tile> tiles{2, 4};
  return tiles;
}

Geometry geometry(const conv::ConvProblem& p, Tile tile) {
  conv::check(p);
  check_shape(p);
  Geometry g;
  g.out_h = p.out_h(), g.out_w = p.out_w();
  g.tiles_y = ceil_div(g.out_h, tile.m()), g.tiles_x = ceil_div(g.out_w, tile.m());
  g.tiles = conv::checked_product({p.n, g.tiles_y, g.tiles_x}, conv::index_limit, "tiles");
  g.cp = padded(p.c), g.kp = padded(p.k);
  (void)conv::checked_product({g.tiles, g.cp}, conv::index_limit, "tiles times channels");
  (void)conv::checked_product({g.tiles, g.kp}, conv::index_limit, "tiles times output channels");
  (void)conv::checked_product({p.k, g.cp}, conv::index_limit, "filter channels");
  const auto bytes = [](std::initializer_list<std::int64_t> extents, const char* what) { return conv::checked_product(extents, byte_limit, what); };
  g.input_bytes = bytes({p.n, p.h, p.w, p.c, 2}, "input bytes");
  g.filter_bytes = bytes({p.k, 9, p.c, 2}, "filter bytes");
  g.output_bytes = bytes({p.n, g.out_h, g.out_w, p.k, 2}, "output bytes");
  g.u_bytes = bytes({tile.bins(), p.k, g.cp, 2}, "bytes of workspace U");
  g.v_bytes = bytes({tile.bins(), g.tiles, g.cp, 2}, "bytes of workspace V");
  g.m_bytes = bytes({tile.bins(), g.tiles, g.kp, 4}, "bytes of workspace M");
  return g;
}

} // namespace twinir::winograd
