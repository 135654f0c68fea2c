// SPDX-License-Identifier: MIT
// Winograd tiles and the geometry of a problem cut into them.
#pragma once
// Names: T tiles, bins = (m + 2)^2, cp and kp the channels padded to 8. Workspaces: U[bin][k][cp], V[bin][T][cp] in
// 16 bits, M[bin][T][kp] in fp32. Channels from c to cp are zero in U and V.
#include "instances/conv/problem.hpp"
#include "instances/spec.hpp"

namespace twinir::winograd {

/// Output tile m x m of F(m x m, 3 x 3).
class Tile {
public:
  constexpr Tile(int m = 4) : m_(m) {}
  [[nodiscard]] int m() const { return m_; }            ///< outputs in each direction
  [[nodiscard]] int n() const { return m_ + 2; }        ///< inputs in each direction
  [[nodiscard]] int bins() const { return n() * n(); }
  [[nodiscard]] std::string name() const { return "f" + std::to_string(m_) + "x" + std::to_string(m_); }
  [[nodiscard]] static const std::vector<Tile>& all();

private:
  int m_;
};

/// A problem cut into tiles; every index product of the kernels is below 2^31, every workspace below 2^32 bytes.
struct Geometry {
  std::int64_t out_h = 0, out_w = 0, tiles_y = 0, tiles_x = 0, tiles = 0; ///< tiles of all images
  std::int64_t cp = 0, kp = 0;
  std::int64_t input_bytes = 0, filter_bytes = 0, output_bytes = 0, u_bytes = 0, v_bytes = 0, m_bytes = 0;
};

/// Throws not_3x3, stride_not_1, unsupported_mode (dilation, groups), unsupported_dtype, bad_extent or index_overflow.
[[nodiscard]] Geometry geometry(const conv::ConvProblem& problem, Tile tile);

/// A byte offset that is out of range of every buffer: loads give 0, stores vanish.
inline constexpr std::int64_t out_of_range = -64;
/// What a buffer may hold so that out_of_range stays out of range.
inline constexpr std::int64_t byte_limit = (std::int64_t{1} << 32) - 64;

} // namespace twinir::winograd
