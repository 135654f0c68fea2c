// SPDX-License-Identifier: MIT
// out[r][c] = q[r][c] * scale[r]: rows of int8 with one scale each, several elements an item.
#include "dsl/builder.hpp"
#include "instances/family.hpp"

namespace twinir::examples {
namespace {

struct DequantiseSpec {
  DType dtype = f16; ///< of out; scales are f32
  int vec = 8;       ///< elements of an item
  int block = 256;   ///< work-items of a group

  void reflect(Fields& f) {
    f("dtype", dtype, "element type of out; the scales are f32");
    f("vec", vec, "elements of an item; the columns are a multiple").tag("v").one_of({4, 8, 16});
    f("block", block, "work-items of a group").tag("b").range(64, 1024).multiple_of(64);
  }
};

// The grid covers the columns in x and has one group for every row in y.
KernelDef build(const DequantiseSpec& s, const Target& target, const KernelIdentity& name) {
  KernelBuilder k{name, target, Workgroup{s.block}};
  const Type t = s.dtype.type();
  auto q = k.global_in("q", i8, {.align = s.vec});
  auto scale = k.global_in("scale", f32);
  auto out = k.global_out("out", t, {.align = s.vec * s.dtype.bytes()});
  auto columns = k.arg<i32>("columns");

  // Else the rows would not be aligned.
  k.assert_that((columns & (s.vec - 1)) == 0, "columns_fill_vectors");
  auto row = k.workgroup(1), column = k.global_id() * s.vec;
  k.if_(column < columns, [&] {
    auto at = row * columns + column;
    auto number = sitofp(q.load(vec(i8, s.vec), at, s.vec), Scalar::f32);
    out.store(at, fpcast(number * splat(scale[row], s.vec), t.scalar), s.vec * s.dtype.bytes());
  });
  return k.finish();
}

GateSpecs gate(const Target&) {
  return {
      {{{"dtype", "f16"}}, {{"dtype", "f32"}, {"vec", 4}}, {{"dtype", "bf16"}, {"vec", 16}, {"block", 128}}},
      {{{"vec", 6}}, {{"block", 0}}}};
}

} // namespace

Family dequantise_int8_family() {
  return make_family<DequantiseSpec>(
      {"dequantise_int8", "int8 with a scale per row to floats, vectorised", {}, build, gate});
}

} // namespace twinir::examples
