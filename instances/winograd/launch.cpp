// SPDX-License-Identifier: MIT
// Grid, block and arguments of the stages for a problem.
#include "instances/magic.hpp"
#include "instances/winograd/exponents.hpp"
#include "instances/winograd/specs.hpp"

#include <bit>

namespace twinir::winograd {
namespace {

using conv::ConvProblem;

constexpr int element_bytes = 2;            // of x, f and y
constexpr std::int64_t group_limit = 65535; // groups along y

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

void check_vector(int vec, std::int64_t channels, const char* what) {
  if (channels % vec != 0)
    throw UserError({Code::vector_width,
                     "vec = " + std::to_string(vec) + " for " + std::to_string(channels) + " " + what,
                     "a vector width that divides the channels of a group",
                     "use vec = " + std::to_string(widest_vector(channels, vec)),
                     {}});
}

void check_dtype(DType io, const ConvProblem& p) {
  if (io != p.dtype)
    throw UserError({Code::unsupported_dtype,
                     "a problem of " + p.dtype.name() + " for a kernel of " + io.name(),
                     "the kernel's own element type",
                     "choose a spec of that type",
                     {}});
}

void check_m(DType binary, const Layout& layout) {
  if (binary != layout.m)
    throw UserError({Code::unsupported_dtype,
                     "M of " + layout.m.name() + " for a kernel of " + binary.name(),
                     "the kernel's own element type",
                     "choose a spec of that type",
                     {}});
}

void add_magic(Kernargs& args, const std::string& name, std::int64_t divisor) {
  const auto magic = magic_divisor(divisor);
  args[name + "_m"] = std::uint64_t{magic.multiplier};
  args[name + "_s"] = std::uint64_t{magic.shift};
}

/// `groups_x` work-groups of `block` items for every group of the problem; item indices stay below 2^31.
Launch make_launch(std::int64_t groups_x, int block, const ConvProblem& p) {
  (void)conv::checked_product({groups_x, block}, conv::index_limit, "work-items");
  if (p.groups > group_limit)
    throw UserError({Code::index_overflow,
                     std::to_string(p.groups) + " groups",
                     "at most " + std::to_string(group_limit),
                     "use another convolution engine",
                     {}});
  Launch l;
  l.grid = {static_cast<std::uint32_t>(groups_x), static_cast<std::uint32_t>(p.groups), 1};
  l.block[0] = static_cast<std::uint32_t>(block);
  return l;
}

/// One item for each of `rows` times `chunks`.
Launch item_launch(int block, std::int64_t rows, std::int64_t chunks, const ConvProblem& p) {
  auto l = make_launch(
      ceil_div(conv::checked_product({rows, chunks}, conv::index_limit, "work-items"), block), block, p);
  l.args["chunks"] = chunks;
  add_magic(l.args, "chunks", chunks);
  return l;
}

/// How many lanes share a row of `chunks`, as a shift: enough for all of them, at most `lanes`.
int lanes_shift(std::int64_t chunks, std::int64_t lanes) {
  return std::countr_zero(std::bit_ceil(static_cast<std::uint64_t>(std::min(chunks, lanes))));
}

/// 2^shift lanes of `lanes` for each of `rows`.
Launch row_launch(int block, int lanes, std::int64_t rows, std::int64_t chunks, const ConvProblem& p) {
  const int shift = lanes_shift(chunks, lanes);
  auto l = make_launch(ceil_div(rows, lanes >> shift), block, p);
  l.args["chunks"] = chunks;
  l.args["lanes_shift"] = std::int64_t{shift};
  return l;
}

void add_tiles(Launch& l, const Geometry& g, const ConvProblem& p) {
  l.args["tiles"] = g.tiles, l.args["tiles_y"] = g.tiles_y, l.args["tiles_x"] = g.tiles_x;
  l.args["dil_h"] = p.dilation_h, l.args["dil_w"] = p.dilation_w;
  add_magic(l.args, "tiles_y", g.tiles_y);
  add_magic(l.args, "tiles_x", g.tiles_x);
  add_magic(l.args, "dil_h", p.dilation_h);
  add_magic(l.args, "dil_w", p.dilation_w);
}

void add_image(Launch& l, const ConvProblem& p, std::int64_t pixel_bytes) {
  l.args["h"] = p.h, l.args["w"] = p.w, l.args["pad_h"] = p.pad_h, l.args["pad_w"] = p.pad_w,
  l.args["pixel"] = pixel_bytes;
}

/// Refuses specs that no target serves; gfx1250 has the most of everything.
template <class Spec> void check_spec(Spec spec, const char* stage) {
  Refusals out;
  Fields fields;
  spec.reflect(fields);
  check_ranges(fields, stage, out);
  if (out.empty()) check(spec, find_target("gfx1250"), out);
  out.raise();
}

/// What both paths of K2 take.
void add_input(Launch& l, const Geometry& g, const ConvProblem& p) {
  add_tiles(l, g, p);
  add_image(l, p, p.c * element_bytes);
  l.args["c"] = g.c, l.args["channel_bytes"] = g.c * element_bytes, l.args["x_bytes"] = g.input_bytes;
  l.args["v_bytes"] = g.v.group_bytes, l.args["bin_stride"] = g.v.bin, l.args["row_stride"] = g.v.row;
}

void add_top(Launch& l, const Geometry& g, const Layout& layout) {
  l.args["top_exponent"] = std::int64_t{input_top(layout.m, g.c)};
}

} // namespace

int widest_vector(std::int64_t channels, int most) {
  int vec = most;
  while (vec > 1 && channels % vec != 0) vec /= 2;
  return vec;
}

Launch launch(const FilterSpec& spec, const ConvProblem& p, const Layout& layout) {
  check_spec(spec, "winograd_filter");
  const auto g = geometry(p, spec.tile, layout);
  check_dtype(spec.io, p);
  check_vector(spec.vec, g.c, "input channels");
  auto l = make_launch(ceil_div(g.k, spec.rows), spec.block, p);
  l.args["chunks"] = g.cp / spec.vec;
  l.args["k"] = g.k, l.args["c"] = g.c, l.args["cp"] = g.cp;
  l.args["f_bytes"] = g.filter_bytes / p.groups, l.args["u_bytes"] = g.u.group_bytes,
  l.args["bin_stride"] = g.u.bin;
  return l;
}

Launch launch(const MaximaSpec& spec, const ConvProblem& p, const Layout& layout) {
  check_spec(spec, "winograd_maxima");
  const auto g = geometry(p, Tile(2), layout);
  check_dtype(spec.io, p);
  check_vector(spec.vec, g.c, "input channels");
  const auto pixels = p.n * p.h * p.w;
  auto l = row_launch(spec.block, spec.block, pixels, g.c / spec.vec, p);
  l.args["pixels"] = pixels, l.args["pixel"] = p.c * element_bytes,
  l.args["channel_bytes"] = g.c * element_bytes, l.args["x_bytes"] = g.input_bytes;
  return l;
}

Launch launch(const ExponentsSpec& spec, const ConvProblem& p, const Layout& layout) {
  check_spec(spec, "winograd_exponents");
  const auto g = geometry(p, spec.tile, layout);
  check_dtype(spec.io, p);
  auto l = make_launch(ceil_div(g.tiles, spec.block), spec.block, p);
  add_tiles(l, g, p);
  add_image(l, p, element_bytes); // of the maxima
  l.args["pm_bytes"] = p.n * p.h * p.w * element_bytes;
  add_top(l, g, layout);
  return l;
}

Launch launch(const InputSpec& spec, const ConvProblem& p, const Layout& layout) {
  check_spec(spec, "winograd_input");
  const auto g = geometry(p, spec.tile, layout);
  check_dtype(spec.io, p);
  check_vector(spec.vec, g.c, "input channels");
  const auto chunks = g.cp / spec.vec;
  const bool fused = spec.prescale == Prescale::fused;
  auto l = fused ? row_launch(spec.block, spec.block, g.tiles, chunks, p)
                 : item_launch(spec.block, g.tiles, chunks, p);
  add_input(l, g, p);
  if (fused) add_top(l, g, layout);
  return l;
}

Launch launch(const InputLdsSpec& spec, const ConvProblem& p, const Layout& layout) {
  check_spec(spec, "winograd_input_lds");
  const auto g = geometry(p, spec.tile, layout);
  check_dtype(spec.io, p);
  check_vector(spec.vec, g.c, "input channels");
  const auto chunks = g.cp / spec.vec;
  const bool fused = spec.prescale == Prescale::fused;
  if (fused && chunks > spec.lanes)
    throw UserError({Code::channels_too_wide,
                     std::to_string(g.c) + " channels of a group",
                     "at most " + std::to_string(spec.lanes * spec.vec) + ", what lanes and vec hold",
                     "use prescale split, more lanes, or the register path",
                     {}});
  Launch l;
  if (fused) {
    l = row_launch(spec.block(), spec.lanes, g.tiles, chunks, p);
    add_top(l, g, layout);
  } else {
    l = item_launch(spec.lanes, g.tiles, chunks, p);
    l.block[0] = static_cast<std::uint32_t>(spec.block());
  }
  add_input(l, g, p);
  return l;
}

Launch launch(const OutputSpec& spec, const ConvProblem& p, const Layout& layout) {
  check_spec(spec, "winograd_output");
  const auto g = geometry(p, spec.tile, layout);
  check_dtype(spec.io, p);
  check_m(spec.m, layout);
  check_vector(spec.vec, g.k, "output channels");
  auto l = item_launch(spec.block, g.tiles, g.k / spec.vec, p);
  add_tiles(l, g, p);
  l.args["k"] = g.k, l.args["k_all"] = p.k, l.args["out_h"] = g.out_h, l.args["out_w"] = g.out_w;
  l.args["m_bytes"] = g.m.group_bytes, l.args["y_bytes"] = g.output_bytes, l.args["bin_stride"] = g.m.bin,
  l.args["row_stride"] = g.m.row;
  return l;
}

} // namespace twinir::winograd
