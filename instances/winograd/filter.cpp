// SPDX-License-Identifier: MIT
// K1: U[bin][k][c] = G g GT for every output channel k and input channel c.
#include "instances/winograd/linear.hpp"
#include "instances/winograd/pieces.hpp"

namespace twinir::winograd {
namespace {

constexpr int taps = 3;
const auto unscaled = [](int) { return Rational(1); };

} // namespace

KernelDef build_filter(const FilterSpec& spec, const Target& target, const std::string& name) {
  KernelBuilder k{name, target, Workgroup{spec.block}};
  const auto f = k.global_in("f", spec.dtype.type(), {.align = 16});
  const auto u = k.global_out("u", spec.dtype.type(), {.align = 16});
  const auto outputs = k.arg<i32>("k"), channels = k.arg<i32>("c"), padded = k.arg<i32>("cp"), chunks = k.arg<i32>("chunks");
  const MagicArg by_chunks(k, "chunks");
  const auto f_bytes = k.arg<i32>("f_bytes"), u_bytes = k.arg<i32>("u_bytes"), bin_stride = k.arg<i32>("bin_stride");

  const auto at = locate_item(k, spec, outputs, chunks, by_chunks);
  const auto filters = k.buffer(f, f_bytes);
  const int size = spec.dtype.bytes();
  const auto present = at.channel < channels;
  const auto first_tap = (at.row * (taps * taps) * channels + at.channel) * size;
  const auto tap = [&](int y, int x) {
    const auto offset = first_tap + channels * ((y * taps + x) * size);
    return fpcast(load_or_zero(k, filters, spec, present, offset), Scalar::f32);
  };

  BinWriter out(k.buffer(u, u_bytes), (at.row * padded + at.channel) * size, bin_stride, spec);
  const auto& g = matrices(spec.tile.m()).g;
  for (const auto& vertical : row_groups(g)) {
    std::vector<std::vector<Value>> columns; // [x][row of the group]
    for (int x = 0; x < taps; ++x) columns.push_back(apply(vertical, [&](int y) { return tap(y, x); }, unscaled));
    for (std::size_t r = 0; r < vertical.rows.size(); ++r)
      for (const auto& horizontal : row_groups(g))
        for (const auto& value : apply(horizontal, [&](int x) { return columns[static_cast<std::size_t>(x)][r]; }, unscaled)) out.write(value);
  }
  return k.finish();
}

} // namespace twinir::winograd
