// SPDX-License-Identifier: MIT
// The examples that work by waves, at sizes around the group, in several orders of lanes, on poisoned memory.
#include "kernel_kit.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

using namespace twinir;

namespace {

std::vector<float> ramp(std::size_t n, float step) {
  std::vector<float> out(n);
  for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<float>(static_cast<int>(i * 11 % 37) - 18) * step;
  return out;
}

kit::Ready on(const char* target, const std::string& family, const Json& spec) {
  return kit::Ready(find_family(family).build(spec, find_target(target)));
}

constexpr const char* targets[] = {"gfx1250", "gfx1150", "gfx950"};
constexpr std::uint32_t lane_orders[] = {0, 1, 99};

host::Buffer given(const std::vector<float>& values, const char* name) {
  auto out = kit::executor().alloc(values.size() * 4, name, false);
  out.write(values);
  return out;
}

void check_softmax(const kit::Ready& softmax, int columns, std::uint32_t lane_order) {
  constexpr std::size_t rows = 2;
  const auto length = static_cast<std::size_t>(columns);
  const auto xs = ramp(rows * length, 0.25f);
  const auto x = given(xs, "x");
  auto y = kit::executor().alloc(rows * length * 4, "y", false);
  softmax.run({{"x", kit::address(x)}, {"y", kit::address(y)}, {"columns", std::int64_t{columns}}},
              {rows, 1, 1}, lane_order);
  const auto out = y.as<float>();
  for (std::size_t row = 0; row < rows; ++row) {
    double sum = 0, total = 0;
    for (std::size_t i = 0; i < length; ++i) sum += std::exp(static_cast<double>(xs[row * length + i]));
    for (std::size_t i = 0; i < length; ++i) {
      const double right = std::exp(static_cast<double>(xs[row * length + i])) / sum;
      CHECK(std::abs(static_cast<double>(out[row * length + i]) - right) <= 4e-6 * right);
      total += static_cast<double>(out[row * length + i]);
    }
    CHECK(std::abs(total - 1) < 1e-5);
  }
}

void check_scan(const kit::Ready& scan, bool inclusive, int n, std::uint32_t lane_order) {
  constexpr int block = 64, groups = 3;
  std::vector<std::int32_t> xs(static_cast<std::size_t>(std::max(n, 1)));
  for (std::size_t i = 0; i < xs.size(); ++i) xs[i] = static_cast<std::int32_t>(i * 2654435761u); // sums wrap
  auto x = kit::executor().alloc(xs.size() * 4, "x", false),
       out = kit::executor().alloc(xs.size() * 4, "out", false);
  auto totals = kit::executor().alloc(groups * 4, "totals", false);
  x.write(xs);
  scan.run({{"x", kit::address(x)},
            {"out", kit::address(out)},
            {"totals", kit::address(totals)},
            {"n", std::int64_t{n}}},
           {groups, 1, 1}, lane_order);
  for (int g = 0; g < groups; ++g) {
    std::uint32_t sum = 0;
    for (int i = g * block; i < std::min(n, (g + 1) * block); ++i) {
      const auto before = sum;
      sum += static_cast<std::uint32_t>(xs[static_cast<std::size_t>(i)]);
      CHECK(out.as<std::uint32_t>()[static_cast<std::size_t>(i)] == (inclusive ? sum : before));
    }
    CHECK(totals.as<std::uint32_t>()[static_cast<std::size_t>(g)] == sum);
  }
}

} // namespace

TEST_CASE("row_softmax: rows around the group, in any lane order, on every target") {
  for (const auto* target : targets) {
    const auto softmax = on(target, "row_softmax", {{"dtype", "f32"}, {"out", "f32"}, {"block", 128}});
    for (const int columns : {1, 127, 128, 129, 700})
      for (const auto order : lane_orders) check_softmax(softmax, columns, order);
  }
}

TEST_CASE("row_softmax: large and equal elements do not overflow") {
  const auto softmax = on("gfx1250", "row_softmax", {{"dtype", "f32"}, {"out", "f32"}, {"block", 64}});
  const auto x = given({3e38f, 3e38f, -3e38f, 3e38f}, "x");
  auto y = kit::executor().alloc(4 * 4, "y", false);
  softmax.run({{"x", kit::address(x)}, {"y", kit::address(y)}, {"columns", std::int64_t{4}}}, {1, 1, 1});
  const auto out = y.as<float>();
  for (const std::size_t i : {0u, 1u, 3u}) CHECK(std::abs(out[i] - 1.0f / 3) < 1e-6f);
  CHECK(out[2] == 0);
}

TEST_CASE("rms_norm: a row of one value is its weight, of zeros is zero") {
  const auto norm = on("gfx1250", "rms_norm", {{"dtype", "f32"}, {"block", 64}});
  const std::size_t columns = 130;
  std::vector<float> xs(2 * columns, 0);
  std::fill_n(xs.begin(), columns, -3.0f);
  const auto weights = ramp(columns, 0.5f);
  const auto x = given(xs, "x"), weight = given(weights, "weight");
  auto y = kit::executor().alloc(xs.size() * 4, "y", false);
  norm.run({{"x", kit::address(x)},
            {"weight", kit::address(weight)},
            {"y", kit::address(y)},
            {"columns", std::int64_t{130}},
            {"eps", 0x1p-30}},
           {2, 1, 1});
  const auto out = y.as<float>();
  for (std::size_t i = 0; i < columns; ++i) {
    CHECK(std::abs(out[i] + weights[i]) <= 1e-6f * std::abs(weights[i]));
    CHECK(out[columns + i] == 0);
  }
}

TEST_CASE("block_scan: every size around the groups, in any lane order, on every target") {
  for (const auto* target : targets)
    for (const bool inclusive : {true, false}) {
      const auto scan = on(target, "block_scan", {{"dtype", "i32"}, {"inclusive", inclusive}, {"block", 64}});
      for (const int n : {0, 1, 63, 64, 65, 191, 192})
        for (const auto order : lane_orders) check_scan(scan, inclusive, n, order);
    }
}
