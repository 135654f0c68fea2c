// SPDX-License-Identifier: MIT
// out[c][r] = in[r][c] through a padded LDS tile: both sides of the copy are coalesced.
#include "dsl/builder.hpp"
#include "dsl/lds_view.hpp"
#include "instances/family.hpp"

namespace twinir::examples {
namespace {

struct TransposeSpec {
  DType dtype = f32; ///< element type
  int tile = 32;     ///< rows and columns of the LDS tile
  int rows = 8;      ///< rows of work-items in a group

  void reflect(Fields& f) {
    f("dtype", dtype, "element type");
    f("tile", tile, "rows and columns of the LDS tile").tag("t").one_of({16, 32, 64});
    f("rows", rows, "rows of work-items in a group").tag("r").one_of({4, 8, 16});
  }
};

void check(const TransposeSpec& s, const Target& target, Refusals& out) {
  out.require(s.tile * s.rows <= target.max_items, Code::workgroup_too_large, std::to_string(s.tile * s.rows) + " work-items in a group",
              "at most " + std::to_string(target.max_items), "use a smaller tile or fewer rows");
}

KernelDef build(const TransposeSpec& s, const Target& target, const KernelIdentity& name) {
  KernelBuilder k{name, target, Workgroup{s.tile, s.rows}};
  auto in = k.global_in("in", s.dtype.type());
  auto out = k.global_out("out", s.dtype.type());
  auto height = k.arg<i32>("height");
  auto width = k.arg<i32>("width");
  constexpr int padding = 1; // a column lies in different banks
  const auto tile = LdsView::padded(k.lds("tile", s.dtype.type(), LdsView::elements(s.tile, s.tile, padding)), s.tile, padding);

  auto x = k.workitem(0), y = k.workitem(1);
  auto column = k.workgroup(0) * s.tile, row = k.workgroup(1) * s.tile;
  for (int j = 0; j < s.tile; j += s.rows) {
    auto r = row + y + j, c = column + x;
    k.if_((r < height) & (c < width), [&] { tile(y + j, x) = in[r * width + c]; });
  }
  k.barrier();
  for (int j = 0; j < s.tile; j += s.rows) {
    auto r = row + x, c = column + y + j;
    k.if_((r < height) & (c < width), [&] { out[c * height + r] = Value(tile(x, y + j)); });
  }
  return k.finish();
}

GateSpecs gate(const Target&) {
  return {{{{"dtype", "f32"}}, {{"dtype", "f16"}, {"tile", 16}}, {{"dtype", "bf16"}, {"tile", 64}, {"rows", 16}}}, {{{"tile", 48}}, {{"rows", 0}}}};
}

} // namespace

Family transpose_family() {
  return make_family<TransposeSpec>({"transpose", "transposed copy through a padded LDS tile", check, build, gate});
}

} // namespace twinir::examples
