// SPDX-License-Identifier: MIT
// What the gate compares: every stage with every tile, element type and path, and every refusal.
#include "instances/winograd/grid.hpp"

namespace twinir::winograd {
namespace {

/// The specs, without the tiles that are not square on targets other than the main one.
std::vector<Tile> tiles(const Target& target) {
  return target.name == "gfx1250" ? Tile::all() : std::vector<Tile>{2, 4, 6};
}

Json with_tile(Tile tile, Json fields) {
  fields["tile"] = tile.name();
  return fields;
}

/// Every tile with every one of `variants`.
std::vector<Json> per_tile(const Target& target, const std::vector<Json>& variants) {
  std::vector<Json> out;
  for (Tile tile : tiles(target))
    for (const auto& v : variants) out.push_back(with_tile(tile, v));
  return out;
}

/// The tiles with a side of 6, or the others, with `fields`: what default_specs() gives for wide f16
/// problems, where it differs from the defaults of the fields.
std::vector<Json> usual(const Target& target, bool with_six, const Json& fields) {
  std::vector<Json> out;
  for (Tile tile : tiles(target))
    if ((tile.longest() == Tile(6).longest()) == with_six) out.push_back(with_tile(tile, fields));
  return out;
}

std::vector<Json> joined(std::vector<Json> a, const std::vector<Json>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Kernels baked for a problem with whole and ragged tiles, dilation and groups.
std::vector<Json> baked(const std::vector<Json>& variants) {
  std::vector<Json> out;
  for (auto v : variants)
    for (const char* problem : {"convfp16 -n 1 -c 64 -H 56 -W 56 -k 64 -p 1 -q 1",
                                "convfp16 -n 2 -c 24 -H 9 -W 13 -k 16 -p 2 -q 2 -l 2 -j 2 -g 2"}) {
      v["for"] = problem;
      out.push_back(v);
    }
  out.push_back({{"for", "convfp16 -n 5 -c 64 -H 28 -W 28 -k 64 -p 1 -q 1"}, {"batch_split", 2}});
  return out;
}
std::vector<Json> baked_refusals() {
  constexpr const char* plain = "convfp16 -n 4 -c 64 -k 64";
  return {{{"for", "convfp16 -n 1 -c 64 -k 64 -y 5 -x 5"}},
          {{"for", 7}},
          {{"for", "convfp16 -n 1 -c 3 -k 3"}, {"vec", 4}},
          {{"for", plain}, {"batch_split", 0}},
          {{"for", plain}, {"batch_split", -2}},
          {{"for", plain}, {"batch_split", 5}},
          {{"for", plain}, {"batch_split", 1.5}},
          {{"batch_split", 2}},
          {{"for", plain}, {"layout", {{"v", "channel"}}}},
          {{"for", plain}, {"layout", "tile"}}};
}

/// Refusals of fields that most stages have.
std::vector<Json> common_refusals() {
  return {{{"tile", "f3x3"}}, {{"tile", "f8x8"}}, {{"io", "f32"}},  {{"block", 2048}},
          {{"block", 33}},    {{"block", 0}},     {{"channels", 4}}};
}
std::vector<Json> vector_refusals() { return {{{"vec", 3}}, {{"vec", 0}}, {{"vec", 16}}}; }
std::vector<Json> storage_refusals() {
  return {
      {{"storage", "bf16"}}, {{"storage", "f32"}}, {{"tile", "f4x4"}, {"io", "bf16"}, {"storage", "bf16"}}};
}

} // namespace

template <> GateSpecs gate_specs<FilterSpec>(const Target& target) {
  auto accepted = per_tile(target, {Json::object(), {{"io", "bf16"}}});
  accepted = joined(accepted, {{{"scale", false}},
                               {{"tile", "f2x2"}, {"io", "bf16"}, {"storage", "bf16"}, {"scale", false}},
                               {{"vec", 1}},
                               {{"vec", 2}, {"rows", 8}},
                               {{"vec", 8}, {"block", 64}},
                               {{"rows", 16}, {"block", 1024}}});
  accepted = joined(accepted, baked({Json::object()}));
  auto refused =
      joined(joined(joined(common_refusals(), vector_refusals()), storage_refusals()), baked_refusals());
  refused = joined(refused, {{{"rows", 0}},
                             {{"rows", -1}},
                             {{"rows", 3}},
                             {{"rows", 512}},
                             {{"block", 192}},
                             {{"io", "bf16"}, {"scale", false}}});
  return {accepted, refused};
}

template <> GateSpecs gate_specs<MaximaSpec>(const Target&) {
  return {{{{"vec", 1}},
           {{"vec", 2}},
           {{"vec", 4}},
           {{"vec", 8}},
           {{"io", "bf16"}},
           {{"io", "bf16"}, {"vec", 8}, {"block", 64}}},
          {{{"io", "f32"}}, {{"vec", 3}}, {{"block", 192}}, {{"block", 2048}}}};
}

template <> GateSpecs gate_specs<ExponentsSpec>(const Target& target) {
  return {per_tile(target, {Json::object(), {{"io", "bf16"}}}),
          {{{"io", "f32"}}, {{"tile", "f4"}}, {{"block", 96}}}};
}

template <> GateSpecs gate_specs<InputSpec>(const Target& target) {
  auto accepted = per_tile(target, {Json::object(),
                                    {{"prescale", "split"}, {"vec", 2}},
                                    {{"prescale", "fused"}, {"vec", 4}},
                                    {{"io", "bf16"}, {"prescale", "split"}},
                                    {{"io", "bf16"}, {"prescale", "fused"}, {"vec", 2}, {"block", 512}}});
  accepted = joined(accepted, {{{"vec", 1}},
                               {{"vec", 8}},
                               {{"vec", 2}, {"block", 1024}},
                               {{"tile", "f2x2"}, {"vec", 4}, {"block", 64}},
                               {{"tile", "f2x2"}, {"io", "bf16"}, {"storage", "bf16"}}});
  accepted = joined(accepted, baked({Json::object(), {{"prescale", "fused"}}}));
  auto refused =
      joined(joined(joined(common_refusals(), vector_refusals()), storage_refusals()), baked_refusals());
  refused = joined(refused, {{{"io", "bf16"}},
                             {{"prescale", "tile"}},
                             {{"prescale", "fused"}, {"block", 192}},
                             {{"tile", "f6x6"}, {"vec", 8}, {"block", 1024}},
                             {{"tile", "f4x6"}, {"vec", 8}, {"block", 1024}, {"prescale", "fused"}}});
  return {accepted, refused};
}

template <> GateSpecs gate_specs<InputLdsSpec>(const Target& target) {
  auto accepted = per_tile(target, {Json::object(),
                                    {{"prescale", "fused"}, {"vec", 2}},
                                    {{"io", "bf16"}, {"prescale", "split"}},
                                    {{"io", "bf16"},
                                     {"prescale", "fused"},
                                     {"vec", 8},
                                     {"lanes", target.wave == 64 ? 32 : 16}}}); // whole waves
  if (target.wave == 32)
    accepted = joined(accepted, usual(target, true, {{"vec", 8}, {"lanes", 16}})); // whole waves
  accepted = joined(accepted, {{{"vec", 1}, {"lanes", 64}},
                               {{"tile", "f2x2"}, {"vec", 8}, {"lanes", 16}},
                               {{"tile", "f2x2"}, {"io", "bf16"}, {"storage", "bf16"}}});
  accepted = joined(accepted, baked({Json::object(), {{"prescale", "fused"}}}));
  auto refused = joined(joined(vector_refusals(), storage_refusals()), baked_refusals());
  refused = joined(refused, {{{"tile", "f3x3"}},
                             {{"io", "f32"}},
                             {{"io", "bf16"}},
                             {{"lanes", 0}},
                             {{"lanes", -32}},
                             {{"lanes", 24}},
                             {{"lanes", 4}},
                             {{"lanes", 512}},
                             {{"block", 256}}});
  return {accepted, refused};
}

template <> GateSpecs gate_specs<OutputSpec>(const Target& target) {
  auto accepted =
      per_tile(target, {Json::object(),
                        {{"io", "bf16"}, {"tile_scale", true}},
                        {{"m", "f16"}, {"tile_scale", true}, {"vec", target.max_vgprs > 256 ? 4 : 2}},
                        {{"io", "bf16"}, {"m", "f16"}, {"tile_scale", true}, {"vec", 1}}});
  accepted = joined(accepted, usual(target, false, {{"vec", 4}}));
  accepted =
      joined(accepted, {{{"filter_scale", false}},
                        {{"vec", 1}},
                        {{"tile", "f2x2"}, {"vec", 8}},
                        {{"tile", "f2x2"}, {"block", 1024}},
                        {{"tile", "f4x4"}, {"block", 64}, {"tile_scale", true}, {"filter_scale", false}}});
  accepted = joined(accepted, baked({Json::object()}));
  auto refused = joined(joined(common_refusals(), vector_refusals()), baked_refusals());
  refused = joined(refused, {{{"m", "bf16"}},
                             {{"m", "f16"}},
                             {{"m", "f16"}, {"tile_scale", true}, {"filter_scale", false}},
                             {{"tile", "f6x6"}, {"vec", 8}}});
  return {accepted, refused};
}

} // namespace twinir::winograd
