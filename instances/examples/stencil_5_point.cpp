// SPDX-License-Identifier: MIT
// out = center * cell + side * (north + south + west + east) on a grid of cells; one item a cell.
#include "dsl/builder.hpp"
#include "instances/family.hpp"

namespace twinir::examples {
namespace {

struct StencilSpec {
  DType dtype = f32; ///< of the cells; weights and sums are f32
  bool clamp = true; ///< a neighbour outside the grid: the nearest cell, or 0
  int columns = 64;  ///< of a group
  int rows = 4;      ///< of a group

  void reflect(Fields& f) {
    f("dtype", dtype, "element type of the cells; weights and sums are f32");
    f("clamp", clamp, "a neighbour outside the grid is the nearest cell; else 0").tag("c");
    f("columns", columns, "columns of work-items in a group").tag("x").one_of({32, 64, 128});
    f("rows", rows, "rows of work-items in a group").tag("y").one_of({1, 2, 4, 8});
  }
};

/// The cells as numbers, with what lies behind the edges.
struct Cells {
  KernelBuilder& k;
  const StencilSpec& spec;
  Pointer in;
  Value height, width;

  [[nodiscard]] Value at(const Value& y, const Value& x) const {
    if (spec.clamp) return load(smin(smax(y, 0), height - 1), smin(smax(x, 0), width - 1));
    const auto inside = ult(y, height) & ult(x, width); // -1 is a large unsigned number
    return k.if_value(
        inside, [&] { return load(y, x); }, [&] { return k.zero(f32); });
  }
  [[nodiscard]] Value load(const Value& y, const Value& x) const {
    return fpcast(in[y * width + x], Scalar::f32);
  }
};

KernelDef build(const StencilSpec& s, const Target& target, const KernelIdentity& name) {
  KernelBuilder k{name, target, Workgroup{s.columns, s.rows}};
  auto in = k.global_in("in", s.dtype.type());
  auto out = k.global_out("out", s.dtype.type());
  auto height = k.arg<i32>("height"), width = k.arg<i32>("width");
  auto center = k.arg<f32>("center"), side = k.arg<f32>("side");

  auto x = k.global_id(0), y = k.global_id(1);
  k.if_((y < height) & (x < width), [&] {
    const Cells cells{k, s, in, height, width};
    auto north = cells.at(y - 1, x), south = cells.at(y + 1, x);
    auto west = cells.at(y, x - 1), east = cells.at(y, x + 1);
    auto around = (north + south) + (west + east);
    out[y * width + x] = fpcast(fma(side, around, center * cells.load(y, x)), s.dtype.scalar());
  });
  return k.finish();
}

GateSpecs gate(const Target&) {
  return {{{{"dtype", "f32"}},
           {{"dtype", "f16"}, {"clamp", false}},
           {{"dtype", "bf16"}, {"columns", 32}, {"rows", 8}}},
          {{{"columns", 48}}, {{"rows", 0}}}};
}

} // namespace

Family stencil_5_point_family() {
  return make_family<StencilSpec>(
      {"stencil_5_point", "5-point stencil on a 2D grid, with edges", {}, build, gate});
}

} // namespace twinir::examples
