// SPDX-License-Identifier: MIT
// K1: U[g][bin][k][c] = G (2^s g) GT for every output channel k and input channel c; s[g][k] for K4.
#include "instances/winograd/exponents.hpp"
#include "instances/winograd/lanes.hpp"
#include "instances/winograd/linear.hpp"
#include "instances/winograd/pieces.hpp"

#include <bit>

namespace twinir::winograd {
namespace {

constexpr int taps = 3;
constexpr int bytes = 2; // of an element
const auto unscaled = [](int) { return Rational(1); };

struct Args {
  Pointer f, u, fe;
  Value outputs, channels, padded, chunks, f_bytes, u_bytes, bin_stride;

  Args(KernelBuilder& k, const FilterSpec& s)
      : f(k.global_in("f", s.io.type(), {.align = 16})),
        u(k.global_out("u", s.storage.type(), {.align = 16})),
        fe(s.scale ? k.global_out("fe", i32) : Pointer()), outputs(k.arg<i32>("k")),
        channels(k.arg<i32>("c")), padded(k.arg<i32>("cp")), chunks(k.arg<i32>("chunks")),
        f_bytes(k.arg<i32>("f_bytes")), u_bytes(k.arg<i32>("u_bytes")), bin_stride(k.arg<i32>("bin_stride")) {
  }
};

class FilterKernel {
public:
  FilterKernel(KernelBuilder& k, const FilterSpec& spec)
      : k_(k), spec_(spec), a_(k, spec), group_(k.workgroup(1)),
        lanes_(k, spec.block, a_.outputs,
               k.constant(i32, std::countr_zero(static_cast<unsigned>(spec.block / spec.rows)))),
        filters_(k.buffer(group_start(a_.f, group_, a_.f_bytes), a_.f_bytes)),
        u_(k.buffer(group_start(a_.u, group_, a_.bin_stride * spec.tile.bins()), a_.u_bytes)) {}

  void build() {
    const auto scale = spec_.scale ? factor(find_exponent(), spec_.vec) : Value();
    const auto chunks = select(lanes_.valid(), a_.chunks, 0);
    k_.for_range(lanes_.lane(), chunks, lanes_.count(),
                 [&](Value chunk) { transform(k_.let("channel", chunk * spec_.vec), scale); },
                 {"chunk", false});
  }

private:
  /// Tap (y, x) of channels `channel` on; 0 behind the last one.
  [[nodiscard]] Value tap(Type type, const Value& channel, int y, int x) const {
    const auto offset = (lanes_.row() * (taps * taps) * a_.channels + channel) * bytes +
                        a_.channels * ((y * taps + x) * bytes);
    return filters_.load(type, select(channel < a_.channels, offset, k_.constant(i32, out_of_range)));
  }

  Value find_exponent() {
    const Type bits = i16.with_lanes(spec_.vec);
    const auto largest =
        k_.for_carry(lanes_.lane(), select(lanes_.valid(), a_.chunks, 0), lanes_.count(), {k_.zero(bits)},
                     [&](Value chunk, const KernelBuilder::Values& so_far) {
                       auto most = so_far[0];
                       for (int i = 0; i < taps * taps; ++i)
                         most = magnitude_max(tap(bits, chunk * spec_.vec, i / taps, i % taps), most);
                       return KernelBuilder::Values{most};
                     },
                     {"chunk", false});
    const auto mine = spec_.vec == 1 ? largest[0] : reduce_max(largest[0]);
    const auto exponent =
        k_.let("exponent", scale_exponent(k_, spec_.io, lanes_.largest(zext(mine, Scalar::i32)),
                                          k_.constant(i32, filter_top)));
    k_.if_(lanes_.first(), [&] { a_.fe[group_ * a_.outputs + lanes_.row()] = exponent; });
    return exponent;
  }

  void transform(const Value& channel, const Value& scale) {
    const auto scaled = [&](int y, int x) {
      const auto value = fpcast(tap(spec_.io.type().with_lanes(spec_.vec), channel, y, x), Scalar::f32);
      return scale.node() ? value * scale : value;
    };
    BinWriter out(u_, (lanes_.row() * a_.padded + channel) * bytes, a_.bin_stride, spec_.storage);
    const auto &g_h = matrices(spec_.tile.m_h()).g, &g_w = matrices(spec_.tile.m_w()).g;
    for (const auto& vertical : row_groups(g_h)) {
      std::vector<std::vector<Value>> columns; // [x][row of the group]
      for (int x = 0; x < taps; ++x)
        columns.push_back(apply(
            vertical, [&](int y) { return scaled(y, x); }, unscaled));
      for (std::size_t r = 0; r < vertical.rows.size(); ++r)
        for (const auto& horizontal : row_groups(g_w))
          for (const auto& value : apply(
                   horizontal, [&](int x) { return columns[static_cast<std::size_t>(x)][r]; }, unscaled))
            out.write(value);
    }
  }

  KernelBuilder& k_;
  FilterSpec spec_;
  Args a_;
  Value group_;
  LaneRows lanes_;
  Buffer filters_, u_;
};

} // namespace

KernelDef build_filter(const FilterSpec& spec, const Target& target, const KernelIdentity& name) {
  KernelBuilder k{name, target, Workgroup{spec.block}};
  FilterKernel(k, spec).build();
  return k.finish();
}

} // namespace twinir::winograd
