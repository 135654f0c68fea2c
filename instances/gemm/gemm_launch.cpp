// SPDX-License-Identifier: MIT
#include "instances/gemm/gemm_launch.hpp"

#include "instances/gemm/tile.hpp"

#include <algorithm>

namespace twinir::gemm {
namespace {

constexpr std::int64_t index_limit = std::int64_t{1} << 31; // offsets inside a tile are signed 32-bit bytes
constexpr std::int64_t grid_limit = 65535;                  // groups along y and z
constexpr std::int64_t enough_groups = 256; // below this a smaller tile keeps more of the GPU busy

std::string number(std::int64_t n) { return std::to_string(n); }
std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }
std::int64_t round_up(std::int64_t a, std::int64_t b) { return ceil_div(a, b) * b; }

void check_types(const GemmSpec& s, const GemmProblem& p, Refusals& out) {
  const auto same = [&](const char* what, DType binary, DType problem) {
    out.require(binary == problem, Code::unsupported_dtype, std::string(what) + " of type " + problem.name(),
                binary.name() + ", the binary's", "choose a binary of the problem's types");
  };
  same("v and u", s.in, p.in);
  same("m", s.out, p.out);
}

void check_extents(const GemmProblem& p, Refusals& out) {
  const auto extent = [&](const char* name, std::int64_t n) {
    out.require(n >= 1, Code::bad_extent, std::string(name) + " = " + number(n), "1 or more",
                "correct the problem");
    out.require(n < index_limit, Code::index_overflow, std::string(name) + " = " + number(n), "below 2^31",
                "split the problem");
  };
  extent("bins", p.bins), extent("t", p.t), extent("k", p.k), extent("c", p.c);
}

void check_leading(const GemmProblem& p, Refusals& out) {
  const auto operand = [&](const char* name, std::int64_t ld) {
    const auto found = std::string(name) + " = " + number(ld);
    out.require(ld % piece_elements == 0, Code::vector_width, found,
                "a multiple of 8, because rows are read 16 bytes at a time", "pad the rows");
    out.require(ld >= round_up(p.c, piece_elements), Code::bad_extent, found,
                "at least c rounded up to a multiple of 8", "pad the rows");
  };
  operand("ldv", p.ldv), operand("ldu", p.ldu);
  out.require(p.ldm >= p.k, Code::bad_extent, "ldm = " + number(p.ldm), "at least k = " + number(p.k),
              "correct the problem");
}

/// The bins of one operand: rows of `length` elements that must not share one.
struct Bins {
  const char* name;
  std::int64_t stride, multiple, rows, ld, length;
};

bool index(std::int64_t n) { return n >= 0 && n < index_limit; }

/// True as well for what other checks refuse.
bool disjoint(const Bins& b, std::int64_t bins) {
  if (bins == 1 || !index(b.stride) || !index(b.ld)) return true;
  const bool behind = b.stride >= (b.rows - 1) * b.ld + b.length;
  const bool inside = b.stride >= b.length && b.ld >= (bins - 1) * b.stride + b.length;
  return behind || inside;
}

void check_strides(const GemmProblem& p, Refusals& out) {
  const auto depth = round_up(p.c, piece_elements);
  for (const Bins& b : {Bins{"stride_v", p.stride_v, piece_elements, p.t, p.ldv, depth},
                        Bins{"stride_u", p.stride_u, piece_elements, p.k, p.ldu, depth},
                        Bins{"stride_m", p.stride_m, 1, p.t, p.ldm, p.k}}) {
    const auto found = std::string(b.name) + " = " + number(b.stride);
    out.require(index(b.stride), Code::index_overflow, found, "0 to 2^31 - 1", "split the problem");
    out.require(b.stride % b.multiple == 0, Code::vector_width, found,
                "a multiple of 8, because rows are read 16 bytes at a time", "pad the bins");
    out.require(disjoint(b, p.bins), Code::bad_extent,
                found + " for " + number(b.rows) + " rows of " + number(b.length) + ", " + number(b.ld) +
                    " apart",
                "bins that share no element", "put bins behind each other, or all bins inside a row");
  }
}

/// The largest byte offset in a tile, with what asynchronous copies add and the steps they run ahead.
void check_offsets(const GemmSpec& s, const TileFacts& facts, const GemmProblem& p, Refusals& out) {
  const std::int64_t slack = facts.buffer_bytes + std::int64_t{s.stages} * facts.row_bytes;
  const auto tile = [&](const char* name, std::int64_t rows, std::int64_t ld, std::int64_t bytes) {
    out.require(ld < 0 || (index(ld) && rows * ld * bytes + slack < index_limit), Code::index_overflow,
                std::string(name) + " = " + number(ld) + ": " + number(rows) + " rows of a tile",
                "less than 2^31 bytes", "use shorter rows or a smaller tile");
  };
  tile("ldv", s.block_t, p.ldv, s.in.bytes());
  tile("ldu", s.block_n, p.ldu, s.in.bytes());
  tile("ldm", s.block_t, p.ldm, s.out.bytes());
}

void check_grid(const GemmSpec& s, const TileFacts& facts, const GemmProblem& p, Refusals& out) {
  const auto groups = [&](const char* what, std::int64_t n, std::int64_t limit) {
    out.require(n <= limit, Code::index_overflow, number(n) + " work-groups along " + what,
                "at most " + number(limit), "split the problem");
  };
  groups("x (t)", ceil_div(p.t, s.block_t), (index_limit - 1) / facts.items);
  groups("y (k)", ceil_div(p.k, s.block_n), grid_limit);
  groups("z (bins)", p.bins, grid_limit);
}

std::uint32_t narrow(std::int64_t n) { return static_cast<std::uint32_t>(n); }

} // namespace

GemmProblem GemmProblem::packed(std::int64_t bins, std::int64_t t, std::int64_t k, std::int64_t c, DType in) {
  const auto ld = round_up(c, piece_elements), ldm = round_up(k, piece_elements);
  return {in, f32, bins, t, k, c, ld, ld, ldm, t * ld, k * ld, t * ldm};
}

Launch launch(const GemmSpec& spec, const GemmProblem& p, const Target& target) {
  Refusals out;
  auto copy = spec;
  Fields fields;
  copy.reflect(fields);
  check_ranges(fields, "gemm", out);
  if (out.empty()) check(spec, target, out);
  out.raise();
  const auto facts = tile_facts(spec, target);
  check_types(spec, p, out);
  check_extents(p, out);
  out.raise();
  check_leading(p, out);
  check_strides(p, out);
  check_offsets(spec, facts, p, out);
  check_grid(spec, facts, p, out);
  out.raise();
  Launch launch;
  launch.grid = {narrow(ceil_div(p.t, spec.block_t)), narrow(ceil_div(p.k, spec.block_n)), narrow(p.bins)};
  launch.block = {narrow(facts.items), 1, 1};
  launch.args = {{"t", p.t},
                 {"k", p.k},
                 {"c", p.c},
                 {"ldv", p.ldv},
                 {"ldu", p.ldu},
                 {"ldm", p.ldm},
                 {"stride_v", p.stride_v},
                 {"stride_u", p.stride_u},
                 {"stride_m", p.stride_m}};
  return launch;
}

namespace {

/// The tiles of a target, by what they are for.
struct Tiles {
  GemmSpec shallow; ///< c of 32 or less
  GemmSpec single;  ///< one step: nothing to run ahead of
  GemmSpec small;   ///< few rows, few columns, or few work-groups
  GemmSpec middle;
  GemmSpec large; ///< c and k of 512 or more
};

GemmSpec tile(int block_t, int block_n, int waves_t, int waves_n, int k_step, Staging staging, int stages) {
  GemmSpec s;
  s.block_t = block_t, s.block_n = block_n, s.waves_t = waves_t, s.waves_n = waves_n, s.k_step = k_step;
  s.staging = staging, s.stages = stages;
  return s;
}

Tiles tiles_of(const Target& target) {
  const auto registers = [](int block_t, int block_n, int waves_t, int k_step) {
    return tile(block_t, block_n, waves_t, 2, k_step, Staging::registers, 2);
  };
  if (target.name == "gfx1150") {
    const auto small = registers(64, 64, 2, 32), middle = registers(128, 64, 2, 32);
    return {small, small, small, middle, middle};
  }
  const auto shallow = registers(64, 64, 2, 32), single = registers(64, 64, 2, 64);
  if (!target.has("async"))
    return {shallow, single, single, registers(128, 128, 2, 64), registers(256, 256, 4, 64)};
  const auto ahead = Staging::async_double;
  return {shallow, single, tile(64, 64, 2, 2, 64, ahead, 4), tile(128, 128, 2, 4, 64, ahead, 3),
          tile(256, 256, 4, 2, 64, ahead, 3)};
}

/// Keeps the GPU busy, and is not mostly empty.
bool pays(const GemmSpec& s, const GemmProblem& p) {
  return p.t > 64 && p.k > 64 &&
         ceil_div(p.t, s.block_t) * ceil_div(p.k, s.block_n) * p.bins >= enough_groups;
}

GemmSpec choose(const Tiles& tiles, const GemmProblem& p) {
  if (p.c <= tiles.shallow.k_step) return tiles.shallow;
  if (p.c <= tiles.single.k_step) return tiles.single;
  if (!pays(tiles.middle, p)) return tiles.small;
  return p.c >= 512 && p.k >= 512 && pays(tiles.large, p) ? tiles.large : tiles.middle;
}

} // namespace

GemmSpec default_spec(const GemmProblem& p, const Target& target) {
  auto s = choose(tiles_of(target), p);
  s.in = p.in, s.out = p.out;
  return s;
}

std::vector<GemmSpec> recommended(const Target& target) {
  const auto t = tiles_of(target);
  std::vector<GemmSpec> out;
  for (auto s : {t.shallow, t.single, t.small, t.middle, t.large})
    for (const DType in : {f16, bf16})
      for (const DType result : {f32, f16}) {
        s.in = in, s.out = result;
        if (std::ranges::find(out, s) == out.end()) out.push_back(s);
      }
  return out;
}

} // namespace twinir::gemm
