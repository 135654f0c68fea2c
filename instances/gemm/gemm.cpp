// SPDX-License-Identifier: MIT
// The batched GEMM as a family: M[b][t][n] = sum over c of V[b][t][c] * U[b][n][c].
#include "instances/family.hpp"
#include "instances/gemm/gemm_launch.hpp"
#include "instances/gemm/loops.hpp"
#include "instances/gemm/tile.hpp"

namespace twinir::gemm {
namespace {

Values sums(KernelBuilder& b, const GemmSpec& spec, const GemmParts& parts) {
  switch (spec.staging) {
  case Staging::registers: return through_registers(b, parts);
  case Staging::async: return through_async(b, spec, parts);
  case Staging::async_double: return through_async_double(b, spec, parts);
  }
  return {};
}

KernelDef build(const GemmSpec& spec, const Target& target, const KernelIdentity& name) {
  KernelBuilder b{name, target, Workgroup{tile_facts(spec, target).items}};
  const GemmParts parts{b, spec};
  parts.store(sums(b, spec, parts));
  return b.finish();
}

Json with(Json base, const Json& more) {
  base.update(more);
  return base;
}

// Tiles that several lists use.
const Json square{{"block_t", 128}, {"block_n", 128}},
    large{{"block_t", 256}, {"block_n", 256}, {"waves_t", 4}},
    tall{{"block_t", 256}, {"block_n", 128}, {"waves_t", 4}}, eight_waves = with(square, {{"waves_n", 4}});
const Json bf16_in{{"in", "bf16"}}, f16_out{{"out", "f16"}}, shallow{{"k_step", 32}};

std::vector<Json> accepted_gfx1250() {
  const Json async3{{"mode", "async"}, {"stages", 3}}, async4{{"mode", "async"}, {"stages", 4}};
  const Json double3{{"mode", "async2"}, {"stages", 3}}, double4{{"mode", "async2"}, {"stages", 4}};
  return {Json::object(),
          shallow,
          {{"in", "bf16"}, {"block_t", 128}},
          eight_waves,
          async3,
          {{"in", "bf16"}, {"mode", "async"}, {"k_step", 32}},
          with(eight_waves, async3),
          with(tall, async4),
          double4,
          {{"in", "bf16"}, {"mode", "async2"}, {"k_step", 32}},
          with(eight_waves, double3),
          f16_out,
          with(with(bf16_in, f16_out), async3),
          with(with(eight_waves, double3), f16_out),
          with(large, double3)};
}

std::vector<Json> refused_gfx1250() {
  return {{{"in", "f32"}},
          {{"out", "bf16"}},
          {{"block_t", 96}},
          {{"waves_t", 8}},
          {{"waves_t", 1}, {"waves_n", 1}},
          {{"stages", 3}},
          with(large, {{"waves_t", 8}, {"waves_n", 8}}),
          with(large, {{"mode", "async"}, {"stages", 6}}),
          with(large, {{"waves_n", 8}}),
          large,
          with(large, {{"waves_t", 1}, {"mode", "async2"}, {"stages", 5}}),
          with(large, {{"waves_n", 4}, {"mode", "async2"}})};
}

std::vector<Json> accepted_gfx950() {
  return {Json::object(),
          with(bf16_in, f16_out),
          with(shallow, bf16_in),
          square,
          with(with(square, bf16_in), f16_out),
          eight_waves,
          tall,
          large,
          with(with(large, bf16_in), f16_out)};
}
std::vector<Json> accepted_gfx1150() {
  const Json high{{"block_t", 128}, {"k_step", 32}};
  return {Json::object(), shallow, with(bf16_in, f16_out), high, with(high, bf16_in), with(high, f16_out)};
}

/// What targets without asynchronous copies refuse, and too large a tile.
std::vector<Json> refused_elsewhere(const Json& too_large) {
  return {{{"in", "f32"}},
          {{"out", "bf16"}},
          {{"mode", "async"}},
          {{"mode", "async2"}, {"stages", 3}},
          {{"waves_t", 1}, {"waves_n", 1}},
          {{"waves_t", 8}},
          too_large};
}

GateSpecs gate(const Target& target) {
  if (target.name == "gfx1250") return {accepted_gfx1250(), refused_gfx1250()};
  if (target.name == "gfx950") return {accepted_gfx950(), refused_elsewhere(with(large, {{"waves_t", 1}}))};
  if (target.name == "gfx1150") return {accepted_gfx1150(), refused_elsewhere(large)};
  return {{}, {Json::object()}};
}

std::vector<Json> aot_grid(const Target& target) {
  std::vector<Json> out;
  if (tile_operation(target, Scalar::f16) == nullptr) return out;
  for (const auto& spec : recommended(target)) out.push_back(spec_json(spec));
  return out;
}

} // namespace

Family gemm_family() {
  return make_family<GemmSpec>({"gemm", "M[b] = V[b] * transposed U[b] for every bin, f32 accumulation",
                                check, build, gate, aot_grid});
}

} // namespace twinir::gemm
