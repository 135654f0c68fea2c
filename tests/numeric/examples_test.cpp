// SPDX-License-Identifier: MIT
// The example families against plain C++, on poisoned memory, in checked mode.
#include "kernel_kit.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace twinir;

namespace {
std::vector<float> ramp(std::size_t n, float step) {
  std::vector<float> out(n);
  for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<float>(static_cast<int>(i % 37) - 18) * step;
  return out;
}
} // namespace

TEST_CASE("saxpy: every size around the grid, untouched behind the end") {
  const kit::Ready saxpy("saxpy", {{"dtype", "f32"}});
  for (int n : {0, 1, 255, 256, 257, 1000, 4096}) {
    const auto size = static_cast<std::size_t>(n) + 8;
    auto x = kit::executor().alloc(size * 4, "x", false), y = kit::executor().alloc(size * 4, "y", false);
    const auto xs = ramp(size, 0.5f), ys = ramp(size, 0.25f);
    x.write(xs), y.write(ys);
    saxpy.run({{"x", kit::address(x)}, {"y", kit::address(y)}, {"a", 3.0}, {"n", std::int64_t{n}}},
              {3, 1, 1});
    const auto out = y.as<float>();
    for (std::size_t i = 0; i < size; ++i)
      CHECK(out[i] == (i < static_cast<std::size_t>(n) ? std::fma(3.0f, xs[i], ys[i]) : ys[i]));
  }
}

TEST_CASE("block_sum: the groups' sums add up, in any lane order") {
  const kit::Ready sum("block_sum", {{"dtype", "f32"}});
  const auto xs = ramp(5000, 1.0f);
  auto x = kit::executor().alloc(xs.size() * 4, "x", false);
  x.write(xs);
  for (std::uint32_t order : {0u, 1u, 99u}) {
    auto out = kit::executor().alloc(4 * 4, "out", false);
    sum.run({{"x", kit::address(x)}, {"out", kit::address(out)}, {"n", std::int64_t{5000}}}, {4, 1, 1},
            order);
    double total = 0, expected = 0;
    for (float v : out.as<float>()) total += static_cast<double>(v);
    for (float v : xs) expected += static_cast<double>(v);
    CHECK(total == expected); // small integers: exact
  }
}

TEST_CASE("transpose: rectangular and ragged") {
  const kit::Ready transpose("transpose", {{"dtype", "f32"}});
  struct Shape {
    int height, width;
  };
  for (const auto& s : {Shape{1, 1}, Shape{32, 32}, Shape{33, 70}, Shape{5, 100}}) {
    const auto size = static_cast<std::size_t>(s.height * s.width);
    const auto in_values = ramp(size, 1.0f);
    auto in = kit::executor().alloc(size * 4, "in", false),
         out = kit::executor().alloc(size * 4, "out", false);
    in.write(in_values);
    const auto groups = [](int n) { return static_cast<std::uint32_t>((n + 31) / 32); };
    transpose.run({{"in", kit::address(in)},
                   {"out", kit::address(out)},
                   {"height", std::int64_t{s.height}},
                   {"width", std::int64_t{s.width}}},
                  {groups(s.width), groups(s.height), 1});
    for (int r = 0; r < s.height; ++r)
      for (int c = 0; c < s.width; ++c)
        CHECK(out.as<float>()[static_cast<std::size_t>(c * s.height + r)] ==
              in_values[static_cast<std::size_t>(r * s.width + c)]);
  }
}
