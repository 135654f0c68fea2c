// SPDX-License-Identifier: MIT
// Values that are not ordinary numbers, and equalities that hold bit for bit: paths, exponents, layouts,
// parts of a batch, baked kernels.
#include "conv_kit.hpp"
#include "instances/winograd/exponents.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <set>

using namespace twinir;
using kit::convolve, kit::problem, winograd::Prescale;

namespace {

constexpr const char* usual = "-n 2 -c 40 -H 14 -W 15 -k 24 -p 1 -q 1";

std::size_t at(const conv::ConvProblem& p, std::int64_t n, std::int64_t h, std::int64_t w, std::int64_t c) {
  return static_cast<std::size_t>(((n * p.h + h) * p.w + w) * p.c + c);
}

WinogradOptions with(Prescale prescale) {
  WinogradOptions o;
  o.prescale = prescale;
  return o;
}

/// Does the window of the tile with output (h, w) hold input (y, x)? Padding 1, no dilation.
bool window_holds(kit::Tile tile, std::int64_t h, std::int64_t w, std::int64_t y, std::int64_t x) {
  const auto top = h / tile.m_h() * tile.m_h() - 1, left = w / tile.m_w() * tile.m_w() - 1;
  return y >= top && y < top + tile.n_h() && x >= left && x < left + tile.n_w();
}

/// Stage specs with the register or the LDS path for K2.
WinogradOptions with_path(const conv::ConvProblem& p, kit::Tile tile, Prescale prescale, bool lds, int vec) {
  WinogradOptions o;
  o.specs = winograd::default_specs(p, tile, {}, prescale);
  if (lds)
    o.specs->input = winograd::InputLdsSpec{tile, p.dtype, f16, prescale, vec, 32};
  else
    o.specs->input = winograd::InputSpec{tile, p.dtype, f16, prescale, vec, 256};
  return o;
}

std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Elements [c, cp) of the last channels are zero, everywhere else V was written: equal bytes are equal
/// numbers.
std::string v_of(const ConvRun& run, const conv::ConvProblem& p, kit::Tile tile) {
  const auto g = winograd::geometry(p, tile);
  const auto all = text_of(run.workspaces.at("v"));
  std::string out;
  for (std::int64_t bin = 0; bin < tile.bins(); ++bin)
    out += all.substr(static_cast<std::size_t>(bin * g.v.bin), static_cast<std::size_t>(g.tiles * g.v.row));
  return out;
}

} // namespace

TEST_CASE("an infinite and a NaN pixel touch their own tiles only", "[special]") {
  for (const auto tile : winograd::Tile::all())
    for (const DType io : {f16, bf16})
      for (const Prescale prescale : {Prescale::split, Prescale::fused}) {
        CAPTURE(tile.name(), io.name(), prescale.name());
        const auto p = problem(usual, io);
        auto data = random_conv_data(p, 21);
        data.x[at(p, 0, 3, 4, 5)] = io.type() == f16 ? 0x7C00 : 0x7F80;
        data.x[at(p, 1, 9, 2, 39)] = io.type() == f16 ? 0x7E01 : 0xFFC1;
        const auto clean = random_conv_data(p, 21);
        const auto dirty = numbers(io, kit::runner().run(kit::plan(p, tile, with(prescale)), data).y);
        const auto expected = numbers(io, kit::runner().run(kit::plan(p, tile, with(prescale)), clean).y);
        std::size_t touched = 0, wrong = 0, i = 0;
        for (std::int64_t n = 0; n < p.n; ++n)
          for (std::int64_t h = 0; h < p.out_h(); ++h)
            for (std::int64_t w = 0; w < p.out_w(); ++w)
              for (std::int64_t k = 0; k < p.k; ++k, ++i) {
                const bool own = n == 0 ? window_holds(tile, h, w, 3, 4) : window_holds(tile, h, w, 9, 2);
                touched += !std::isfinite(dirty[i]);
                wrong += !own && dirty[i] != expected[i];
                wrong += own && n == 1 && std::abs(h - 9) <= 1 && std::abs(w - 2) <= 1 &&
                         std::isfinite(dirty[i]); // NaN reaches what it must
              }
        CHECK(touched > 0);
        CHECK(wrong == 0);
      }
}

TEST_CASE("an all-zero tile gives zeros, an all-zero image too", "[special]") {
  for (const auto tile : winograd::Tile::all())
    for (const Prescale prescale : {Prescale::none, Prescale::split, Prescale::fused}) {
      CAPTURE(tile.name(), prescale.name());
      const auto p = problem(usual);
      auto data = random_conv_data(p, 22);
      for (std::int64_t h = 0; h < tile.n_h() - 1; ++h) // the window of the first tile, less the padding
        for (std::int64_t w = 0; w < tile.n_w() - 1; ++w)
          for (std::int64_t c = 0; c < p.c; ++c) data.x[at(p, 0, h, w, c)] = 0;
      const auto y = numbers(f16, kit::runner().run(kit::plan(p, tile, with(prescale)), data).y);
      for (std::int64_t h = 0; h < tile.m_h(); ++h)
        for (std::int64_t w = 0; w < tile.m_w() * p.k; ++w)
          REQUIRE(y[static_cast<std::size_t>(h * p.out_w() * p.k + w)] == 0);
      std::ranges::fill(data.x, std::uint16_t{0x8000});
      for (double out : numbers(f16, kit::runner().run(kit::plan(p, tile, with(prescale)), data).y))
        REQUIRE(out == 0);
    }
}

TEST_CASE("a zero filter channel and an infinite tap stay in their channel", "[special]") {
  const auto p = problem(usual, bf16);
  auto data = random_conv_data(p, 23);
  const auto taps = static_cast<std::size_t>(9 * p.c);
  std::fill_n(data.f.begin() + static_cast<std::ptrdiff_t>(2 * taps), taps, std::uint16_t{0});
  data.f[5 * taps + 7] = 0x7F80;
  const auto y = numbers(bf16, convolve(p, kit::Tile(4), data).run.y);
  for (std::size_t i = 0; i < y.size(); ++i) {
    const auto k = i % static_cast<std::size_t>(p.k);
    if (k == 2)
      REQUIRE(y[i] == 0);
    else if (k != 5)
      REQUIRE(std::isfinite(y[i]));
  }
}

TEST_CASE("both paths of K2 give the same bits", "[equal]") {
  for (const auto tile : winograd::Tile::all())
    for (const Prescale prescale : {Prescale::none, Prescale::split, Prescale::fused})
      for (const DType io : {f16, bf16}) {
        if (io.type() == bf16 && prescale == Prescale::none) continue;
        CAPTURE(tile.name(), prescale.name(), io.name());
        const auto p = problem(usual, io);
        const auto data = random_conv_data(p, 24);
        std::set<std::string> v;
        for (bool lds : {false, true})
          for (int vec : {2, 4})
            v.insert(v_of(kit::runner().run(kit::plan(p, tile, with_path(p, tile, prescale, lds, vec)), data),
                          p, tile));
        CHECK(v.size() == 1);
      }
}

TEST_CASE("split and fused find the same exponents, and they are what the host computes", "[equal]") {
  for (const auto tile : winograd::Tile::all())
    for (const DType io : {f16, bf16}) {
      CAPTURE(tile.name(), io.name());
      auto p = problem(usual, io);
      p.groups = 2;
      auto data = random_conv_data(p, 25);
      for (std::size_t i = 0; i < data.x.size(); ++i) // a wide range, zeros and an infinity
        data.x[i] =
            i < 4000
                ? 0
                : encode(io, decode(io, data.x[i]) * std::ldexp(1.0, static_cast<int>(i / 997 % 20) - 14));
      data.x[at(p, 1, 13, 14, 3)] = io.type() == f16 ? 0x7C00 : 0x7F80;
      std::set<std::string> exponents;
      for (const auto& o :
           {with_path(p, tile, Prescale::split, true, 4), with_path(p, tile, Prescale::fused, true, 4),
            with_path(p, tile, Prescale::fused, false, 2)})
        exponents.insert(text_of(kit::runner().run(kit::plan(p, tile, o), data).workspaces.at("te")));
      REQUIRE(exponents.size() == 1);
      const auto g = winograd::geometry(p, tile);
      const auto* te = reinterpret_cast<const std::int32_t*>(exponents.begin()->data());
      for (std::int64_t group = 0; group < p.groups; ++group)
        for (std::int64_t t = 0; t < g.tiles; ++t) {
          int most = 0;
          const auto top = t / g.tiles_x % g.tiles_y * tile.m_h() - 1, left = t % g.tiles_x * tile.m_w() - 1;
          for (auto h = std::max<std::int64_t>(top, 0); h < std::min(top + tile.n_h(), p.h); ++h)
            for (auto w = std::max<std::int64_t>(left, 0); w < std::min(left + tile.n_w(), p.w); ++w)
              for (std::int64_t c = group * g.c; c < (group + 1) * g.c; ++c)
                most = std::max(most, data.x[at(p, t / (g.tiles_x * g.tiles_y), h, w, c)] & 0x7FFF);
          REQUIRE(te[group * g.tiles + t] ==
                  winograd::scale_exponent(io, most, winograd::input_top(f32, g.c)));
        }
    }
}

TEST_CASE("layouts of V and parts of a batch do not change the result", "[equal]") {
  for (const auto tile : {kit::Tile(2), kit::Tile(4), kit::Tile(6, 4)})
    for (const char* flags :
         {"-n 5 -c 24 -H 9 -W 11 -k 16 -p 1 -q 1", "-n 5 -c 24 -H 9 -W 11 -k 16 -p 1 -q 1 -g 2",
          "-n 3 -c 5 -H 9 -W 11 -k 3 -p 1 -q 1"}) {
      CAPTURE(tile.name(), flags);
      const auto p = problem(flags, bf16);
      const auto data = random_conv_data(p, 26);
      const auto expected = convolve(p, tile, data);
      CHECK(expected.error.max_relative <= accuracy_goal(p, tile, f16, f32).max_relative);
      WinogradOptions tile_major, parts, limited;
      tile_major.layout.v = winograd::VLayout::tile_major;
      parts.batch_split = 2;
      limited.workspace_limit = winograd::geometry(p, tile).m.bytes - 1;
      for (const auto& o : {tile_major, parts, limited})
        CHECK(convolve(p, tile, data, o).run.y == expected.run.y);
      CHECK(kit::plan(p, tile, limited).parts > 1);
    }
}

TEST_CASE("a batch split that is no positive number of parts is refused", "[refusal]") {
  for (std::int64_t parts : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{3}}) {
    WinogradOptions o;
    o.batch_split = parts;
    CAPTURE(parts);
    try {
      (void)kit::plan(problem(usual), kit::Tile(4), o);
      FAIL("accepted");
    } catch (const UserError& e) {
      CHECK(e.diagnostic().code == Code::bad_split);
    }
  }
}

TEST_CASE("a baked kernel takes pointers only and gives the same bits", "[baked]") {
  for (const char* flags :
       {"-n 1 -c 24 -H 9 -W 11 -k 16 -p 1 -q 1", "-n 1 -c 24 -H 9 -W 11 -k 16 -p 2 -q 2 -l 2 -j 2 -g 2"})
    for (const Prescale prescale : {Prescale::none, Prescale::split, Prescale::fused}) {
      CAPTURE(flags, prescale.name());
      const auto p = problem(flags);
      const auto plan = kit::plan(p, kit::Tile(4), with(prescale));
      const auto data = random_conv_data(p, 27);
      std::map<std::string, Baked> baked;
      auto baked_plan = plan;
      for (auto& step : baked_plan.steps) {
        if (!find_family(step.family).bake) continue;
        auto one = find_family(step.family).bake(step.spec, find_target("gfx1250"), p);
        CHECK(one.launch.grid == step.launch.grid);
        CHECK(std::ranges::all_of(one.kernel.params,
                                  [](const Param& x) { return x.type.scalar == Scalar::p1; }));
        CHECK(one.kernel.name.find("_for_f16_n1_c24_h9_w11") != std::string::npos);
        step.launch = one.launch, step.kernel_name = one.kernel.name;
        baked.emplace(step.kernel_name, std::move(one));
      }
      CHECK(baked.size() >= 3);
      ConvRunner runner(kit::executor(), [&](const PlanStep& s, const std::string& target) {
        const auto it = baked.find(s.kernel_name);
        return it == baked.end()
                   ? kit::emit_step(s, target)
                   : StepCode{it->second.kernel, kit::plugin().emit(write_json(it->second.kernel))};
      });
      CHECK(kit::runner().run(plan, data).y == runner.run(baked_plan, data).y);
    }
}

TEST_CASE("a wrong kernel is caught: swapped signs give a wrong number", "[mutation]") {
  const auto p = problem("-n 1 -c 8 -H 8 -W 8 -k 8 -p 1 -q 1");
  ConvRunner runner(kit::executor(), [](const PlanStep& s, const std::string& target) {
    auto code = kit::emit_step(s, target);
    if (s.id != "K4") return code;
    const auto at = code.text.find(" = fadd ");
    REQUIRE(at != std::string::npos);
    code.text.replace(at, 8, " = fsub ");
    return code;
  });
  const auto data = random_conv_data(p, 1);
  CHECK(error_of(runner.run(kit::plan(p, kit::Tile(4)), data), p, data).max_relative > 4e-3);
}

TEST_CASE("a target without a matrix instruction for the GEMM is refused when planning", "[refusal]") {
  CHECK_THROWS_AS((void)plan_winograd(problem("-n 1 -c 8 -k 8"), kit::Tile(4), find_target("gfx1201")),
                  UserError);
}

TEST_CASE("the largest finite bf16 inputs overflow nothing on their way", "[special]") {
  for (const auto tile : winograd::Tile::all())
    for (const bool lds : {false, true})
      for (const Prescale prescale : {Prescale::split, Prescale::fused})
        for (const double magnitude : {4.2e36, 1.8e38, 3.38e38}) {
          CAPTURE(tile.name(), lds, prescale.name(), magnitude);
          const auto p = problem("-n 1 -c 8 -H 8 -W 8 -k 8 -p 1 -q 1", bf16);
          auto data = random_conv_data(p, 28);
          for (auto& x : data.x) x = encode(bf16, std::copysign(magnitude, decode(bf16, x)));
          kit::scale(bf16, data.f, 1e-30);
          const auto out = convolve(p, tile, data, with_path(p, tile, prescale, lds, 4));
          CHECK(out.error.not_finite == 0);
          CHECK(out.error.l2_relative <= 2 * accuracy_goal(p, tile, f16, f32).l2_relative);
        }
}

TEST_CASE("a baked kernel of other layouts fits their pipeline", "[baked]") {
  const auto p = problem(usual);
  WinogradOptions o;
  o.layout = {winograd::VLayout::tile_major, f16};
  const auto plan = kit::plan(p, kit::Tile(4), o);
  const auto data = random_conv_data(p, 29);
  std::map<std::string, Baked> baked;
  auto baked_plan = plan;
  for (auto& step : baked_plan.steps) {
    if (!find_family(step.family).bake) continue;
    auto spec = step.spec;
    spec["for"] = conv::command_text(p), spec["layout"] = {{"v", "tile"}, {"m", "f16"}};
    auto one = find_family(step.family).bake(spec, find_target("gfx1250"), p);
    CHECK(one.kernel.name == find_family(step.family).kernel_name(spec));
    step.launch = one.launch, step.kernel_name = one.kernel.name;
    baked.emplace(step.kernel_name, std::move(one));
  }
  ConvRunner runner(kit::executor(), [&](const PlanStep& s, const std::string& target) {
    const auto it = baked.find(s.kernel_name);
    return it == baked.end() ? kit::emit_step(s, target)
                             : StepCode{it->second.kernel, kit::plugin().emit(write_json(it->second.kernel))};
  });
  CHECK(kit::runner().run(plan, data).y == runner.run(baked_plan, data).y);
}

TEST_CASE("stages that do not belong together are refused when planning", "[refusal]") {
  using Specs = winograd::StageSpecs;
  const auto p = problem("-n 2 -c 16 -H 9 -W 10 -k 16 -p 1 -q 1", bf16);
  const auto other = kit::Tile(4);
  const std::vector<std::function<void(Specs&)>> faults{
      [](Specs& s) { s.filter.storage = bf16; },
      [](Specs& s) { s.input = winograd::InputSpec{kit::Tile(2), bf16, bf16, Prescale::none, 4, 256}; },
      [](Specs& s) { s.exponents.reset(); },
      [](Specs& s) { s.maxima.reset(); },
      [&](Specs& s) { s.filter.tile = other; },
      [&](Specs& s) { s.exponents->tile = other; },
      [&](Specs& s) { std::get<winograd::InputSpec>(s.input).tile = other; },
      [&](Specs& s) { s.output.tile = other; },
      [](Specs& s) { s.output.tile_scale = false; },
      [](Specs& s) { s.output.filter_scale = false; },
      [](Specs& s) { s.prescale = Prescale::fused; },
      [](Specs& s) { s.output.m = f16; }};
  for (std::size_t i = 0; i < faults.size(); ++i) {
    CAPTURE(i);
    WinogradOptions o;
    o.specs = winograd::default_specs(p, kit::Tile(2), {}, Prescale::split);
    faults[i](*o.specs);
    try {
      (void)kit::plan(p, kit::Tile(2), o);
      FAIL("accepted");
    } catch (const UserError& e) {
      CHECK(e.diagnostic().code == Code::spec_refused);
    }
  }
}

TEST_CASE("stages without any exponents run", "[equal]") {
  const auto p = problem(usual);
  WinogradOptions o;
  o.specs = winograd::default_specs(p, kit::Tile(4));
  o.specs->filter.scale = o.specs->output.filter_scale = false;
  CHECK(convolve(p, kit::Tile(4), random_conv_data(p, 30), o).error.max_relative <=
        accuracy_goal(p, kit::Tile(4), f16, f32).max_relative);
}

TEST_CASE("small images and few channels meet the goals of their shape", "[accuracy]") {
  for (const char* flags : {"-n 60 -c 16 -H 3 -W 3 -k 16", "-n 60 -c 16 -H 2 -W 2 -k 16 -p 1 -q 1",
                            "-n 4 -c 1 -H 24 -W 24 -k 16 -p 1 -q 1", "-n 4 -c 2 -H 24 -W 24 -k 16 -p 1 -q 1",
                            "-n 1 -c 1 -H 1 -W 1 -k 1 -p 1 -q 1"})
    for (const auto tile : winograd::Tile::all())
      for (std::uint64_t seed : {1u, 3u, 100u, 101u}) {
        CAPTURE(flags, tile.name(), seed);
        const auto p = problem(flags);
        const auto goal = accuracy_goal(p, tile, f16, f32);
        const auto error = convolve(p, tile, random_conv_data(p, seed)).error;
        CHECK(error.max_relative <= goal.max_relative);
        CHECK(error.l2_relative <= goal.l2_relative);
      }
}
