// SPDX-License-Identifier: MIT
// Grid, block and arguments of the transforms for a problem.
#include "instances/winograd/specs.hpp"

#include "instances/magic.hpp"

namespace twinir::winograd {
namespace {

std::uint32_t groups(std::int64_t items, int block) { return static_cast<std::uint32_t>((items + block - 1) / block); }

void add_magic(Kernargs& args, const std::string& name, std::int64_t divisor) {
  const auto magic = magic_divisor(divisor);
  args[name + "_m"] = std::uint64_t{magic.multiplier};
  args[name + "_s"] = std::uint64_t{magic.shift};
}

void check_vector(const TransformSpec& spec, std::int64_t channels, const char* what) {
  if (channels % spec.vec != 0)
    throw UserError({Code::vector_width, "vec = " + std::to_string(spec.vec) + " for " + std::to_string(channels) + " " + what,
                     "a vector width that divides the channels", "use vec = " + std::to_string(widest_vector(channels, spec.vec)), {}});
}
void check_dtype(const TransformSpec& spec, const conv::ConvProblem& p) {
  if (spec.dtype != p.dtype)
    throw UserError({Code::unsupported_dtype, "a problem of " + p.dtype.name() + " for a kernel of " + spec.dtype.name(), "the kernel's own element type",
                     "choose a spec of that type", {}});
}

/// Rows (tiles or output channels) times chunks of `vec` channels.
Launch item_launch(const TransformSpec& spec, std::int64_t rows, std::int64_t chunks) {
  // One more group of items than needed must still have indices below 2^31.
  const auto items = conv::checked_product({rows, chunks}, conv::index_limit - spec.block, "work-items");
  Launch l;
  l.grid[0] = groups(items, spec.block);
  l.block[0] = static_cast<std::uint32_t>(spec.block);
  l.args["chunks"] = chunks;
  add_magic(l.args, "chunks", chunks);
  return l;
}

void add_tiles(Launch& l, const Geometry& g) {
  l.args["tiles"] = g.tiles, l.args["tiles_y"] = g.tiles_y, l.args["tiles_x"] = g.tiles_x;
  add_magic(l.args, "tiles_x", g.tiles_x);
  add_magic(l.args, "tiles_y", g.tiles_y);
}

} // namespace

int widest_vector(std::int64_t channels, int most) {
  int vec = most;
  while (vec > 1 && channels % vec != 0) vec /= 2;
  return vec;
}

Launch launch(const FilterSpec& spec, const conv::ConvProblem& p) {
  const auto g = geometry(p, spec.tile);
  check_dtype(spec, p);
  check_vector(spec, p.c, "input channels");
  auto l = item_launch(spec, p.k, g.cp / spec.vec);
  l.args["k"] = p.k, l.args["c"] = p.c, l.args["cp"] = g.cp;
  l.args["f_bytes"] = g.filter_bytes, l.args["u_bytes"] = g.u_bytes, l.args["bin_stride"] = g.u_bytes / spec.tile.bins();
  return l;
}

Launch launch(const InputSpec& spec, const conv::ConvProblem& p) {
  const auto g = geometry(p, spec.tile);
  check_dtype(spec, p);
  check_vector(spec, p.c, "input channels");
  auto l = item_launch(spec, g.tiles, g.cp / spec.vec);
  add_tiles(l, g);
  l.args["h"] = p.h, l.args["w"] = p.w, l.args["c"] = p.c, l.args["cp"] = g.cp, l.args["pad_h"] = p.pad_h, l.args["pad_w"] = p.pad_w;
  l.args["x_bytes"] = g.input_bytes, l.args["v_bytes"] = g.v_bytes, l.args["bin_stride"] = g.v_bytes / spec.tile.bins();
  return l;
}

Launch launch(const OutputSpec& spec, const conv::ConvProblem& p) {
  const auto g = geometry(p, spec.tile);
  check_dtype(spec, p);
  check_vector(spec, p.k, "output channels");
  auto l = item_launch(spec, g.tiles, p.k / spec.vec);
  add_tiles(l, g);
  l.args["k"] = p.k, l.args["kp"] = g.kp, l.args["out_h"] = g.out_h, l.args["out_w"] = g.out_w;
  l.args["m_bytes"] = g.m_bytes, l.args["y_bytes"] = g.output_bytes, l.args["bin_stride"] = g.m_bytes / spec.tile.bins();
  return l;
}

} // namespace twinir::winograd
