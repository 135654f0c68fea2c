// SPDX-License-Identifier: MIT
// K4: Y = AT M A for every tile. The rows of M stream through: each row group is transformed horizontally and added to
// the m x m outputs, so that one row of M and the outputs are live at a time.
#include "instances/winograd/linear.hpp"
#include "instances/winograd/pieces.hpp"

#include <algorithm>

namespace twinir::winograd {
namespace {

struct Args {
  Pointer m, y;
  Value k, kp, out_h, out_w, tiles, tiles_y, tiles_x, chunks;
  MagicArg by_chunks, by_x, by_y;
  Value m_bytes, y_bytes, bin_stride;

  Args(KernelBuilder& b, const OutputSpec& s)
      : m(b.global_in("m", f32, {.align = 16})), y(b.global_out("y", s.dtype.type(), {.align = 16})), k(b.arg<i32>("k")), kp(b.arg<i32>("kp")),
        out_h(b.arg<i32>("out_h")), out_w(b.arg<i32>("out_w")), tiles(b.arg<i32>("tiles")), tiles_y(b.arg<i32>("tiles_y")),
        tiles_x(b.arg<i32>("tiles_x")), chunks(b.arg<i32>("chunks")), by_chunks(b, "chunks"), by_x(b, "tiles_x"), by_y(b, "tiles_y"),
        m_bytes(b.arg<i32>("m_bytes")), y_bytes(b.arg<i32>("y_bytes")), bin_stride(b.arg<i32>("bin_stride")) {}
};

/// Reads `vec` f32 of one bin after the other, bins ascending.
class BinReader {
public:
  BinReader(Buffer from, Value offset, Value bin_stride, int vec) : from_(std::move(from)), offset_(offset), bin_stride_(bin_stride), vec_(vec) {}

  Value read() {
    constexpr int widest = 4; // 16 bytes
    Value out;
    for (int first = 0; first < vec_; first += widest) {
      const auto part = load(f32.with_lanes(std::min(vec_, widest)), first * 4);
      out = out.node() ? concat(out, part) : part;
    }
    bin_offset_ = bin_offset_.node() ? bin_offset_ + bin_stride_ : bin_stride_;
    return out;
  }

private:
  [[nodiscard]] Value load(Type type, int bytes) const {
    const auto at = offset_ + bytes;
    return bin_offset_.node() ? from_.load(type, at, bin_offset_) : from_.load(type, at);
  }
  Buffer from_;
  Value offset_, bin_stride_, bin_offset_; ///< bytes
  int vec_;
};

/// The outputs of a tile, under construction: sums[i][j] is row i, column j.
using Sums = std::vector<std::vector<Value>>;

/// One row of M, transformed horizontally: m values.
std::vector<Value> horizontal(const Matrix& at, BinReader& rows) {
  std::vector<Value> sums(static_cast<std::size_t>(at.rows));
  for (const auto& group : column_groups(at)) {
    std::vector<Value> inputs;
    for (std::size_t i = 0; i < group.columns.size(); ++i) inputs.push_back(rows.read());
    accumulate(group, inputs, sums);
  }
  return sums;
}

void vertical(const ColumnGroup& group, const std::vector<std::vector<Value>>& rows, Sums& sums) {
  for (std::size_t j = 0; j < rows[0].size(); ++j) {
    std::vector<Value> inputs, column;
    for (const auto& row : rows) inputs.push_back(row[j]);
    for (auto& line : sums) column.push_back(line[j]);
    accumulate(group, inputs, column);
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i][j] = column[i];
  }
}

/// Keeps a row group together: without it the sums sink to the stores, and all of M is live at once.
void fence_sums(KernelBuilder& k, const Sums& sums) {
  for (const auto& line : sums)
    for (const auto& sum : line)
      if (sum.node()) k.pin(sum);
  k.sched_barrier();
}

} // namespace

KernelDef build_output(const OutputSpec& spec, const Target& target, const std::string& name) {
  KernelBuilder k{name, target, Workgroup{spec.block}};
  const Args a(k, spec);
  const int m = spec.tile.m(), size = spec.dtype.bytes();
  const auto at = locate_item(k, spec, a.tiles, a.chunks, a.by_chunks);
  const auto place = locate_tile(at.row, a.tiles_x, a.tiles_y, a.by_x, a.by_y);

  BinReader in(k.buffer(a.m, a.m_bytes), (at.row * a.kp + at.channel) * 4, a.bin_stride, spec.vec);
  const auto& matrix = matrices(m).at;
  Sums sums(static_cast<std::size_t>(m), std::vector<Value>(static_cast<std::size_t>(m)));
  for (const auto& group : column_groups(matrix)) {
    std::vector<std::vector<Value>> rows;
    for (std::size_t i = 0; i < group.columns.size(); ++i) rows.push_back(horizontal(matrix, in));
    vertical(group, rows, sums);
    fence_sums(k, sums);
  }

  // No branches at the edges: a store out of range vanishes.
  const auto output = k.buffer(a.y, a.y_bytes);
  const auto top = place.y * m, left = place.x * m;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j) {
      const auto y = top + i, x = left + j;
      const auto inside = (y < a.out_h) & (x < a.out_w);
      const auto offset = (((place.image * a.out_h + y) * a.out_w + x) * a.k + at.channel) * size;
      output.store(select(inside, offset, k.constant(i32, out_of_range)), fpcast(sums[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)], spec.dtype.scalar()));
    }
  return k.finish();
}

} // namespace twinir::winograd
