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

TEST_CASE("histogram: groups add to what is there; a value without a bin is not counted") {
  const kit::Ready histogram("histogram", {{"bits", 32}, {"bins", 100}, {"block", 64}});
  std::vector<std::int32_t> values(3000), right(100, 2);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<std::int32_t>(i * i % 131) - (i % 10 == 0 ? 1 : 0);
    if (values[i] >= 0 && values[i] < 100) ++right[static_cast<std::size_t>(values[i])];
  }
  auto x = kit::executor().alloc(values.size() * 4, "x", false);
  x.write(values);
  for (std::uint32_t order : {0u, 5u}) {
    auto counts = kit::executor().alloc(400, "counts", false);
    counts.write(std::vector<std::int32_t>(100, 2));
    histogram.run({{"x", kit::address(x)}, {"counts", kit::address(counts)}, {"n", std::int64_t{3000}}},
                  {7, 1, 1}, order);
    const auto found = counts.as<std::int32_t>();
    CHECK(std::vector<std::int32_t>(found.begin(), found.end()) == right);
  }
}

TEST_CASE("dequantise_int8: every int8, and an assertion where rows do not fill vectors") {
  const kit::Ready dequantise("dequantise_int8", {{"dtype", "f32"}, {"vec", 8}, {"block", 64}});
  std::vector<std::int8_t> values(256);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int8_t>(i);
  auto q = kit::executor().alloc(256, "q", false), scale = kit::executor().alloc(8, "scale", false),
       out = kit::executor().alloc(1024, "out", false);
  const std::vector<float> scales{0.25f, -3.0f};
  q.write(values), scale.write(scales);
  const auto run = [&](int columns, unsigned rows) {
    dequantise.run({{"q", kit::address(q)},
                    {"scale", kit::address(scale)},
                    {"out", kit::address(out)},
                    {"columns", std::int64_t{columns}}},
                   {1, rows, 1});
  };
  run(128, 2);
  for (std::size_t i = 0; i < 256; ++i)
    CHECK(out.as<float>()[i] == static_cast<float>(values[i]) * scales[i / 128]);
  try {
    run(124, 1); // the second row would be misaligned as well
    FAIL("accepted");
  } catch (const UserError& e) {
    CHECK(e.code() == Code::exec_trap);
    CHECK(e.diagnostic().found.find("columns_fill_vectors") != std::string::npos);
  }
}

TEST_CASE("stencil_5_point: inner cells, edges and corners") {
  for (const bool clamp : {true, false}) {
    const kit::Ready stencil("stencil_5_point", {{"clamp", clamp}, {"columns", 32}});
    auto in = kit::executor().alloc(9 * 4, "in", false), out = kit::executor().alloc(9 * 4, "out", false);
    in.write(std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8, 9});
    stencil.run({{"in", kit::address(in)},
                 {"out", kit::address(out)},
                 {"height", std::int64_t{3}},
                 {"width", std::int64_t{3}},
                 {"center", 10.0},
                 {"side", 1.0}},
                {1, 1, 1});
    CHECK(out.as<float>()[4] == 50 + 2 + 4 + 6 + 8);
    CHECK(out.as<float>()[1] == 20 + 1 + 3 + 5 + (clamp ? 2 : 0));
    CHECK(out.as<float>()[8] == 90 + 6 + 8 + (clamp ? 18 : 0));
  }
}
