// SPDX-License-Identifier: MIT
// The examples of atomics, of narrow integers and of neighbours in memory, against plain arithmetic.
#include "runtime/verify/launch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace twinir {
namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();

std::uint32_t groups_of(std::size_t extent, int items) {
  const auto size = static_cast<std::size_t>(items);
  return static_cast<std::uint32_t>((extent + size - 1) / size);
}
} // namespace

Verification verify_histogram(const VerifySubject& subject) {
  const auto bins = subject.spec.at("bins").get<std::int32_t>(),
             bits = subject.spec.at("bits").get<std::int32_t>();
  const auto type = bits == 8 ? Scalar::i8 : bits == 16 ? Scalar::i16 : Scalar::i32;
  constexpr std::size_t n = 5003;
  constexpr std::int32_t before = 7; // counts are added to what is there
  std::vector<std::int32_t> x(n), right(static_cast<std::size_t>(bins), before);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = static_cast<std::int32_t>(i * i % (static_cast<std::size_t>(bins) + 9)) -
           (i % 50 == 0 && bits == 32 ? 1 << 30 : 0);
    const auto value = static_cast<std::uint32_t>(x[i]) & (bits == 32 ? ~0u : (1u << bits) - 1);
    if (value < right.size()) ++right[value];
  }
  VerifyLaunch launch(subject);
  launch.input("x", x, type);
  launch.input("counts", std::vector<std::int32_t>(right.size(), before));
  launch.run({{"n", static_cast<std::int64_t>(n)}}, {3, 1, 1});
  return {launch.read_integers("counts") == right ? 0 : infinity, 0};
}

Verification verify_dequantise_int8(const VerifySubject& subject) {
  const auto type = type_in(subject.spec, "dtype");
  const auto vec = subject.spec.at("vec").get<std::size_t>();
  const std::size_t rows = 3, columns = (static_cast<std::size_t>(subject.kernel.block[0]) + 5) * vec;
  std::vector<std::int32_t> q(rows * columns);
  for (std::size_t i = 0; i < q.size(); ++i) q[i] = static_cast<std::int32_t>(i * 37 % 256) - 128;
  VerifyLaunch launch(subject);
  launch.input("q", q, Scalar::i8);
  const auto scale = launch.input("scale", Scalar::f32, {0.125, -0.0078125, 0.3});
  launch.output("out", type, rows * columns + 1);
  launch.run({{"columns", static_cast<std::int64_t>(columns)}},
             {groups_of(columns / vec, subject.kernel.block[0]), rows, 1});
  const auto out = launch.read("out");
  Verification result{launch.is_poison("out", rows * columns) ? 0 : infinity,
                      rounding_error(type) + rounding_error(Scalar::f32)};
  for (std::size_t i = 0; i < q.size(); ++i) {
    const double right = q[i] * scale[i / columns];
    result.error = worse(result.error, out[i], right, std::abs(right));
  }
  return result;
}

Verification verify_stencil_5_point(const VerifySubject& subject) {
  const auto type = type_in(subject.spec, "dtype");
  const bool clamp = subject.spec.at("clamp").get<bool>();
  const int height = 2 * subject.kernel.block[1] + 1, width = subject.kernel.block[0] + 3;
  const auto cells = static_cast<std::size_t>(height * width);
  VerifyLaunch launch(subject);
  const auto in = launch.input("in", type, small_values(cells, 0.5));
  launch.output("out", type, cells + 1);
  launch.run(
      {{"height", std::int64_t{height}}, {"width", std::int64_t{width}}, {"center", 0.5}, {"side", 0.125}},
      {groups_of(static_cast<std::size_t>(width), subject.kernel.block[0]),
       groups_of(static_cast<std::size_t>(height), subject.kernel.block[1]), 1});
  const auto at = [&](int y, int x) {
    const bool inside = y >= 0 && y < height && x >= 0 && x < width;
    if (!inside && !clamp) return 0.0;
    return in[static_cast<std::size_t>(std::clamp(y, 0, height - 1) * width + std::clamp(x, 0, width - 1))];
  };
  const auto out = launch.read("out");
  Verification result{launch.is_poison("out", cells) ? 0 : infinity,
                      rounding_error(type)}; // the f32 sums are exact
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const double right =
          0.5 * at(y, x) + 0.125 * (at(y - 1, x) + at(y + 1, x) + at(y, x - 1) + at(y, x + 1));
      result.error = worse(result.error, out[static_cast<std::size_t>(y * width + x)], right,
                           std::max(std::abs(right), 1e-3));
    }
  return result;
}

} // namespace twinir
