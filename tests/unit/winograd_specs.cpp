// SPDX-License-Identifier: MIT
// Which Winograd specs are refused and why, what default_specs() chooses, and how problems are cut into
// tiles.
#include "dsl/error.hpp"
#include "dsl/json.hpp"
#include "instances/conv/command.hpp"
#include "instances/winograd/exponents.hpp"
#include "instances/winograd/grid.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <set>

using namespace twinir;
using namespace twinir::winograd;

namespace {

const Target& gfx1250() { return find_target("gfx1250"); }

struct Row {
  const char* family;
  Json spec;
  Code code;
};

Code code_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const UserError& e) {
    return e.diagnostic().code;
  }
  return Code::internal;
}

std::string text_of(const StageSpecs& s) {
  return std::visit([](const auto& spec) { return spec_json(spec).dump(); }, s.input);
}

conv::ConvProblem problem(const std::string& flags) { return conv::parse_command(flags).problem; }

bool holds(const std::vector<Json>& grid, const Json& spec) {
  return std::ranges::find(grid, spec) != grid.end();
}

} // namespace

TEST_CASE("refusals of the Winograd stages, each with its code") {
  const std::vector<Row> rows{
      {"winograd_input_lds", {{"lanes", 24}}, Code::lds_lanes},
      {"winograd_input_lds", {{"lanes", 0}}, Code::lds_region_empty},
      {"winograd_input_lds", {{"lanes", -8}}, Code::lds_region_empty},
      {"winograd_input_lds", {{"lanes", 4}}, Code::spec_refused},
      {"winograd_input_lds", {{"lanes", 512}}, Code::spec_refused},
      {"winograd_input_lds", {{"tile", "f2x2"}, {"lanes", 8}}, Code::spec_refused},
      {"winograd_filter", {{"rows", 0}}, Code::filter_rows},
      {"winograd_filter", {{"rows", -4}}, Code::filter_rows},
      {"winograd_filter", {{"rows", 6}}, Code::filter_rows},
      {"winograd_filter", {{"rows", 512}}, Code::filter_rows},
      {"winograd_input", {{"block", 33}}, Code::bad_field},
      {"winograd_input", {{"block", 1088}}, Code::bad_field},
      {"winograd_input", {{"block", 0}}, Code::bad_field},
      {"winograd_input", {{"vec", 3}}, Code::bad_field},
      {"winograd_input", {{"vec", 16}}, Code::bad_field},
      {"winograd_input", {{"tile", "f4"}}, Code::bad_field},
      {"winograd_input", {{"dtype", "f16"}}, Code::unknown_field},
      {"winograd_input", {{"io", "f32"}}, Code::unsupported_dtype},
      {"winograd_input", {{"storage", "f32"}}, Code::unsupported_dtype},
      {"winograd_input", {{"storage", "bf16"}}, Code::type_mix},
      {"winograd_input", {{"io", "bf16"}, {"storage", "bf16"}}, Code::type_mix}, // f4x4
      {"winograd_input", {{"io", "bf16"}}, Code::range_not_safe},
      {"winograd_filter", {{"io", "bf16"}, {"scale", false}}, Code::range_not_safe},
      {"winograd_input", {{"prescale", "fused"}, {"block", 320}}, Code::spec_refused},
      {"winograd_maxima", {{"block", 320}}, Code::spec_refused},
      {"winograd_input", {{"tile", "f6x6"}, {"vec", 8}, {"block", 1024}}, Code::register_budget},
      {"winograd_output", {{"tile", "f6x6"}, {"vec", 8}}, Code::register_budget},
      {"winograd_output", {{"m", "f16"}}, Code::range_not_safe},
      {"winograd_output",
       {{"m", "f16"}, {"tile_scale", true}, {"filter_scale", false}},
       Code::range_not_safe},
      {"winograd_output", {{"m", "bf16"}}, Code::unsupported_dtype},
      {"winograd_input", {{"for", "convfp16 -n 4 -c 64 -k 64"}, {"batch_split", 0}}, Code::bad_split},
      {"winograd_input", {{"for", "convfp16 -n 4 -c 64 -k 64"}, {"batch_split", -1}}, Code::bad_split},
      {"winograd_input", {{"for", "convfp16 -n 4 -c 64 -k 64"}, {"batch_split", 5}}, Code::bad_split},
      {"winograd_input", {{"for", "convfp16 -n 4 -c 64 -k 64"}, {"batch_split", "all"}}, Code::bad_split},
      {"winograd_input", {{"for", "convfp16 -n 4 -c 64 -k 64"}, {"batch_split", 2.5}}, Code::bad_split},
      {"winograd_input", {{"batch_split", 2}}, Code::unknown_field},
      {"winograd_input", {{"for", "convfp16 -y 5 -x 5"}}, Code::not_3x3},
      {"winograd_input", {{"for", 3}}, Code::bad_field}};
  for (const auto& r : rows) {
    CAPTURE(r.family, r.spec.dump());
    CHECK(code_of([&] { (void)find_family(r.family).build(r.spec, gfx1250()); }) == r.code);
  }
  CHECK(code_of([] {
          (void)find_family("winograd_input_lds")
              .build({{"tile", "f6x6"}, {"vec", 8}, {"lanes", 64}}, find_target("gfx1150"));
        }) == Code::lds_too_large);
}

TEST_CASE("every tile keeps vectors of 2 and 4 at blocks 256 and 512, without exponents, split and fused") {
  const auto grid = find_family("winograd_input").aot_grid(gfx1250());
  for (Tile tile : Tile::all())
    for (const Prescale prescale : Prescale::all())
      for (int vec : {2, 4})
        for (int block : {256, 512}) {
          const InputSpec spec{tile, f16, f16, prescale, vec, block};
          CAPTURE(spec_json(spec).dump());
          CHECK(holds(grid, spec_json(spec)));
        }
}

TEST_CASE("the grid has 350 binaries or more, all accepted, no two with one name") {
  std::size_t count = 0;
  std::set<std::string> names;
  for (const auto& family : all_families()) {
    if (family.name.rfind("winograd", 0) != 0) continue;
    for (const auto& spec : family.aot_grid(gfx1250())) {
      CHECK(family.validate(spec, gfx1250()).empty());
      CHECK(names.insert(family.kernel_name(spec)).second);
      ++count;
    }
  }
  CHECK(count >= 350);
}

TEST_CASE("default_specs: always in the grid, always launchable") {
  std::map<std::string, std::vector<Json>> grids;
  for (const auto& family : all_families()) grids[family.name] = family.aot_grid(gfx1250());
  for (Tile tile : Tile::all())
    for (const char* type : {"convfp16", "convbfp16"})
      for (const DType m : {f32, f16})
        for (const char* flags : {"-n 1 -c 1 -k 1 -H 3 -W 3", "-n 2 -c 3 -k 64 -p 1 -q 1",
                                  "-n 1 -c 64 -k 64 -H 56 -W 56 -p 1 -q 1", "-n 1 -c 66 -k 7 -g 1",
                                  "-n 1 -c 256 -k 256 -H 14 -W 14", "-n 1 -c 4096 -k 36 -H 7 -W 7 -p 1 -q 1",
                                  "-n 1 -c 32 -k 32 -g 32", "-n 1 -c 40 -k 20 -g 4 -l 2 -j 3 -p 2 -q 3"}) {
          CAPTURE(tile.name(), type, m.name(), flags);
          const auto p = problem(std::string(type) + " " + flags);
          const Layout layout{VLayout::bin_major, m};
          const auto s = default_specs(p, tile, layout);
          CAPTURE(text_of(s));
          CHECK(holds(grids["winograd_filter"], spec_json(s.filter)));
          CHECK(holds(grids["winograd_output"], spec_json(s.output)));
          if (s.maxima) CHECK(holds(grids["winograd_maxima"], spec_json(*s.maxima)));
          if (s.exponents) CHECK(holds(grids["winograd_exponents"], spec_json(*s.exponents)));
          std::visit(
              [&](const auto& input) {
                CHECK(holds(
                    grids[std::is_same_v<std::decay_t<decltype(input)>, InputSpec> ? "winograd_input"
                                                                                   : "winograd_input_lds"],
                    spec_json(input)));
                CHECK_NOTHROW((void)launch(input, p, layout));
              },
              s.input);
          CHECK_NOTHROW((void)launch(s.filter, p, layout));
          CHECK_NOTHROW((void)launch(s.output, p, layout));
        }
}

TEST_CASE("launches of the stages refuse what the binary cannot serve") {
  const auto p = problem("convfp16 -n 1 -c 512 -k 24 -p 1 -q 1");
  InputLdsSpec lds{Tile(4), f16, f16, Prescale::fused, 4, 32};
  CHECK(code_of([&] { (void)launch(lds, p); }) == Code::channels_too_wide); // 128 pieces, 32 lanes
  lds.lanes = 128;
  CHECK(code_of([&] { (void)launch(lds, p); }) == Code::internal);
  OutputSpec output;
  output.vec = 8;
  CHECK(code_of([&] { (void)launch(output, p); }) == Code::internal);
  CHECK(code_of([&] { (void)launch(output, p, {VLayout::bin_major, f16}); }) == Code::unsupported_dtype);
  output.io = bf16;
  CHECK(code_of([&] { (void)launch(output, p); }) == Code::unsupported_dtype);
  CHECK(code_of([&] { (void)launch(FilterSpec{}, problem("convfp16 -n 1 -c 3 -k 8")); }) ==
        Code::vector_width);
  CHECK(code_of([&] { (void)launch(MaximaSpec{}, problem("convfp16 -n 1 -c 3 -k 8")); }) ==
        Code::vector_width);
  CHECK(code_of([&] { (void)launch(ExponentsSpec{}, problem("convfp16 -n 1 -c 8 -k 8 -y 5 -x 5")); }) ==
        Code::not_3x3);
}

TEST_CASE("geometry: bins start on 512 bytes, dilated rows are covered for themselves") {
  const auto p = problem("convfp16 -n 2 -c 12 -H 13 -W 9 -k 5 -p 2 -q 1 -l 2 -j 1");
  const auto g = geometry(p, Tile(4, 2));
  CHECK(g.out_h == 13);
  CHECK(g.tiles_y == 4); // 7 and 6 rows: two tiles each
  CHECK(g.tiles_x == 5);
  CHECK(g.tiles == 40);
  CHECK(g.cp == 16);
  CHECK(g.v.row == 32);
  CHECK(g.v.bin == 1536); // 40 * 32 = 1280
  CHECK(g.v.bytes == 23 * 1536 + 1280);
  const auto t = geometry(p, Tile(4, 2), {VLayout::tile_major, f16});
  CHECK(t.v.bin == 32);
  CHECK(t.v.row == 24 * 32);
  CHECK(t.v.bytes == 40 * 24 * 32);
  CHECK(t.m.row == 16);
}

TEST_CASE("a batch is split until a workspace fits, and no further") {
  const auto p = problem("convfp16 -n 200 -c 256 -H 112 -W 112 -k 256 -p 1 -q 1");
  const auto images = images_at_once(p, Tile(4), {}, byte_limit);
  auto part = p;
  part.n = images;
  CHECK(geometry(part, Tile(4)).m.bytes <= byte_limit);
  part.n = images + 1;
  CHECK(code_of([&] { (void)geometry(part, Tile(4)); }) == Code::index_overflow);
  CHECK(images_at_once(problem("convfp16 -n 3 -c 8 -k 8"), Tile(4), {}, byte_limit) == 3);
}

TEST_CASE("a baked part of a batch is the kernel of a smaller batch") {
  const auto& family = find_family("winograd_input");
  const auto part = family.build({{"for", "convfp16 -n 5 -c 64 -k 64"}, {"batch_split", 2}}, gfx1250());
  const auto whole = family.build({{"for", "convfp16 -n 3 -c 64 -k 64"}}, gfx1250());
  CHECK(write_json(part) == write_json(whole));
}

TEST_CASE("exponents: the largest magnitude is brought just below 2^(top + 1)") {
  CHECK(scale_exponent(f16, 0x3C00, 14) == 14); // 1.0
  CHECK(scale_exponent(f16, 0x7BFF, 14) == -1); // 65504
  CHECK(scale_exponent(f16, 0x0001, 14) == 28); // subnormal: as 2^-14
  CHECK(scale_exponent(f16, 0x0000, 14) == 0);
  CHECK(scale_exponent(f16, 0x7C00, 14) == 0); // infinity
  CHECK(scale_exponent(f16, 0x7E00, 14) == 0); // NaN
  CHECK(scale_exponent(bf16, 0x3F80, 14) == 14);
  CHECK(scale_exponent(bf16, 0x0001, 14) == 127);  // 140, clamped
  CHECK(scale_exponent(bf16, 0x7F7F, -1) == -126); // -128, clamped
  CHECK(scale_exponent(bf16, 0x7FC0, 14) == 0);
  CHECK(input_top(f32, 4096) == 14);
  CHECK(input_top(f16, 1) == 14);
  CHECK(input_top(f16, 32) == 9);
  CHECK(input_top(f16, 33) == 8);
  CHECK(input_top(f16, 4096) == 2);
}

TEST_CASE("launches refuse specs that no target serves, before they divide") {
  const auto p = problem("convfp16 -n 1 -c 8 -k 8 -p 1 -q 1");
  for (const auto& [family, spec] :
       std::vector<std::pair<const char*, Json>>{{"winograd_input", {{"vec", 0}}},
                                                 {"winograd_input", {{"block", 0}}},
                                                 {"winograd_input", {{"block", 2048}}},
                                                 {"winograd_input", {{"vec", 16}}},
                                                 {"winograd_maxima", {{"vec", -4}}},
                                                 {"winograd_exponents", {{"block", 0}}},
                                                 {"winograd_filter", {{"rows", 0}}},
                                                 {"winograd_filter", {{"rows", 3}}},
                                                 {"winograd_input_lds", {{"lanes", 0}}},
                                                 {"winograd_input_lds", {{"lanes", 24}}},
                                                 {"winograd_output", {{"vec", 0}}}}) {
    CAPTURE(family, spec.dump());
    CHECK(code_of([&] { (void)find_family(family).launch(spec, p); }) != Code::internal);
  }
  CHECK(code_of([&] { (void)geometry(p, Tile(0)); }) == Code::bad_field);
  CHECK(code_of([&] { (void)geometry(p, Tile(4, 3)); }) == Code::bad_field);
}

TEST_CASE("validate says of a baked spec what build would throw; problems in other words are one spec") {
  const auto& family = find_family("winograd_input");
  for (const char* command :
       {"convfp16 -n 1 -c 64 -k 64 -y 5 -x 5", "convbfp16 -n 1 -c 64 -k 64", "convfp16 -n 1 -c 3 -k 3"})
    CHECK_FALSE(family.validate({{"for", command}}, gfx1250()).empty());
  CHECK(family.validate({{"for", "convfp16 -n 1 -c 64 -k 64"}}, gfx1250()).empty());
  CHECK(family.complete({{"for", "./bin/MIOpenDriver convfp16 -n 1 -c 64 --out_channels 64 -F 0"}}) ==
        family.complete({{"for", "convfp16 -n 1 -c 64 -k 64"}}));
}

TEST_CASE("fused exponents of wide problems take the register path") {
  const auto s = default_specs(problem("convbfp16 -n 1 -c 4096 -k 8"), Tile(4), {}, Prescale::fused);
  CHECK(std::holds_alternative<InputSpec>(s.input));
}

TEST_CASE("every filter spec that shares waves between rows keeps its registers") {
  CHECK(code_of([] {
          (void)find_family("winograd_filter")
              .build({{"tile", "f6x6"}, {"vec", 8}, {"block", 512}, {"rows", 16}}, find_target("gfx950"));
        }) == Code::register_budget);
}
