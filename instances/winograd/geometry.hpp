// SPDX-License-Identifier: MIT
// A convolution problem cut into Winograd tiles, and the workspaces of its pipeline.
#pragma once
// Names: g groups, each with c input and k output channels; cp and kp are those rounded up to 8. T tiles of
// all images, bins = (m_h + 2) * (m_w + 2). Workspaces: U[g][bin][k][cp]; V[g][bin][T][cp] or
// V[T][g][bin][cp]; M[g][bin][T][kp]. Channels from c to cp are zero in U and V.
//
// A dilated problem is dil_h * dil_w interleaved problems: line y of tiles covers the outputs
// y % dil_h + dil_h * (y / dil_h * m_h + i), and columns alike.
#include "instances/conv/problem.hpp"
#include "instances/winograd/tile.hpp"

namespace twinir::winograd {

/// Which index of V is outermost.
class VLayout {
public:
  enum Kind : std::uint8_t { bin_major, tile_major }; ///< V[bin][tile][c], V[tile][bin][c]
  constexpr VLayout(Kind kind = bin_major) : kind_(kind) {}
  constexpr operator Kind() const { return kind_; }
  [[nodiscard]] std::string name() const { return kind_ == bin_major ? "bin" : "tile"; }
  [[nodiscard]] static const std::vector<VLayout>& all();

private:
  Kind kind_;
};

/// What the caller chooses about the workspaces.
struct Layout {
  VLayout v{};
  DType m = f32; ///< element type of M: f32 or f16
};

/// A workspace that kernels index by (bin, row, channel): bytes from one to the next, and in all.
struct Extent3 {
  std::int64_t bin = 0, row = 0;
  std::int64_t group_bytes = 0; ///< reached from the start of one group
  std::int64_t bytes = 0;       ///< of all groups
};

/// Every index product of the kernels is below 2^31, every buffer below 2^32 bytes.
struct Geometry {
  std::int64_t out_h = 0, out_w = 0;
  std::int64_t tiles_y = 0, tiles_x = 0,
               tiles = 0;                    ///< lines and columns of tiles of an image; tiles of all images
  std::int64_t c = 0, k = 0, cp = 0, kp = 0; ///< of a group
  std::int64_t input_bytes = 0, filter_bytes = 0, output_bytes = 0;
  Extent3 u, v, m;
};

/// Throws not_3x3, stride_not_1, unsupported_dtype, bad_extent, bad_groups or index_overflow.
[[nodiscard]] Geometry geometry(const conv::ConvProblem& problem, Tile tile, const Layout& layout = {});

/// How many images of `problem` the pipeline can take at once with every workspace at most `limit` bytes;
/// throws index_overflow when not even one.
[[nodiscard]] std::int64_t images_at_once(const conv::ConvProblem& problem, Tile tile, const Layout& layout,
                                          std::int64_t limit);

/// A byte offset that is out of range of every buffer: loads give 0, stores vanish.
inline constexpr std::int64_t out_of_range = -64;
/// What a buffer may hold so that out_of_range stays out of range.
inline constexpr std::int64_t byte_limit = (std::int64_t{1} << 32) - 64;

} // namespace twinir::winograd
