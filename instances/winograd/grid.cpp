// SPDX-License-Identifier: MIT
#include "instances/winograd/grid.hpp"

namespace twinir::winograd {
namespace {

constexpr int vectors[] = {1, 2, 4, 8};
constexpr int blocks[] = {256, 512};

/// Element types of activations and workspaces, and the ways to scale that they allow.
struct Types {
  DType io, storage;
  Prescale prescale;
};
std::vector<Types> types(Tile tile) {
  std::vector<Types> out{{f16, f16, Prescale::none},
                         {f16, f16, Prescale::split},
                         {f16, f16, Prescale::fused},
                         {bf16, f16, Prescale::split},
                         {bf16, f16, Prescale::fused}};
  if (tile == Tile(2)) out.push_back({bf16, bf16, Prescale::none});
  return out;
}

/// The specs that the checks accept on the target, as JSON.
template <class Spec> std::vector<Json> accepted(const std::vector<Spec>& specs, const Target& target) {
  std::vector<Json> out;
  for (const auto& s : specs) {
    Refusals refusals;
    check(s, target, refusals);
    if (refusals.empty()) out.push_back(spec_json(s));
  }
  return out;
}

} // namespace

const std::vector<Prescale>& Prescale::all() {
  static const std::vector<Prescale> ways{none, split, fused};
  return ways;
}

template <> std::vector<Json> aot_specs<FilterSpec>(const Target& target) {
  std::vector<FilterSpec> specs;
  for (Tile tile : Tile::all())
    for (DType io : {f16, bf16})
      for (int vec : vectors) specs.push_back({tile, io, f16, true, vec, 1, 256});
  for (int vec : vectors) specs.push_back({Tile(2), bf16, bf16, true, vec, 1, 256});
  return accepted(specs, target);
}

template <> std::vector<Json> aot_specs<MaximaSpec>(const Target& target) {
  std::vector<MaximaSpec> specs;
  for (DType io : {f16, bf16})
    for (int vec : vectors) specs.push_back({io, vec, 256});
  return accepted(specs, target);
}

template <> std::vector<Json> aot_specs<ExponentsSpec>(const Target& target) {
  std::vector<ExponentsSpec> specs;
  for (Tile tile : Tile::all())
    for (DType io : {f16, bf16}) specs.push_back({tile, io, 256});
  return accepted(specs, target);
}

template <> std::vector<Json> aot_specs<InputSpec>(const Target& target) {
  std::vector<InputSpec> specs;
  for (Tile tile : Tile::all())
    for (const auto& t : types(tile))
      for (int vec : vectors)
        for (int block : blocks) specs.push_back({tile, t.io, t.storage, t.prescale, vec, block});
  return accepted(specs, target);
}

template <> std::vector<Json> aot_specs<InputLdsSpec>(const Target& target) {
  std::vector<InputLdsSpec> specs;
  for (Tile tile : Tile::all())
    for (const auto& t : types(tile))
      for (int vec : vectors)
        for (int lanes : {16, 32}) specs.push_back({tile, t.io, t.storage, t.prescale, vec, lanes});
  return accepted(specs, target);
}

template <> std::vector<Json> aot_specs<OutputSpec>(const Target& target) {
  std::vector<OutputSpec> specs;
  for (Tile tile : Tile::all())
    for (DType io : {f16, bf16})
      for (int vec : vectors) {
        for (bool tile_scale : {false, true}) specs.push_back({tile, io, f32, tile_scale, true, vec, 256});
        specs.push_back({tile, io, f16, true, true, vec, 256});
      }
  return accepted(specs, target);
}

namespace {

constexpr int lds_lanes(int vec, Tile tile) { return vec == 8 && tile.longest() == 8 ? 16 : 32; }

/// Four channels fill a cache line with a wave of few registers; eight where LDS holds the tile
/// (docs/performance.md).
int input_vector(std::int64_t channels, Tile tile) {
  return widest_vector(channels, tile.longest() == 8 ? 8 : 4);
}

bool uses_lds(Tile tile) { return tile != Tile(2); }

Prescale needed(const conv::ConvProblem& p, const Geometry& g, Tile tile, const Layout& layout, int vec) {
  if (p.dtype.type() == f16 && layout.m.type() == f32) return Prescale::none;
  return uses_lds(tile) && g.cp / vec > lds_lanes(vec, tile) ? Prescale::split : Prescale::fused;
}

} // namespace

void check_together(const StageSpecs& s, Tile tile) {
  Refusals out;
  const auto same = [&](bool ok, const std::string& found, const char* expected) {
    out.require(ok, Code::spec_refused, found, expected,
                "choose stages that belong together, as default_specs() does");
  };
  const auto of_tile = [&](const char* stage, Tile t) {
    same(t == tile, std::string(stage) + " for tile " + t.name() + " in a plan of " + tile.name(),
         "the plan's tile");
  };
  const bool split = s.prescale == Prescale::split, scaled = s.prescale != Prescale::none;
  of_tile("K1", s.filter.tile), of_tile("K4", s.output.tile);
  if (s.exponents) of_tile("K2b", s.exponents->tile);
  same(split == s.maxima.has_value() && split == s.exponents.has_value(),
       "K2a and K2b beside prescale " + s.prescale.name(), "both with prescale split, else none");
  std::visit(
      [&](const auto& input) {
        of_tile("K2", input.tile);
        same(input.prescale == s.prescale,
             "K2 with prescale " + input.prescale.name() + " in stages of prescale " + s.prescale.name(),
             "one prescale");
        same(input.storage == s.filter.storage,
             "V of " + input.storage.name() + " and U of " + s.filter.storage.name(), "one element type");
      },
      s.input);
  same(s.output.tile_scale == scaled,
       std::string("K4 with tile_scale = ") + (s.output.tile_scale ? "true" : "false") + " and prescale " +
           s.prescale.name(),
       "tile_scale where there are exponents");
  same(s.output.filter_scale == s.filter.scale, "filter_scale of K4 that is not scale of K1", "both or none");
  same(s.output.m == s.layout.m, "K4 for M of " + s.output.m.name() + " and a layout of " + s.layout.m.name(),
       "one element type");
  out.raise();
}

StageSpecs default_specs(const conv::ConvProblem& p, Tile tile, const Layout& layout,
                         std::optional<Prescale> prescale) {
  const auto g = geometry(p, tile, layout);
  const int vec = input_vector(g.c, tile);
  StageSpecs s;
  s.layout = layout;
  s.prescale = prescale ? *prescale : needed(p, g, tile, layout, vec);
  const bool scaled = s.prescale != Prescale::none;
  const int narrow = widest_vector(g.c, 4);
  s.filter = {tile, p.dtype, f16, true, narrow, 1, 256};
  if (s.prescale == Prescale::split) {
    s.maxima = MaximaSpec{p.dtype, widest_vector(g.c, 8), 256};
    s.exponents = ExponentsSpec{tile, p.dtype, 256};
  }
  const bool too_wide = s.prescale == Prescale::fused && g.cp / vec > lds_lanes(vec, tile); // for one pass
  if (uses_lds(tile) && !too_wide)
    s.input = InputLdsSpec{tile, p.dtype, f16, s.prescale, vec, lds_lanes(vec, tile)};
  else
    s.input = InputSpec{tile, p.dtype, f16, s.prescale, narrow, 256};
  s.output = {tile, p.dtype, layout.m, scaled, true, widest_vector(g.k, tile.longest() == 8 ? 2 : 4), 256};
  return s;
}

} // namespace twinir::winograd
