// SPDX-License-Identifier: MIT
// K2, register path: V[bin][tile][c] = BT d B. Row groups of BT are done one after the other, each loading again the
// input rows it needs (they hit the cache), so that only 2 * n values of a tile are live at a time.
#include "instances/winograd/linear.hpp"
#include "instances/winograd/pieces.hpp"

namespace twinir::winograd {
namespace {

struct Args {
  Pointer x, v;
  Value h, w, c, cp, pad_h, pad_w, tiles, tiles_y, tiles_x, chunks;
  MagicArg by_chunks, by_x, by_y;
  Value x_bytes, v_bytes, bin_stride;

  Args(KernelBuilder& k, const InputSpec& s)
      : x(k.global_in("x", s.dtype.type(), {.align = 16})), v(k.global_out("v", s.dtype.type(), {.align = 16})), h(k.arg<i32>("h")),
        w(k.arg<i32>("w")), c(k.arg<i32>("c")), cp(k.arg<i32>("cp")), pad_h(k.arg<i32>("pad_h")), pad_w(k.arg<i32>("pad_w")),
        tiles(k.arg<i32>("tiles")), tiles_y(k.arg<i32>("tiles_y")), tiles_x(k.arg<i32>("tiles_x")), chunks(k.arg<i32>("chunks")),
        by_chunks(k, "chunks"), by_x(k, "tiles_x"), by_y(k, "tiles_y"), x_bytes(k.arg<i32>("x_bytes")), v_bytes(k.arg<i32>("v_bytes")),
        bin_stride(k.arg<i32>("bin_stride")) {}
};

} // namespace

KernelDef build_input(const InputSpec& spec, const Target& target, const std::string& name) {
  KernelBuilder k{name, target, Workgroup{spec.block}};
  const Args a(k, spec);
  const int n = spec.tile.n(), size = spec.dtype.bytes();
  const auto at = locate_item(k, spec, a.tiles, a.chunks, a.by_chunks);
  const auto place = locate_tile(at.row, a.tiles_x, a.tiles_y, a.by_x, a.by_y);

  // Offsets of the window's rows and columns in bytes, and whether they lie in the image.
  const auto top = place.y * spec.tile.m() - a.pad_h, left = place.x * spec.tile.m() - a.pad_w;
  const auto present = at.channel < a.c;
  std::vector<Value> row_offset, row_valid, column_offset, column_valid;
  for (int i = 0; i < n; ++i) {
    const auto y = top + i, x = left + i;
    row_offset.push_back((place.image * a.h + y) * a.w * a.c * size);
    row_valid.push_back(ult(y, a.h));
    column_offset.push_back((x * a.c + at.channel) * size);
    column_valid.push_back(ult(x, a.w) & present);
  }
  const auto input = k.buffer(a.x, a.x_bytes);
  const auto pixel = [&](int y, int x) {
    const auto i = static_cast<std::size_t>(y), j = static_cast<std::size_t>(x);
    return load_or_zero(k, input, spec, row_valid[i] & column_valid[j], row_offset[i] + column_offset[j]);
  };

  BinWriter out(k.buffer(a.v, a.v_bytes), (at.row * a.cp + at.channel) * size, a.bin_stride, spec);
  const auto& m = matrices(spec.tile.m());
  const auto exponent = [&](int row) { return m.bt_exponent[static_cast<std::size_t>(row)]; };
  const auto power = [](int e) { return e >= 0 ? Rational(1 << e) : Rational(1, 1 << -e); };
  for (const auto& vertical : row_groups(m.bt)) {
    std::vector<std::vector<Value>> columns; // [x][row of the group], not scaled: the horizontal pass scales both
    for (int x = 0; x < n; ++x)
      columns.push_back(apply(vertical, [&](int y) { return pixel(y, x); }, [](int) { return Rational(1); }));
    for (std::size_t r = 0; r < vertical.rows.size(); ++r)
      for (const auto& horizontal : row_groups(m.bt)) {
        const auto scale = [&](int row) { return power(exponent(vertical.rows[r]) + exponent(row)); };
        for (const auto& value : apply(horizontal, [&](int x) { return columns[static_cast<std::size_t>(x)][r]; }, scale)) out.write(value);
      }
    k.sched_barrier();
  }
  return k.finish();
}

} // namespace twinir::winograd
