// SPDX-License-Identifier: MIT
// y = a * x + y over n elements: the smallest kernel with a loop.
#include "dsl/builder.hpp"
#include "instances/family.hpp"

namespace twinir::examples {
namespace {

struct SaxpySpec {
  DType dtype = f32; ///< of x, y and a
  int block = 256;   ///< work-items of a group

  void reflect(Fields& f) {
    f("dtype", dtype, "element type of x, y and a");
    f("block", block, "work-items of a group").tag("b").range(64, 1024).multiple_of(64);
  }
};

KernelDef build(const SaxpySpec& s, const Target& target, const KernelIdentity& name) {
  KernelBuilder k{name, target, Workgroup{s.block}};
  const Type t = s.dtype.type();
  auto x = k.global_in("x", t);
  auto y = k.global("y", t);
  auto a = k.arg("a", t);
  auto n = k.arg<i32>("n");
  k.for_range(k.global_id(), n, k.global_size(), [&](Value i) { y[i] = fma(a, x[i], y[i]); });
  return k.finish();
}

GateSpecs gate(const Target&) {
  return {{{{"dtype", "f32"}}, {{"dtype", "f16"}}, {{"dtype", "bf16"}, {"block", 1024}}}, {{{"block", 2048}}, {{"block", 33}}, {{"block", -64}}}};
}

} // namespace

Family saxpy_family() {
  return make_family<SaxpySpec>({"saxpy", "y = a * x + y, grid stride", {}, build, gate});
}

} // namespace twinir::examples
