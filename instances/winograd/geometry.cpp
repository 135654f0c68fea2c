// SPDX-License-Identifier: MIT
#include "instances/winograd/geometry.hpp"

#include <algorithm>

namespace twinir::winograd {
namespace {

constexpr int element_bytes = 2;    // of x, f, y, U and V
constexpr int channel_multiple = 8; // 16 bytes: what the GEMM reads at a time
constexpr int bin_alignment =
    512; // bins that start elsewhere cost a tenth of the bandwidth (docs/performance.md)

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }
std::int64_t round_up(std::int64_t a, std::int64_t b) { return ceil_div(a, b) * b; }

[[noreturn]] void refuse(Code code, std::string found, std::string expected) {
  throw UserError(
      {code, std::move(found), std::move(expected), "use another convolution engine for this problem", {}});
}

std::string pair(std::int64_t a, std::int64_t b) { return std::to_string(a) + "x" + std::to_string(b); }

void check_tile(Tile tile) {
  const auto& all = Tile::all();
  if (std::ranges::find(all, tile) != all.end()) return;
  throw UserError({Code::bad_field, "tile " + tile.name(), "sides of 2, 4 or 6", "choose another tile", {}});
}

void check_shape(const conv::ConvProblem& p) {
  if (p.y != 3 || p.x != 3) refuse(Code::not_3x3, "a filter of " + pair(p.y, p.x), "3x3");
  if (p.stride_h != 1 || p.stride_w != 1)
    refuse(Code::stride_not_1, "a stride of " + pair(p.stride_h, p.stride_w), "1x1");
  if (p.dtype.type() != f16 && p.dtype.type() != bf16)
    refuse(Code::unsupported_dtype, "activations of " + p.dtype.name(), "f16 or bf16");
}

/// Tiles that cover `out` outputs of a dilated row: dilation interleaved rows, each covered for itself.
std::int64_t cover(std::int64_t out, std::int64_t dilation, int m) {
  return dilation * ceil_div(ceil_div(out, dilation), m);
}

std::int64_t bytes(std::initializer_list<std::int64_t> extents, const std::string& what) {
  return conv::checked_product(extents, byte_limit, "bytes of " + what);
}

/// [group][bin][row][channel]
Extent3 bins_outermost(std::int64_t groups, std::int64_t bins, std::int64_t rows, std::int64_t row_bytes,
                       const std::string& what) {
  Extent3 e;
  e.row = row_bytes;
  e.bin = round_up(bytes({rows, row_bytes}, what), bin_alignment);
  const auto unused = e.bin - rows * row_bytes; // behind the last bin
  e.group_bytes = bytes({bins, e.bin}, what) - unused;
  e.bytes = bytes({groups, bins, e.bin}, what) - unused;
  return e;
}

/// [row][group][bin][channel]
Extent3 rows_outermost(std::int64_t groups, std::int64_t bins, std::int64_t rows, std::int64_t row_bytes,
                       const std::string& what) {
  Extent3 e;
  e.bin = row_bytes;
  e.row = bytes({groups, bins, row_bytes}, what);
  e.bytes = bytes({rows, e.row}, what);
  e.group_bytes = (rows - 1) * e.row + bins * row_bytes;
  return e;
}

} // namespace

const std::vector<VLayout>& VLayout::all() {
  static const std::vector<VLayout> layouts{bin_major, tile_major};
  return layouts;
}

Geometry geometry(const conv::ConvProblem& p, Tile tile, const Layout& layout) {
  check_tile(tile);
  conv::check(p);
  check_shape(p);
  Geometry g;
  g.out_h = p.out_h(), g.out_w = p.out_w();
  g.tiles_y = cover(g.out_h, p.dilation_h, tile.m_h()), g.tiles_x = cover(g.out_w, p.dilation_w, tile.m_w());
  g.tiles = conv::checked_product({p.n, g.tiles_y, g.tiles_x}, conv::index_limit, "tiles");
  g.c = p.c / p.groups, g.k = p.k / p.groups;
  g.cp = round_up(g.c, channel_multiple), g.kp = round_up(g.k, channel_multiple);
  (void)conv::checked_product({g.tiles, p.groups, g.cp}, conv::index_limit, "tiles times channels");
  (void)conv::checked_product({g.tiles, p.groups, g.kp}, conv::index_limit, "tiles times output channels");
  (void)conv::checked_product({p.k, g.cp}, conv::index_limit, "filter channels");
  g.input_bytes = bytes({p.n, p.h, p.w, p.c, element_bytes}, "the input");
  g.filter_bytes = bytes({p.k, 9, g.c, element_bytes}, "the filter");
  g.output_bytes = bytes({p.n, g.out_h, g.out_w, p.k, element_bytes}, "the output");
  g.u = bins_outermost(p.groups, tile.bins(), g.k, g.cp * element_bytes, "workspace U");
  const auto v = layout.v == VLayout::bin_major ? bins_outermost : rows_outermost;
  g.v = v(p.groups, tile.bins(), g.tiles, g.cp * element_bytes, "workspace V");
  g.m = bins_outermost(p.groups, tile.bins(), g.tiles, g.kp * layout.m.bytes(), "workspace M");
  return g;
}

std::int64_t images_at_once(const conv::ConvProblem& problem, Tile tile, const Layout& layout,
                            std::int64_t limit) {
  if (limit < 1)
    throw UserError({Code::bad_extent,
                     "a workspace limit of " + std::to_string(limit) + " bytes",
                     "1 or more",
                     "leave the limit out, or correct it",
                     {}});
  const auto fits = [&](std::int64_t n) {
    auto part = problem;
    part.n = n;
    const auto g = geometry(part, tile, layout);
    const auto largest = std::max({g.u.bytes, g.v.bytes, g.m.bytes});
    if (largest > limit)
      throw UserError(
          {Code::index_overflow,
           "a workspace of " + std::to_string(largest) + " bytes for " + std::to_string(n) + " images",
           "at most " + std::to_string(limit) + " bytes",
           "use another convolution engine, or allow larger workspaces",
           {}});
  };
  const auto try_fit = [&](std::int64_t n) {
    try {
      fits(n);
      return true;
    } catch (const UserError& e) {
      if (e.diagnostic().code != Code::index_overflow) throw;
      return false;
    }
  };
  std::int64_t low = 1, high = problem.n; // the largest n that fits is in [low, high]
  if (!try_fit(low)) fits(low);
  while (low < high) {
    const auto middle = low + (high - low + 1) / 2;
    if (try_fit(middle))
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

} // namespace twinir::winograd
