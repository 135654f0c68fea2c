// SPDX-License-Identifier: MIT
#include "runtime/accuracy.hpp"

#include "dsl/error.hpp"
#include "instances/winograd/matrices.hpp"

#include <algorithm>
#include <cmath>

namespace twinir {
namespace {

using winograd::Tile;

/// Root mean square of the relative error of rounding once, measured on N(0,1).
double rounding(DType type) { return type.type() == bf16 ? 1.66e-3 : 2.07e-4; }

double number(winograd::Rational r) { return boost::rational_cast<double>(r); }

double row_squares(const winograd::Matrix& m, int row) {
  double sum = 0;
  for (int c = 0; c < m.columns; ++c) sum += number(m.at(row, c)) * number(m.at(row, c));
  return sum;
}

/// One of the dilated interleaved problems of a direction.
std::int64_t per_phase(std::int64_t outputs, std::int64_t dilation) {
  return (outputs + dilation - 1) / dilation;
}

double l2_goal(const conv::ConvProblem& p, Tile tile, DType storage, DType m) {
  constexpr double margin = 1.13;
  const double gain = rounding_gain(tile.m_h(), per_phase(p.out_h(), p.dilation_h)) *
                      rounding_gain(tile.m_w(), per_phase(p.out_w(), p.dilation_w));
  const double workspaces =
      2 * std::pow(rounding(storage), 2) + (m.type() == f16 ? std::pow(rounding(m), 2) : 0);
  return margin * std::sqrt(workspaces * gain * gain + std::pow(rounding(p.dtype), 2));
}

/// Goals of the maximum, one line per pair of sides, without regard to their order.
struct Line {
  int shorter, longer;
  double f16_m32, f16_m16, bf16_m32, bf16_m16, bf16_storage;
};
constexpr Line lines[] = {
    {2, 2, 1e-3, 1.2e-3, 4e-3, 4e-3, 8e-3},     {2, 4, 1.6e-3, 2.2e-3, 4.5e-3, 4.5e-3, 1.4e-2},
    {4, 4, 3.2e-3, 5e-3, 5.5e-3, 6e-3, 2.5e-2}, {2, 6, 4.2e-3, 5.5e-3, 6e-3, 6.5e-3, 4e-2},
    {4, 6, 8.5e-3, 1.2e-2, 9e-3, 1.2e-2, 7e-2}, {6, 6, 2e-2, 3.2e-2, 2e-2, 3.5e-2, 1.5e-1}};

/// What is measured is a sample: of the outputs, and of the filter channels that all of them share. Few of
/// them may lie farther from the mean.
double small_sample(const conv::ConvProblem& p) {
  constexpr std::int64_t enough = 1000;
  const auto samples = std::min(p.output_elements(), p.k * (p.c / p.groups));
  return samples < enough ? 1 + 2 / std::sqrt(static_cast<double>(samples)) : 1;
}

/// The longer tail of the largest error where few channels add up.
double tail(const conv::ConvProblem& p) { return p.c / p.groups < 5 ? 2 : 1; }

double max_goal(Tile tile, DType io, DType storage, DType m) {
  const auto [shorter, longer] = std::minmax({tile.m_h(), tile.m_w()});
  const auto* line = std::ranges::find_if(
      lines, [s = shorter, l = longer](const Line& e) { return e.shorter == s && e.longer == l; });
  if (line == std::end(lines)) throw InternalError("no accuracy goal for " + tile.name());
  if (storage.type() == bf16) return line->bf16_storage;
  const bool half_m = m.type() == f16;
  return io.type() == bf16 ? (half_m ? line->bf16_m16 : line->bf16_m32)
                           : (half_m ? line->f16_m16 : line->f16_m32);
}

} // namespace

double rounding_gain(int m, std::int64_t outputs) {
  constexpr double taps = 3;
  const auto& w = winograd::matrices(m);
  double sum = 0, count = 0;
  for (int i = 0; i < std::min<std::int64_t>(m, outputs); ++i) {
    const auto uses = static_cast<double>((outputs - i + m - 1) / m); // of output i of a tile
    double squares = 0;
    for (int bin = 0; bin < m + 2; ++bin) {
      const double bt = row_squares(w.bt, bin) * std::pow(4.0, w.bt_exponent[static_cast<std::size_t>(bin)]);
      squares += std::pow(number(w.at.at(i, bin)), 2) * bt * row_squares(w.g, bin) / taps;
    }
    sum += uses * squares, count += uses;
  }
  return std::sqrt(sum / count);
}

AccuracyGoal published_goal(const conv::ConvProblem& p, Tile tile, DType storage, DType m) {
  return {max_goal(tile, p.dtype, storage, m), l2_goal(p, tile, storage, m)};
}

AccuracyGoal accuracy_goal(const conv::ConvProblem& p, Tile tile, DType storage, DType m) {
  const auto published = published_goal(p, tile, storage, m);
  const double allowed = small_sample(p);
  return {published.max_relative * tail(p) * allowed, published.l2_relative * allowed};
}

} // namespace twinir
