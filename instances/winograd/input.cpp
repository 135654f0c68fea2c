// SPDX-License-Identifier: MIT
// K2, register path: V[g][bin][tile][c] = BT d B. Row groups of BT are done one after the other, each loading
// again the input rows it needs (they hit the cache), so that only 2 * n_w values of a tile are live at a
// time.
#include "instances/winograd/exponents.hpp"
#include "instances/winograd/input_parts.hpp"
#include "instances/winograd/lanes.hpp"
#include "instances/winograd/linear.hpp"

#include <map>
#include <utility>

namespace twinir::winograd {
namespace {

class RegisterPath {
public:
  RegisterPath(KernelBuilder& k, const InputSpec& spec)
      : k_(k), spec_(spec), a_(k, spec.io, spec.storage, spec.prescale, spec.vec) {}

  void build() { spec_.prescale == Prescale::fused ? fused() : direct(); }

private:
  /// One item, one tile, `vec` channels.
  void direct() {
    const auto chunks = k_.arg<i32>("chunks");
    const MagicArg by_chunks(k_, "chunks");
    const auto id = k_.let("id", k_.global_id());
    const auto tile = k_.let("tile", by_chunks.quotient(id));
    k_.return_if(tile >= a_.tiles.tiles);
    const auto channel = k_.let("channel", (id - tile * chunks) * spec_.vec);
    const auto window = a_.window(k_, a_.tiles.place(tile, spec_.tile));
    const auto scale =
        spec_.prescale == Prescale::none ? Value() : factor(a_.te[a_.exponent_index(k_, tile)], spec_.vec);
    transform(window, tile, channel, scale);
  }

  /// The lanes of a tile find its exponent together, then transform it; each takes every lanes-th piece of
  /// channels.
  void fused() {
    const auto chunks = k_.arg<i32>("chunks"), shift = k_.arg<i32>("lanes_shift"),
               top = k_.arg<i32>("top_exponent");
    const LaneRows lanes(k_, spec_.block, a_.tiles.tiles, shift);
    const auto window = a_.window(k_, a_.tiles.place(lanes.row(), spec_.tile));
    const auto limit = k_.let("limit", select(lanes.valid(), chunks, 0));
    const auto exponent = find_exponent(lanes, window, limit, top);
    k_.if_(lanes.first(), [&] { a_.te[a_.exponent_index(k_, lanes.row())] = exponent; });
    const auto scale = factor(exponent, spec_.vec);
    k_.for_range(
        lanes.lane(), limit, lanes.count(),
        [&](Value chunk) { transform(window, lanes.row(), k_.let("channel", chunk * spec_.vec), scale); },
        {"chunk", false});
  }

  Value find_exponent(const LaneRows& lanes, const Window& window, const Value& limit, const Value& top) {
    const Type bits = i16.with_lanes(spec_.vec);
    const auto body = [&](Value chunk, const KernelBuilder::Values& so_far) {
      auto most = so_far[0];
      const auto channel = chunk * spec_.vec;
      for (int y = 0; y < spec_.tile.n_h(); ++y) {
        const auto row = window.fresh();
        for (int x = 0; x < spec_.tile.n_w(); ++x)
          most = magnitude_max(
              row.pixel(bits, channel < a_.c, window.origin() + channel * element_bytes, y, x), most);
        k_.pin(most);
        k_.sched_barrier(); // one row of loads in flight
      }
      return KernelBuilder::Values{most};
    };
    const auto largest =
        k_.for_carry(lanes.lane(), limit, lanes.count(), {k_.zero(bits)}, body, {"chunk", false});
    const auto mine = spec_.vec == 1 ? largest[0] : reduce_max(largest[0]);
    return k_.let("exponent", scale_exponent(k_, spec_.io, lanes.largest(zext(mine, Scalar::i32)), top));
  }

  void transform(const Window& window, const Value& tile, const Value& channel, const Value& scale) {
    const auto origin = window.origin() + channel * element_bytes;
    auto out = a_.writer(k_, spec_.tile, tile, channel);
    for (const auto& vertical : row_groups(matrices(spec_.tile.m_h()).bt)) {
      // A loop keeps what does not change in it, a wave of 64 pays two scalar registers for a mask.
      const bool scarce = spec_.prescale == Prescale::fused || k_.target().wave == 64;
      const auto columns =
          vertical_pass(vertical, scarce ? window.fresh() : window, channel < a_.c, origin, scale);
      for (std::size_t r = 0; r < vertical.rows.size(); ++r)
        horizontal_pass(
            spec_.tile.m_w(), [&](int x) { return columns[static_cast<std::size_t>(x)][r]; },
            row_scale(spec_.tile.m_h(), vertical.rows[r]), out);
      k_.sched_barrier();
    }
  }

  /// Row group times window, column by column: [x][row of the group], without BT's powers of two: the
  /// horizontal pass has those of both. The loads of the next column are in flight while one column is
  /// computed; more would cost registers.
  std::vector<std::vector<Value>> vertical_pass(const RowGroup& group, const Window& window,
                                                const Value& present, const Value& first,
                                                const Value& scale) {
    // A value of its own: loads made from it are not taken for those of another row group, which would keep
    // the whole window in registers.
    const auto origin = k_.opaque(first);
    const auto load = [&](int x) {
      std::map<int, Value> pixels;
      for (int y : group.inputs())
        pixels[y] = k_.pin(window.pixel(spec_.io.type().with_lanes(spec_.vec), present, origin, y, x));
      return pixels;
    };
    std::vector<std::vector<Value>> columns;
    auto next = load(0);
    for (int x = 0; x < spec_.tile.n_w(); ++x) {
      auto pixels = std::exchange(next, {});
      if (x + 1 < spec_.tile.n_w()) next = load(x + 1);
      columns.push_back(apply(
          group, [&](int y) { return scaled_pixel(pixels.at(y), scale); }, [](int) { return Rational(1); }));
      for (const auto& value : columns.back()) k_.pin(value);
      k_.sched_barrier();
    }
    return columns;
  }

  KernelBuilder& k_;
  InputSpec spec_;
  InputArgs a_;
};

} // namespace

KernelDef build_input(const InputSpec& spec, const Target& target, const KernelIdentity& name) {
  KernelBuilder k{name, target, Workgroup{spec.block}};
  RegisterPath(k, spec).build();
  return k.finish();
}

} // namespace twinir::winograd
