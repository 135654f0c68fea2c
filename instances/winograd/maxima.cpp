// SPDX-License-Identifier: MIT
// K2a: pm[g][pixel] = the largest magnitude bits over the channels of a group. K2b: te[g][tile] = the
// exponent that follows from the pixels of the tile's window. Together they read the activations once.
#include "instances/winograd/exponents.hpp"
#include "instances/winograd/lanes.hpp"
#include "instances/winograd/pieces.hpp"

namespace twinir::winograd {
namespace {

constexpr int bytes = 2; // of an element of x and pm

} // namespace

KernelDef build_maxima(const MaximaSpec& spec, const Target& target, const KernelIdentity& name) {
  KernelBuilder k{name, target, Workgroup{spec.block}};
  const auto x = k.global_in("x", spec.io.type(), {.align = spec.vec * bytes});
  const auto pm = k.global_out("pm", i16, {.align = 16});
  const auto pixels = k.arg<i32>("pixels"), chunks = k.arg<i32>("chunks"), pixel = k.arg<i32>("pixel"),
             channel_bytes = k.arg<i32>("channel_bytes"), x_bytes = k.arg<i32>("x_bytes"),
             shift = k.arg<i32>("lanes_shift");

  const auto group = k.workgroup(1);
  const LaneRows lanes(k, spec.block, pixels, shift);
  const auto input = k.buffer(group_start(x, group, channel_bytes), x_bytes - group * channel_bytes);
  const Type bits = i16.with_lanes(spec.vec);
  const auto largest =
      k.for_carry(lanes.lane(), select(lanes.valid(), chunks, 0), lanes.count(), {k.zero(bits)},
                  [&](Value chunk, const KernelBuilder::Values& so_far) {
                    const auto at = lanes.row() * pixel + chunk * (spec.vec * bytes);
                    return KernelBuilder::Values{magnitude_max(input.load(bits, at), so_far[0])};
                  },
                  {"chunk", false});
  const auto mine = spec.vec == 1 ? largest[0] : reduce_max(largest[0]);
  const auto most = lanes.largest(zext(mine, Scalar::i32));
  k.if_(lanes.first(), [&] { pm[group * pixels + lanes.row()] = trunc(most, Scalar::i16); });
  return k.finish();
}

KernelDef build_exponents(const ExponentsSpec& spec, const Target& target, const KernelIdentity& name) {
  KernelBuilder k{name, target, Workgroup{spec.block}};
  const auto pm = k.global_in("pm", i16, {.align = 16});
  const auto te = k.global_out("te", i32);
  const TileArgs tiles(k);
  const ImageArgs image(k);
  const auto pm_bytes = k.arg<i32>("pm_bytes"), top = k.arg<i32>("top_exponent");

  const auto group = k.workgroup(1);
  const auto tile = k.let("tile", k.global_id());
  k.return_if(tile >= tiles.tiles);
  const Window window(k, k.buffer(group_start(pm, group, pm_bytes), pm_bytes), image, tiles,
                      tiles.place(tile, spec.tile));
  const auto present = k.constant(i1, 1);
  auto most = k.zero(i16);
  for (int y = 0; y < spec.tile.n_h(); ++y)
    for (int x = 0; x < spec.tile.n_w(); ++x)
      most = umax(window.pixel(i16, present, window.origin(), y, x), most);
  te[group * tiles.tiles + tile] = scale_exponent(k, spec.io, zext(most, Scalar::i32), top);
  return k.finish();
}

} // namespace twinir::winograd
