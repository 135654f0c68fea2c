// SPDX-License-Identifier: MIT
// A convolution problem and its checks.
#pragma once
// Activations are N H W C, filters K Y X C, both dense. Refuses extents below 1, groups that do not divide
// the channels, problems without output, and index products of 2^31 or more.
#include "instances/spec.hpp"

#include <cstdint>
#include <string>

namespace twinir::conv {

struct ConvProblem {
  DType dtype = f16;
  std::int64_t n = 100, c = 3, h = 32, w = 32; ///< batch, input channels of all groups, height, width
  std::int64_t k = 32, y = 3, x = 3;           ///< output channels, filter height and width
  std::int64_t pad_h = 0, pad_w = 0, stride_h = 1, stride_w = 1, dilation_h = 1, dilation_w = 1;
  std::int64_t groups = 1;

  [[nodiscard]] std::int64_t out_h() const; ///< may be below 1 for a problem that check() refuses
  [[nodiscard]] std::int64_t out_w() const;
  [[nodiscard]] std::int64_t input_elements() const { return n * h * w * c; }
  [[nodiscard]] std::int64_t filter_elements() const { return k * y * x * (c / groups); }
  [[nodiscard]] std::int64_t output_elements() const { return n * out_h() * out_w() * k; }
  /// "f16 n1 c64 h56 w56 k64 y3 x3 p1,1 s1,1 d1,1 g1"
  [[nodiscard]] std::string text() const;
};

/// Throws the first fault: bad_extent, bad_groups or index_overflow.
void check(const ConvProblem& problem);

/// Images of a part when the batch is cut into `parts` equal parts (the last may be smaller); throws
/// bad_split for parts below 1 or more than images.
[[nodiscard]] std::int64_t part_size(const ConvProblem& problem, std::int64_t parts);

/// The product of extents, each below 2^31; throws index_overflow ("<what>") when it reaches `limit`.
[[nodiscard]] std::int64_t checked_product(std::initializer_list<std::int64_t> extents, std::int64_t limit,
                                           const std::string& what);
inline constexpr std::int64_t index_limit = std::int64_t{1} << 31;

} // namespace twinir::conv
