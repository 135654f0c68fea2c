// SPDX-License-Identifier: MIT
// The accuracy of the pipeline for every tile and element type, over the data that break Winograd
// convolutions: on poisoned workspaces in checked mode, against the float64 direct convolution of the same
// inputs.
#include "conv_kit.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>

using namespace twinir;
using kit::convolve, kit::problem, winograd::Prescale;

namespace {

constexpr const char* usual = "-n 1 -c 64 -H 24 -W 24 -k 32 -p 1 -q 1";

/// Changes N(0,1) inputs and He filters into what a scenario asks for.
struct Scenario {
  const char* name;
  std::function<void(DType, ConvData&)> change;
  bool f16_too = true; ///< can f16 hold its inputs and outputs
};

void absolute(DType type, std::vector<std::uint16_t>& elements) {
  for (auto& e : elements) e = encode(type, std::abs(decode(type, e)));
}

const std::vector<Scenario>& scenarios() {
  static const std::vector<Scenario> list{
      {"N(0,1)", [](DType, ConvData&) {}},
      {"ReLU",
       [](DType t, ConvData& d) {
         for (auto& e : d.x) e = encode(t, std::max(decode(t, e), 0.0));
       }},
      {"inputs x1e3", [](DType t, ConvData& d) { kit::scale(t, d.x, 1e3); }},
      {"inputs x1e-5", [](DType t, ConvData& d) { kit::scale(t, d.x, 1e-5); }},
      {"6e4 peak",
       [](DType t, ConvData& d) {
         double most = 0;
         for (auto e : d.x) most = std::max(most, std::abs(decode(t, e)));
         kit::scale(t, d.x, 6e4 / most);
         kit::scale(t, d.f, 0.125); // outputs stay in f16
       }},
      {"weights x1e-6", [](DType t, ConvData& d) { kit::scale(t, d.f, 1e-6); }, false},
      {"weights x1e6", [](DType t, ConvData& d) { kit::scale(t, d.f, 1e6); }, false},
      {"all ones", [](DType t, ConvData& d) {
         std::ranges::fill(d.x, encode(t, 1.0));
         absolute(t, d.f);
       }}};
  return list;
}

/// The relative L2 error that rounding the exact outputs makes: large where outputs are subnormal.
double rounding_floor(const kit::ConvProblem& p, const ConvData& d) {
  const auto exact = reference_convolution(p, numbers(p.dtype, d.x), numbers(p.dtype, d.f));
  auto rounded = exact;
  for (auto& y : rounded) y = decode(p.dtype, encode(p.dtype, y));
  return conv_error(rounded, exact).l2_relative;
}

void check(const kit::ConvProblem& p, kit::Tile tile, const ConvData& data, const WinogradOptions& options) {
  const auto goal = published_goal(p, tile, f16, options.layout.m);
  const auto error = convolve(p, tile, data, options).error;
  const double one_channel = p.c == p.groups ? 1.5 : 1; // nothing averages out (docs/accuracy.md)
  CHECK(error.max_relative <= goal.max_relative * one_channel);
  const double least = rounding_floor(p, data), normal = p.dtype.type() == bf16 ? 2e-3 : 2.5e-4;
  CHECK(error.l2_relative <= (least <= normal ? goal.l2_relative : std::hypot(goal.l2_relative, least)));
}

WinogradOptions with(std::optional<Prescale> prescale, DType m = f32) {
  WinogradOptions o;
  o.prescale = prescale, o.layout.m = m;
  return o;
}

} // namespace

TEST_CASE("every tile, f16 and bf16, with exponents: the goals hold for all data", "[accuracy]") {
  for (const auto tile : winograd::Tile::all())
    for (const DType io : {f16, bf16})
      for (const auto& scenario : scenarios()) {
        if (io.type() == f16 && !scenario.f16_too) continue;
        CAPTURE(tile.name(), io.name(), scenario.name);
        const auto p = problem(usual, io);
        auto data = random_conv_data(p, 11);
        scenario.change(io, data);
        check(p, tile, data, with(Prescale::split));
      }
}

TEST_CASE("every tile, f16 without exponents: the goals hold but for inputs whose V is subnormal",
          "[accuracy]") {
  for (const auto tile : winograd::Tile::all())
    for (const auto& scenario : scenarios()) {
      if (!scenario.f16_too) continue;
      CAPTURE(tile.name(), scenario.name);
      const auto p = problem(usual);
      auto data = random_conv_data(p, 11);
      scenario.change(f16, data);
      if (std::string(scenario.name) == "inputs x1e-5") { // what the exponents are for
        CHECK(convolve(p, tile, data, with(Prescale::none)).error.max_relative <=
              published_goal(p, tile, f16, f32).max_relative);
        continue;
      }
      check(p, tile, data, with(Prescale::none));
    }
}

TEST_CASE("every tile, M in f16: the goals hold, and no data overflow", "[accuracy]") {
  for (const auto tile : winograd::Tile::all())
    for (const DType io : {f16, bf16})
      for (const char* name : {"N(0,1)", "inputs x1e3", "all ones"}) {
        CAPTURE(tile.name(), io.name(), name);
        const auto p = problem(usual, io);
        auto data = random_conv_data(p, 12);
        std::ranges::find(scenarios(), std::string(name), &Scenario::name)->change(io, data);
        check(p, tile, data, with({}, f16));
      }
}

TEST_CASE("numbers of channels where the path differs", "[accuracy]") {
  for (const auto tile : {kit::Tile(2), kit::Tile(4), kit::Tile(6), kit::Tile(4, 6)})
    for (const DType io : {f16, bf16})
      for (int c : {1, 3, 8, 64, 256, 2048, 4096}) {
        CAPTURE(tile.name(), io.name(), c);
        const auto p = problem(
            (c > 256 ? "-n 1 -H 13 -W 12 -k 16 -p 1 -q 1 -c " : "-n 1 -H 24 -W 24 -k 32 -p 1 -q 1 -c ") +
                std::to_string(c),
            io);
        check(p, tile, random_conv_data(p, 13), {});
      }
}

TEST_CASE("a fused pass over any number of channels, lanes and pieces", "[accuracy]") {
  for (int c : {1, 8, 36, 200, 4096}) {
    CAPTURE(c);
    const auto p = problem("-n 1 -H 6 -W 5 -k 8 -p 1 -q 1 -c " + std::to_string(c), bf16);
    check(p, kit::Tile(2), random_conv_data(p, 14), with(Prescale::fused));
  }
}

TEST_CASE("odd extents, dilation, groups, depthwise, batches in parts", "[accuracy]") {
  for (const auto tile : winograd::Tile::all())
    for (const DType io : {f16, bf16})
      for (const char* flags :
           {"-n 3 -c 32 -H 5 -W 7 -k 32 -p 1 -q 1", "-n 1 -c 32 -H 31 -W 29 -k 32 -p 1 -q 1",
            "-n 1 -c 32 -H 23 -W 21 -k 32 -p 2 -q 2 -l 2 -j 2",
            "-n 1 -c 32 -H 19 -W 22 -k 32 -p 3 -q 1 -l 3 -j 1", "-n 2 -c 48 -H 19 -W 20 -k 40 -p 1 -q 1 -g 2",
            "-n 1 -c 32 -H 19 -W 20 -k 32 -p 1 -q 1 -g 32",
            "-n 1 -c 36 -H 19 -W 20 -k 39 -p 2 -q 2 -l 2 -j 2 -g 3"}) {
        CAPTURE(tile.name(), io.name(), flags);
        const auto p = problem(flags, io);
        check(p, tile, random_conv_data(p, 15), {});
      }
}

TEST_CASE("U and V in bf16, for the one tile that offers them", "[accuracy]") {
  const auto p = problem(usual, bf16);
  WinogradOptions o;
  o.specs = winograd::default_specs(p, kit::Tile(2), {}, Prescale::none);
  o.specs->filter.storage = bf16;
  o.specs->input = winograd::InputSpec{kit::Tile(2), bf16, bf16, Prescale::none, 4, 256};
  const auto error = convolve(p, kit::Tile(2), random_conv_data(p, 16), o).error;
  const auto goal = published_goal(p, kit::Tile(2), bf16, f32);
  CHECK(error.max_relative <= goal.max_relative);
  CHECK(error.l2_relative <= goal.l2_relative);
}

TEST_CASE("the whole pipeline on waves of 64 and with other matrix instructions", "[accuracy]") {
  for (const char* target : {"gfx950", "gfx1150"})
    for (const auto tile : {kit::Tile(2), kit::Tile(4), kit::Tile(4, 6), kit::Tile(6)})
      for (const DType io : {f16, bf16})
        for (const DType m : {f32, f16}) {
          CAPTURE(target, tile.name(), io.name(), m.name());
          const auto p = problem("-n 1 -c 72 -H 19 -W 24 -k 36 -p 1 -q 1 -g 2", io);
          const auto data = random_conv_data(p, 17);
          const auto plan = plan_winograd(p, tile, find_target(target), with({}, m));
          const auto error = error_of(kit::runner().run(plan, data), p, data);
          const auto goal = published_goal(p, tile, f16, m);
          CHECK(error.max_relative <= goal.max_relative);
          CHECK(error.l2_relative <= goal.l2_relative);
        }
}
