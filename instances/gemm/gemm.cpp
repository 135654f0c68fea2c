// SPDX-License-Identifier: MIT
// The batched GEMM as a family: M[b][t][n] = sum over c of V[b][t][c] * U[b][n][c].
#include "instances/family.hpp"
#include "instances/gemm/loops.hpp"

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
  KernelBuilder b{name, target, Workgroup{tile_facts(spec).items}};
  const GemmParts parts{b, spec};
  parts.store(sums(b, spec, parts));
  return b.finish();
}

std::vector<Json> accepted() {
  const Json square{{"block_t", 128}, {"block_n", 128}, {"waves_n", 4}},
      tall{{"block_t", 256}, {"block_n", 128}, {"waves_t", 4}};
  const auto with = [](Json base, const Json& more) {
    base.update(more);
    return base;
  };
  const Json async3{{"mode", "async"}, {"stages", 3}}, async4{{"mode", "async"}, {"stages", 4}};
  const Json double3{{"mode", "async2"}, {"stages", 3}}, double4{{"mode", "async2"}, {"stages", 4}};
  return {Json::object(),
          {{"k_step", 32}},
          {{"in", "bf16"}, {"block_t", 128}},
          square,
          async3,
          {{"in", "bf16"}, {"mode", "async"}, {"k_step", 32}},
          with(square, async3),
          with(tall, async4),
          double4,
          {{"in", "bf16"}, {"mode", "async2"}, {"k_step", 32}},
          with(square, double3),
          {{"out", "f16"}},
          {{"in", "bf16"}, {"out", "f16"}, {"mode", "async"}, {"stages", 3}},
          with(with(square, double3), {{"out", "f16"}}),
          with({{"block_t", 256}, {"block_n", 256}, {"waves_t", 4}}, double3)};
}

std::vector<Json> refused() {
  const Json large{{"block_t", 256}, {"block_n", 256}, {"waves_t", 4}};
  const auto with = [&](const Json& more) {
    auto spec = large;
    spec.update(more);
    return spec;
  };
  return {{{"in", "f32"}},
          {{"out", "bf16"}},
          {{"block_t", 96}},
          {{"waves_t", 8}},
          {{"waves_t", 1}, {"waves_n", 1}},
          {{"stages", 3}},
          with({{"waves_t", 8}, {"waves_n", 8}}),
          with({{"mode", "async"}, {"stages", 6}}),
          with({{"waves_n", 8}}),
          large,
          with({{"waves_t", 1}, {"mode", "async2"}, {"stages", 5}}),
          with({{"waves_n", 4}, {"mode", "async2"}})};
}

GateSpecs gate(const Target&) { return {accepted(), refused()}; }

} // namespace

Family gemm_family() {
  return make_family<GemmSpec>(
      {"gemm", "M[b] = V[b] * transposed U[b] for every bin, f32 accumulation", check, build, gate});
}

} // namespace twinir::gemm
