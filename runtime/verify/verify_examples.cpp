// SPDX-License-Identifier: MIT
// The example families against plain arithmetic, at sizes that do not divide.
#include "runtime/verify/launch.hpp"

#include <cmath>
#include <limits>

namespace twinir {
namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
} // namespace

Verification verify_saxpy(const VerifySubject& subject) {
  constexpr std::size_t n = 3001, behind = 7; // elements behind the end must stay
  const auto type = type_in(subject.spec, "dtype");
  VerifyLaunch launch(subject);
  const auto x = launch.input("x", type, small_values(n, 0.25));
  const auto before = launch.input("y", type, small_values(n + behind, 0.5));
  launch.run({{"a", 3.0}, {"n", static_cast<std::int64_t>(n)}}, {2, 1, 1});
  const auto y = launch.read("y");
  Verification out{0, rounding_error(type)};
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double right = i < n ? 3.0 * x[i] + before[i] : before[i];
    out.error = worse(out.error, y[i], right, std::abs(right));
  }
  return out;
}

Verification verify_block_sum(const VerifySubject& subject) {
  constexpr std::uint32_t groups = 3;
  const auto items = static_cast<std::size_t>(subject.kernel.items()), n = 2 * groups * items + 5;
  VerifyLaunch launch(subject);
  const auto x = launch.input("x", type_in(subject.spec, "dtype"), small_values(n, 1));
  launch.output("out", Scalar::f32, groups);
  launch.run({{"n", static_cast<std::int64_t>(n)}}, {groups, 1, 1});
  const auto sums = launch.read("out");
  Verification out; // whole numbers: exact
  for (std::size_t g = 0; g < groups; ++g) {
    double right = 0;
    for (std::size_t i = 0; i < n; ++i) right += i / items % groups == g ? x[i] : 0;
    out.error = worse(out.error, sums[g], right, 1);
  }
  return out;
}

Verification verify_transpose(const VerifySubject& subject) {
  const auto tile = subject.spec.at("tile").get<std::size_t>(), height = tile + 5, width = 2 * tile + 3;
  const auto type = type_in(subject.spec, "dtype");
  VerifyLaunch launch(subject);
  const auto in = launch.input("in", type, small_values(height * width, 0.5));
  launch.output("out", type, height * width + 1);
  const auto tiles = [&](std::size_t extent) {
    return static_cast<std::uint32_t>((extent + tile - 1) / tile);
  };
  launch.run({{"height", static_cast<std::int64_t>(height)}, {"width", static_cast<std::int64_t>(width)}},
             {tiles(width), tiles(height), 1});
  const auto result = launch.read("out");
  Verification out{launch.is_poison("out", height * width) ? 0 : infinity, 0};
  for (std::size_t r = 0; r < height; ++r)
    for (std::size_t c = 0; c < width; ++c)
      out.error = worse(out.error, result[c * height + r], in[r * width + c], 1);
  return out;
}

} // namespace twinir
