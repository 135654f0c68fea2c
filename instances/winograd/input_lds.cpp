// SPDX-License-Identifier: MIT
// K2, LDS path: V[g][bin][tile][c] = BT d B in two phases. An item transforms one column of a tile into LDS;
// after one barrier it transforms one row. Every pixel is loaded and converted once, and few registers are
// live.
#include "instances/winograd/exponents.hpp"
#include "instances/winograd/input_parts.hpp"
#include "instances/winograd/lanes.hpp"

#include <algorithm>
#include <bit>

namespace twinir::winograd {
namespace {

constexpr int widest_lds = 4; // f32 of one LDS access

/// The region of LDS: f32 [n_h][n_w][planes][lanes][vec / planes]; planes keep 8 channels free of bank
/// conflicts.
class Region {
public:
  Region(KernelBuilder& k, const InputLdsSpec& spec)
      : n_w_(spec.tile.n_w()), width_(std::min(spec.vec, widest_lds)), planes_(spec.vec / width_),
        lanes_(spec.lanes),
        memory_(k.lds("region", f32, std::int64_t{spec.tile.bins()} * spec.vec * spec.lanes)) {}

  void write(int row, const Value& column, const Value& lane, const Value& values) const {
    for (int p = 0; p < planes_; ++p)
      memory_.store(index(column + row * n_w_, p, lane),
                    planes_ == 1 ? values : slice(values, p * width_, width_), width_ * 4);
  }
  [[nodiscard]] Value read(const Value& row, int column, const Value& lane) const {
    Value out;
    for (int p = 0; p < planes_; ++p) {
      const auto part = memory_.load(f32.with_lanes(width_), index(row * n_w_ + column, p, lane), width_ * 4);
      out = out.node() ? concat(out, part) : part;
    }
    return out;
  }

private:
  [[nodiscard]] Value index(const Value& bin, int plane, const Value& lane) const {
    return ((bin * planes_ + plane) * lanes_ + lane) * width_;
  }

  int n_w_, width_, planes_, lanes_;
  Pointer memory_;
};

class LdsPath {
public:
  LdsPath(KernelBuilder& k, const InputLdsSpec& spec)
      : k_(k), spec_(spec), a_(k, spec.io, spec.storage, spec.prescale, spec.vec), region_(k, spec),
        item_(k.workitem()), lane_(k.let("lane", item_ & (spec.lanes - 1))),
        line_(k.let("line", line(k, spec))) {}

  void build() {
    if (spec_.prescale == Prescale::fused)
      locate_fused();
    else
      locate();
    const auto window = a_.window(k_, a_.tiles.place(tile_, spec_.tile));
    const auto has_column = k_.let("has_column", (line_ < spec_.tile.n_w()) & valid_);
    if (spec_.prescale == Prescale::fused) {
      const auto pixels = load_column(window, has_column);
      const auto scale = factor(find_exponent(largest(pixels)), spec_.vec);
      k_.if_(has_column, [&] { write_column(pixels, scale); });
    } else {
      k_.if_(has_column, [&] { write_column(load_column(window, has_column), found_scale()); });
    }
    k_.barrier();
    k_.if_((line_ < spec_.tile.n_h()) & valid_, [&] { write_row(); });
  }

private:
  /// Which column, and later which row, of its tile an item takes. Uniform where a wave has one line.
  static Value line(KernelBuilder& k, const InputLdsSpec& spec) {
    const auto line = lshr(k.workitem(), std::countr_zero(static_cast<unsigned>(spec.lanes)));
    return spec.lanes % k.target().wave == 0 ? k.readfirstlane(line) : line;
  }

  /// Pieces of channels of all tiles, one after the other.
  void locate() {
    const auto chunks = k_.arg<i32>("chunks");
    const MagicArg by_chunks(k_, "chunks");
    const auto id = k_.let("id", k_.workgroup() * spec_.lanes + lane_);
    tile_ = k_.let("tile", by_chunks.quotient(id));
    channel_ = k_.let("channel", (id - tile_ * chunks) * spec_.vec);
    valid_ = tile_ < a_.tiles.tiles;
    present_ = valid_ & (channel_ < a_.c);
  }

  /// 2^shift lanes for each tile: all its channels are in the group.
  void locate_fused() {
    const auto chunks = k_.arg<i32>("chunks");
    shift_ = k_.arg<i32>("lanes_shift"), top_ = k_.arg<i32>("top_exponent");
    piece_ = lane_ & ((k_.constant(i32, 1) << shift_) - 1);
    tile_ =
        k_.let("tile", k_.workgroup() * lshr(k_.constant(i32, spec_.lanes), shift_) + lshr(lane_, shift_));
    channel_ = k_.let("channel", piece_ * spec_.vec);
    valid_ = (tile_ < a_.tiles.tiles) & (piece_ < chunks);
    present_ = valid_ & (channel_ < a_.c);
  }

  /// The pixels of the item's column; 0 where the item has none.
  std::vector<Value> load_column(const Window& window, const Value& has_column) {
    const auto origin = window.origin() + window.column_step() * line_ + channel_ * element_bytes;
    const auto valid = window.has_column(line_) & present_ & has_column;
    std::vector<Value> pixels;
    for (int y = 0; y < spec_.tile.n_h(); ++y)
      pixels.push_back(window.load(spec_.io.type().with_lanes(spec_.vec), window.has_row(y) & valid,
                                   origin + window.row_step() * y));
    return pixels;
  }

  /// The factor that K2b found; none without exponents.
  Value found_scale() {
    if (spec_.prescale == Prescale::none) return {};
    return factor(a_.te[a_.exponent_index(k_, tile_)], spec_.vec);
  }

  /// Phase 1.
  void write_column(const std::vector<Value>& pixels, const Value& scale) {
    const auto input = [&](int y) { return scaled_pixel(pixels[static_cast<std::size_t>(y)], scale); };
    for (const auto& group : row_groups(matrices(spec_.tile.m_h()).bt)) {
      const auto values = apply(group, input, [&](int row) { return row_scale(spec_.tile.m_h(), row); });
      for (std::size_t i = 0; i < values.size(); ++i) region_.write(group.rows[i], line_, lane_, values[i]);
    }
  }

  Value largest(const std::vector<Value>& pixels) {
    const Type bits = i16.with_lanes(spec_.vec);
    Value most = k_.zero(bits);
    for (const auto& pixel : pixels) most = magnitude_max(bitcast(pixel, bits), most);
    return zext(spec_.vec == 1 ? most : reduce_max(most), Scalar::i32);
  }

  /// Of the tile, from the magnitudes of its items; writes it for K4.
  Value find_exponent(const Value& mine) {
    const auto partial = largest_of_lanes(k_, spec_.block(), shift_, mine);
    auto most = k_.zero(i32);
    for (int column = 0; column < spec_.tile.n_w(); ++column)
      most = smax(Value(partial[lane_ - piece_ + column * spec_.lanes]), most);
    const auto exponent = k_.let("exponent", scale_exponent(k_, spec_.io, most, top_));
    k_.if_((line_ == 0) & (piece_ == 0) & valid_, [&] { a_.te[a_.exponent_index(k_, tile_)] = exponent; });
    return exponent;
  }

  /// Phase 2.
  void write_row() {
    const int n_w = spec_.tile.n_w();
    auto out = a_.writer(k_, spec_.tile, tile_, channel_, line_ * (a_.bin_stride * n_w));
    std::vector<Value> row;
    for (int column = 0; column < n_w; ++column) row.push_back(region_.read(line_, column, lane_));
    horizontal_pass(
        spec_.tile.m_w(), [&](int x) { return row[static_cast<std::size_t>(x)]; }, 1, out);
  }

  KernelBuilder& k_;
  InputLdsSpec spec_;
  InputArgs a_;
  Region region_;
  Value item_, lane_, line_;
  Value tile_, channel_, valid_, present_;
  Value piece_, shift_, top_; ///< fused only
};

} // namespace

KernelDef build_input_lds(const InputLdsSpec& spec, const Target& target, const KernelIdentity& name) {
  KernelBuilder k{name, target, Workgroup{spec.block()}};
  LdsPath(k, spec).build();
  return k.finish();
}

} // namespace twinir::winograd
