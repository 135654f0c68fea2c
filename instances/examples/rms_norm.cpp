// SPDX-License-Identifier: MIT
// y[row][i] = x[row][i] / sqrt(mean of x[row]^2 + eps) * weight[i]: a group per row of any length.
#include "instances/examples/group_reduce.hpp"
#include "instances/family.hpp"

namespace twinir::examples {
namespace {

struct RmsNormSpec {
  DType dtype = f16; ///< of x, y and the weights; sums are f32
  int block = 256;   ///< work-items of a group

  void reflect(Fields& f) {
    f("dtype", dtype, "element type of x, y and the weights; sums are f32");
    f("block", block, "work-items of a group").tag("b").range(64, 1024).multiple_of(64);
  }
};

KernelDef build(const RmsNormSpec& s, const Target& target, const KernelIdentity& name) {
  KernelBuilder k{name, target, Workgroup{s.block}};
  const Type t = s.dtype.type();
  auto x = k.global_in("x", t), weight = k.global_in("weight", t);
  auto y = k.global_out("y", t);
  auto columns = k.arg<i32>("columns");
  auto eps = k.arg<f32>("eps");
  auto squares = k.lds("squares", f32, waves_of(k));

  const auto row = zext(k.workgroup(), Scalar::i64) * sext(columns, Scalar::i64);
  const auto from = x + row, to = y + row;
  const auto wide = [](const Value& v) { return fpcast(v, Scalar::f32); };
  const auto own = k.for_carry(k.workitem(), columns, s.block, {k.zero(f32)},
                               [&](Value i, const KernelBuilder::Values& carried) {
                                 const auto v = wide(from[i]);
                                 return KernelBuilder::Values{fma(v, v, carried[0])};
                               });
  const auto mean = group_reduce(k, squares, own[0], Combine::add) / sitofp(columns, Scalar::f32);
  const auto scale = rsq(mean + eps);
  k.for_range(k.workitem(), columns, s.block,
              [&](Value i) { to[i] = fpcast(wide(from[i]) * scale * wide(weight[i]), t.scalar); });
  return k.finish();
}

GateSpecs gate(const Target&) {
  return {{{{"dtype", "f16"}}, {{"dtype", "f32"}, {"block", 64}}, {{"dtype", "bf16"}, {"block", 1024}}},
          {{{"block", 96}}, {{"block", 2048}}}};
}

} // namespace

Family rms_norm_family() {
  return make_family<RmsNormSpec>(
      {"rms_norm", "rows divided by their root mean square, with weights", {}, build, gate});
}

} // namespace twinir::examples
