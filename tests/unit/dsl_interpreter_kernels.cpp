// SPDX-License-Identifier: MIT
// The interpreter on whole kernels of the families, against plain C++.
#include "dsl/constant.hpp"
#include "dsl/interpreter.hpp"
#include "instances/conv/command.hpp"
#include "instances/family.hpp"
#include "instances/gemm/gemm_launch.hpp"
#include "instances/winograd/matrices.hpp"
#include "instances/winograd/specs.hpp"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>

using namespace twinir;

namespace {

const Target& target() { return find_target("gfx1250"); }

std::uint16_t half(double v) { return static_cast<std::uint16_t>(float_bits(Scalar::f16, v)); }
double from_half(std::uint16_t bits) { return static_cast<double>(std::bit_cast<_Float16>(bits)); }

/// Launch arguments of a family, pointers filled in.
void interpret_launch(const KernelDef& k, Launch l, InterpreterMemory& memory, const std::map<std::string, std::uint64_t>& pointers) {
  for (const auto& [name, address] : pointers) l.args[name] = address;
  interpret(k, {l.grid, pack_kernargs(k, l.args)}, memory);
}

} // namespace

TEST_CASE("interpreter: saxpy, block_sum and transpose") {
  std::vector<float> x(1000), y(1000), sums(2);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 17) - 8, y[i] = static_cast<float>(i % 5);
  auto saxpy = y;
  InterpreterMemory memory;
  const auto xa = memory.add("x", x), ya = memory.add("y", saxpy), sa = memory.add("sums", sums);
  interpret_launch(find_family("saxpy").build(Json{{"block", 64}}, target()), {{3, 1, 1}, {}, {{"a", 2.5}, {"n", std::int64_t{999}}}}, memory, {{"x", xa}, {"y", ya}});
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(saxpy[i] == (i < 999 ? 2.5F * x[i] + y[i] : y[i]));
  interpret_launch(find_family("block_sum").build(Json{{"block", 128}}, target()), {{2, 1, 1}, {}, {{"n", std::int64_t{1000}}}}, memory, {{"x", xa}, {"out", sa}});
  float expected[2] = {};
  for (std::size_t i = 0; i < x.size(); ++i) expected[i / 128 % 2] += x[i];
  CHECK(sums == std::vector<float>(expected, expected + 2));
  interpret_launch(find_family("transpose").build(Json{{"tile", 16}}, target()), {{2, 3, 1}, {}, {{"height", std::int64_t{40}}, {"width", std::int64_t{25}}}}, memory,
                   {{"in", xa}, {"out", ya}});
  for (std::size_t r = 0; r < 40; ++r)
    for (std::size_t c = 0; c < 25; ++c) CHECK(saxpy[c * 40 + r] == x[r * 25 + c]);
}

TEST_CASE("interpreter: the Winograd filter transform") {
  const auto p = conv::parse_command("convfp16 -n 1 -c 6 -H 8 -W 8 -k 5 -p 1 -q 1").problem;
  winograd::FilterSpec spec;
  spec.tile = winograd::Tile(4, 2), spec.vec = 2, spec.block = 64, spec.rows = 4;
  const auto g = winograd::geometry(p, spec.tile);
  std::vector<std::uint16_t> f(static_cast<std::size_t>(g.filter_bytes / 2)), u(static_cast<std::size_t>(g.u.bytes / 2), 0x7E00);
  std::vector<std::int32_t> exponents(static_cast<std::size_t>(p.k), 99);
  for (std::size_t i = 0; i < f.size(); ++i) f[i] = half(static_cast<double>(i * 7 % 13) / 4 - 1.5);
  InterpreterMemory memory;
  const auto fa = memory.add("f", f), ua = memory.add("u", u), ea = memory.add("fe", exponents);
  interpret_launch(winograd::build_filter(spec, target(), "k1"), winograd::launch(spec, p), memory, {{"f", fa}, {"u", ua}, {"fe", ea}});
  for (auto e : exponents) CHECK(e == -1); // the largest tap is 1.5: 2^-1 brings it below 1
  const auto entry = [&](int m, int r, int c) { return boost::rational_cast<double>(winograd::matrices(m).g.at(r, c)) / (m == spec.tile.m_h() ? 2 : 1); };
  for (int bin = 0; bin < spec.tile.bins(); ++bin)
    for (std::int64_t k = 0; k < p.k; ++k)
      for (std::int64_t c = 0; c < g.cp; ++c) {
        double sum = 0;
        for (int y = 0; y < 3; ++y)
          for (int x = 0; x < 3 && c < p.c; ++x)
            sum += entry(spec.tile.m_h(), bin / spec.tile.n_w(), y) * entry(spec.tile.m_w(), bin % spec.tile.n_w(), x) * from_half(f[static_cast<std::size_t>(((k * 3 + y) * 3 + x) * p.c + c)]);
        CHECK(from_half(u[static_cast<std::size_t>((bin * g.u.bin + k * g.u.row) / 2 + c)]) == Approx(sum).margin(2e-3).epsilon(2e-3));
      }
}

TEST_CASE("interpreter: the Winograd input transform") {
  const auto p = conv::parse_command("convfp16 -n 2 -c 6 -H 7 -W 9 -k 5 -p 1 -q 1").problem;
  winograd::InputSpec spec;
  spec.tile = winograd::Tile(2, 4), spec.vec = 2, spec.block = 64;
  const auto g = winograd::geometry(p, spec.tile);
  std::vector<std::uint16_t> x(static_cast<std::size_t>(g.input_bytes / 2)), v(static_cast<std::size_t>(g.v.bytes / 2), 0x7E00);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = half(static_cast<double>(i * 7 % 13) / 4 - 1.5);
  InterpreterMemory memory;
  const auto xa = memory.add("x", x), va = memory.add("v", v);
  interpret_launch(winograd::build_input(spec, target(), "k2"), winograd::launch(spec, p), memory, {{"x", xa}, {"v", va}});
  const auto pixel = [&](std::int64_t image, std::int64_t row, std::int64_t column, std::int64_t c) {
    if (row < 0 || row >= p.h || column < 0 || column >= p.w || c >= p.c) return 0.0;
    return from_half(x[static_cast<std::size_t>(((image * p.h + row) * p.w + column) * p.c + c)]);
  };
  const auto bt = [&](int size, int r, int c) {
    const auto& m = winograd::matrices(size);
    return std::ldexp(boost::rational_cast<double>(m.bt.at(r, c)), m.bt_exponent[static_cast<std::size_t>(r)]);
  };
  const auto& tile = spec.tile;
  for (int bin = 0; bin < spec.tile.bins(); ++bin)
    for (std::int64_t t = 0; t < g.tiles; ++t)
      for (std::int64_t c = 0; c < g.cp; ++c) {
        const auto image = t / (g.tiles_x * g.tiles_y), top = t / g.tiles_x % g.tiles_y * tile.m_h() - 1, left = t % g.tiles_x * tile.m_w() - 1;
        double sum = 0;
        for (int i = 0; i < tile.n_h(); ++i)
          for (int j = 0; j < tile.n_w(); ++j) sum += bt(tile.m_h(), bin / tile.n_w(), i) * bt(tile.m_w(), bin % tile.n_w(), j) * pixel(image, top + i, left + j, c);
        CHECK(from_half(v[static_cast<std::size_t>((bin * g.v.bin + t * g.v.row) / 2 + c)]) == Approx(sum).margin(5e-3));
      }
}

TEST_CASE("interpreter: the batched GEMM in every staging and on every target") {
  const auto p = gemm::GemmProblem::packed(2, 20, 24, 136);
  std::vector<std::uint16_t> v(static_cast<std::size_t>(p.bins * p.t * p.ldv)), u(static_cast<std::size_t>(p.bins * p.k * p.ldu));
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = half(static_cast<double>(i * 7 % 13) - 6);
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = half(static_cast<double>(i * 5 % 11) - 5);
  const auto row = [](const std::vector<std::uint16_t>& from, std::int64_t r, std::int64_t ld) { return from.data() + r * ld; };
  std::vector<std::pair<std::string, gemm::Staging>> kinds{{"gfx1150", gemm::Staging::registers}, {"gfx950", gemm::Staging::registers}};
  for (const auto& staging : gemm::Staging::all()) kinds.emplace_back("gfx1250", staging);
  for (const auto& [name, staging] : kinds) {
    const auto& gpu = find_target(name);
    std::vector<float> m(static_cast<std::size_t>(p.bins * p.t * p.ldm), -1);
    InterpreterMemory memory;
    const auto va = memory.add("v", v), ua = memory.add("u", u), ma = memory.add("m", m);
    gemm::GemmSpec spec;
    spec.staging = staging;
    CAPTURE(name, staging.name());
    interpret_launch(find_family("gemm").build(spec_json(spec), gpu), gemm::launch(spec, p, gpu), memory, {{"v", va}, {"u", ua}, {"m", ma}});
    for (std::int64_t r = 0; r < p.bins * p.t; ++r)
      for (std::int64_t n = 0; n < p.k; ++n) {
        double sum = 0;
        for (std::int64_t c = 0; c < p.c; ++c) sum += from_half(row(v, r, p.ldv)[c]) * from_half(row(u, r / p.t * p.k + n, p.ldu)[c]);
        CHECK(static_cast<double>(m[static_cast<std::size_t>(r * p.ldm + n)]) == sum); // small integers: exact
      }
  }
}
