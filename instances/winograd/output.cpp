// SPDX-License-Identifier: MIT
// K4: Y = AT M A for every tile. The rows of M stream through: each row group is transformed horizontally and
// added to the m x m outputs, so that one row of M and the outputs are live at a time.
#include "instances/winograd/linear.hpp"
#include "instances/winograd/pieces.hpp"

#include <algorithm>

namespace twinir::winograd {
namespace {

struct Args {
  Pointer m, y, te, fe;
  TileArgs tiles;
  MagicArg by_chunks;
  Value k, k_all, out_h, out_w, chunks, m_bytes, y_bytes, bin_stride, row_stride;

  Args(KernelBuilder& b, const OutputSpec& s)
      : m(b.global_in("m", s.m.type(), {.align = 16})),
        y(b.global_out("y", s.io.type(), {.align = s.vec * s.io.bytes()})),
        te(s.tile_scale ? b.global_in("te", i32) : Pointer()),
        fe(s.filter_scale ? b.global_in("fe", i32, {.align = 16}) : Pointer()), tiles(b),
        by_chunks(b, "chunks"), k(b.arg<i32>("k")), k_all(b.arg<i32>("k_all")), out_h(b.arg<i32>("out_h")),
        out_w(b.arg<i32>("out_w")), chunks(b.arg<i32>("chunks")), m_bytes(b.arg<i32>("m_bytes")),
        y_bytes(b.arg<i32>("y_bytes")), bin_stride(b.arg<i32>("bin_stride")),
        row_stride(b.arg<i32>("row_stride")) {}
};

/// `vec` elements at a byte offset plus a uniform one, 16 bytes at a time at most.
Value load_vector(const Buffer& from, DType element, int vec, const Value& offset, const Value& uniform) {
  const int widest = std::min(vec, 16 / element.bytes());
  Value out;
  for (int first = 0; first < vec; first += widest) {
    const auto at = offset + first * element.bytes();
    const auto type = element.type().with_lanes(widest);
    const auto part = uniform.node() ? from.load(type, at, uniform) : from.load(type, at);
    out = out.node() ? concat(out, part) : part;
  }
  return out;
}

/// Reads `vec` elements of one bin after the other, bins ascending, as f32.
class BinReader {
public:
  BinReader(Buffer from, DType element, Value offset, Value bin_stride, int vec)
      : from_(std::move(from)), element_(element), offset_(offset), bin_stride_(bin_stride), vec_(vec) {}

  Value read() {
    const auto out = load_vector(from_, element_, vec_, offset_, bin_offset_);
    bin_offset_ = bin_offset_.node() ? bin_offset_ + bin_stride_ : bin_stride_;
    return fpcast(out, Scalar::f32);
  }

private:
  Buffer from_;
  DType element_;
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

class OutputKernel {
public:
  OutputKernel(KernelBuilder& k, const OutputSpec& spec)
      : k_(k), spec_(spec), a_(k, spec), group_(k.workgroup(1)) {}

  void build() {
    const auto id = k_.let("id", k_.global_id());
    const auto tile = k_.let("tile", a_.by_chunks.quotient(id));
    k_.return_if(tile >= a_.tiles.tiles);
    const auto channel = k_.let("channel", (id - tile * a_.chunks) * spec_.vec);
    const auto sums = transform(tile, channel);
    store(sums, a_.tiles.place(tile, spec_.tile), channel, exponent(tile, channel));
  }

private:
  Sums transform(const Value& tile, const Value& channel) {
    const auto m = k_.buffer(group_start(a_.m, group_, a_.bin_stride * spec_.tile.bins()), a_.m_bytes);
    BinReader in(m, spec_.m, tile * a_.row_stride + channel * spec_.m.bytes(), a_.bin_stride, spec_.vec);
    const auto &at_h = matrices(spec_.tile.m_h()).at, &at_w = matrices(spec_.tile.m_w()).at;
    Sums sums(static_cast<std::size_t>(spec_.tile.m_h()),
              std::vector<Value>(static_cast<std::size_t>(spec_.tile.m_w())));
    for (const auto& group : column_groups(at_h)) {
      std::vector<std::vector<Value>> rows;
      for (std::size_t i = 0; i < group.columns.size(); ++i) rows.push_back(horizontal(at_w, in));
      vertical(group, rows, sums);
      fence_sums(k_, sums);
    }
    return sums;
  }

  /// By which power of two the sums are too large, for every channel; none when nothing was scaled.
  Value exponent(const Value& tile, const Value& channel) {
    Value out;
    if (spec_.filter_scale) {
      constexpr int bytes = 4;
      const auto fe = k_.buffer(group_start(a_.fe, group_, a_.k * bytes), a_.k * bytes);
      out = load_vector(fe, i32, spec_.vec, channel * bytes, {});
    }
    if (!spec_.tile_scale) return out;
    const Value te = a_.te[group_ * a_.tiles.tiles + tile];
    const auto all = spec_.vec == 1 ? te : splat(te, spec_.vec);
    return out.node() ? out + all : all;
  }

  /// No branches at the edges: a store out of range vanishes.
  void store(const Sums& sums, const TilePlace& place, const Value& channel, const Value& exponent) {
    const int size = spec_.io.bytes();
    const auto group_bytes = group_ * (a_.k * size);
    const auto output = k_.buffer(group_start(a_.y, group_, a_.k * size), a_.y_bytes - group_bytes);
    const auto down = exponent.node() ? k_.let("down", -exponent) : Value();
    for (int i = 0; i < spec_.tile.m_h(); ++i)
      for (int j = 0; j < spec_.tile.m_w(); ++j) {
        const auto y = place.top + a_.tiles.dil_h * i, x = place.left + a_.tiles.dil_w * j;
        const auto inside = (y < a_.out_h) & (x < a_.out_w);
        const auto offset = (((place.image * a_.out_h + y) * a_.out_w + x) * a_.k_all + channel) * size;
        const auto& sum = sums[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
        const auto value = down.node() ? ldexp(sum, down) : sum;
        output.store(select(inside, offset, k_.constant(i32, out_of_range)),
                     fpcast(value, spec_.io.scalar()));
      }
  }

  KernelBuilder& k_;
  OutputSpec spec_;
  Args a_;
  Value group_;
};

} // namespace

KernelDef build_output(const OutputSpec& spec, const Target& target, const KernelIdentity& name) {
  KernelBuilder k{name, target, Workgroup{spec.block}};
  OutputKernel(k, spec).build();
  return k.finish();
}

} // namespace twinir::winograd
