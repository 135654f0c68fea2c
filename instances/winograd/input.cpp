// SPDX-License-Identifier: MIT
// K2, register path: V[bin][tile][c] = BT d B. Row groups of BT are done one after the other, each loading again the
// input rows it needs (they hit the cache), so that only 2 * n values of a tile are live at a time.
#include "instances/winograd/linear.hpp"
#include "instances/winograd/pieces.hpp"

#include <map>
#include <utility>

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

/// The n x n pixels of one tile.
class Window {
public:
  Window(KernelBuilder& k, const InputSpec& spec, const Args& a, const Item& item, const TilePlace& place)
      : k_(k), spec_(spec), input_(k.buffer(a.x, a.x_bytes)), line_(a.w * a.c * spec.dtype.bytes()), step_(a.c * spec.dtype.bytes()) {
    const auto top = place.y * spec.tile.m() - a.pad_h, left = place.x * spec.tile.m() - a.pad_w;
    const auto present = item.channel < a.c;
    for (int i = 0; i < spec.tile.n(); ++i) {
      row_valid_.push_back(ult(top + i, a.h));
      column_valid_.push_back(ult(left + i, a.w) & present);
    }
    origin_ = (((place.image * a.h + top) * a.w + left) * a.c + item.channel) * spec.dtype.bytes();
  }

  /// The byte offset of pixel (0, 0), as a value of its own: loads made from it are not taken for those of another
  /// row group, which would keep the whole window in registers.
  [[nodiscard]] Value reload() const { return k_.opaque(origin_); }

  /// In storage form; zero outside the image.
  [[nodiscard]] Value pixel(Value origin, int y, int x) const {
    const auto valid = row_valid_[static_cast<std::size_t>(y)] & column_valid_[static_cast<std::size_t>(x)];
    return load_or_zero(k_, input_, spec_, valid, origin + line_ * y + step_ * x);
  }

private:
  KernelBuilder& k_;
  const InputSpec& spec_;
  Buffer input_;
  Value line_, step_, origin_; ///< bytes
  std::vector<Value> row_valid_, column_valid_;
};

/// Row group times window, column by column: [x][row of the group]. Not scaled: the horizontal pass scales both.
/// The loads of the next column are in flight while one column is computed; more would cost registers.
std::vector<std::vector<Value>> vertical_pass(KernelBuilder& k, const RowGroup& group, const Window& window, int n) {
  const auto origin = window.reload();
  const auto load = [&](int x) {
    std::map<int, Value> pixels;
    for (int y : group.inputs()) pixels[y] = k.pin(window.pixel(origin, y, x));
    return pixels;
  };
  std::vector<std::vector<Value>> columns;
  auto next = load(0);
  for (int x = 0; x < n; ++x) {
    auto pixels = std::exchange(next, {});
    if (x + 1 < n) next = load(x + 1);
    columns.push_back(apply(group, [&](int y) { return fpcast(pixels.at(y), Scalar::f32); }, [](int) { return Rational(1); }));
    for (const auto& value : columns.back()) k.pin(value);
    k.sched_barrier();
  }
  return columns;
}

} // namespace

KernelDef build_input(const InputSpec& spec, const Target& target, const std::string& name) {
  KernelBuilder k{name, target, Workgroup{spec.block}};
  const Args a(k, spec);
  const int n = spec.tile.n();
  const auto at = locate_item(k, spec, a.tiles, a.chunks, a.by_chunks);
  const auto place = locate_tile(at.row, a.tiles_x, a.tiles_y, a.by_x, a.by_y);

  const Window window(k, spec, a, at, place);
  BinWriter out(k.buffer(a.v, a.v_bytes), (at.row * a.cp + at.channel) * spec.dtype.bytes(), a.bin_stride, spec);
  const auto& m = matrices(spec.tile.m());
  const auto exponent = [&](int row) { return m.bt_exponent[static_cast<std::size_t>(row)]; };
  const auto power = [](int e) { return e >= 0 ? Rational(1 << e) : Rational(1, 1 << -e); };
  for (const auto& vertical : row_groups(m.bt)) {
    const auto columns = vertical_pass(k, vertical, window, n);
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
