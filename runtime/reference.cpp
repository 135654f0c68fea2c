// SPDX-License-Identifier: MIT
#include "runtime/reference.hpp"

#include "dsl/constant.hpp"

#include <Eigen/Dense>
#include <bit>
#include <cmath>
#include <limits>

namespace twinir {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Index = Eigen::Index;

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

/// The input under every filter position of one output row: [output column][y][x][channel of the group].
RowMajor patches(const conv::ConvProblem& p, std::span<const double> x, std::int64_t image, std::int64_t row,
                 std::int64_t group) {
  const auto channels = p.c / p.groups;
  RowMajor out = RowMajor::Zero(p.out_w(), p.y * p.x * channels);
  for (std::int64_t column = 0; column < p.out_w(); ++column)
    for (std::int64_t i = 0; i < p.y; ++i)
      for (std::int64_t j = 0; j < p.x; ++j) {
        const auto h = row * p.stride_h - p.pad_h + i * p.dilation_h,
                   w = column * p.stride_w - p.pad_w + j * p.dilation_w;
        if (h < 0 || h >= p.h || w < 0 || w >= p.w) continue;
        const auto* from = x.data() + ((image * p.h + h) * p.w + w) * p.c + group * channels;
        for (std::int64_t c = 0; c < channels; ++c) out(column, (i * p.x + j) * channels + c) = from[c];
      }
  return out;
}

} // namespace

std::vector<double> reference_convolution(const conv::ConvProblem& p, std::span<const double> x,
                                          std::span<const double> f) {
  conv::check(p);
  const auto outputs = p.k / p.groups, depth = p.y * p.x * (p.c / p.groups);
  std::vector<double> y(at(p.output_elements()));
  for (std::int64_t image = 0; image < p.n; ++image)
    for (std::int64_t row = 0; row < p.out_h(); ++row)
      for (std::int64_t group = 0; group < p.groups; ++group) {
        const Eigen::Map<const RowMajor> filters(f.data() + group * outputs * depth, outputs, depth);
        const RowMajor product = patches(p, x, image, row, group) * filters.transpose();
        for (std::int64_t column = 0; column < p.out_w(); ++column)
          for (std::int64_t k = 0; k < outputs; ++k)
            y[at(((image * p.out_h() + row) * p.out_w() + column) * p.k + group * outputs + k)] =
                product(Index{column}, Index{k});
      }
  return y;
}

ConvError conv_error(std::span<const double> out, std::span<const double> reference) {
  ConvError e;
  double worst = 0, largest = 0, squares = 0, total = 0;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    largest = std::max(largest, std::abs(reference[i]));
    total += reference[i] * reference[i];
    if (!std::isfinite(out[i])) {
      ++e.not_finite;
      continue;
    }
    const auto difference = std::abs(out[i] - reference[i]);
    worst = std::max(worst, difference);
    squares += difference * difference;
  }
  const auto infinity = std::numeric_limits<double>::infinity();
  e.max_relative = e.not_finite ? infinity : worst / std::max(largest, 1.0);
  e.l2_relative = e.not_finite ? infinity : total > 0 ? std::sqrt(squares / total) : std::sqrt(squares);
  return e;
}

double decode(DType type, std::uint16_t bits) {
  if (type.type() == bf16) return static_cast<double>(std::bit_cast<float>(std::uint32_t{bits} << 16));
  return static_cast<double>(static_cast<float>(Eigen::numext::bit_cast<Eigen::half>(bits)));
}

std::uint16_t encode(DType type, double value) {
  return static_cast<std::uint16_t>(float_bits(type.scalar(), value));
}

} // namespace twinir
