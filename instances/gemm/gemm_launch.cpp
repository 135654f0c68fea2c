// SPDX-License-Identifier: MIT
#include "instances/gemm/gemm_launch.hpp"

#include "instances/gemm/tile.hpp"

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

bool disjoint(const Bins& b, std::int64_t bins) {
  if (bins == 1) return true;
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
    out.require(b.stride >= 0 && b.stride < index_limit, Code::index_overflow, found, "0 to 2^31 - 1",
                "split the problem");
    out.require(b.stride % b.multiple == 0, Code::vector_width, found,
                "a multiple of 8, because rows are read 16 bytes at a time", "pad the bins");
    out.require(disjoint(b, p.bins), Code::bad_extent,
                found + " for " + number(b.rows) + " rows of " + number(b.length) + ", " + number(b.ld) +
                    " apart",
                "bins that share no element", "put bins behind each other, or all bins inside a row");
  }
}

/// The largest byte offset in a tile, with what asynchronous copies add and the steps they run ahead.
void check_offsets(const GemmSpec& s, const GemmProblem& p, Refusals& out) {
  const auto facts = tile_facts(s);
  const std::int64_t slack = facts.buffer_bytes + std::int64_t{s.stages} * facts.row_bytes;
  const auto tile = [&](const char* name, std::int64_t rows, std::int64_t ld, std::int64_t bytes) {
    const auto last = (rows * ld) * bytes + slack;
    out.require(ld < index_limit && last < index_limit, Code::index_overflow,
                std::string(name) + " = " + number(ld) + ": " + number(rows) + " rows of a tile",
                "less than 2^31 bytes", "use shorter rows or a smaller tile");
  };
  tile("ldv", s.block_t, p.ldv, s.in.bytes());
  tile("ldu", s.block_n, p.ldu, s.in.bytes());
  tile("ldm", s.block_t, p.ldm, s.out.bytes());
}

void check_grid(const GemmSpec& s, const GemmProblem& p, Refusals& out) {
  const auto groups = [&](const char* what, std::int64_t n, std::int64_t limit) {
    out.require(n <= limit, Code::index_overflow, number(n) + " work-groups along " + what,
                "at most " + number(limit), "split the problem");
  };
  groups("x (t)", ceil_div(p.t, s.block_t), (index_limit - 1) / tile_facts(s).items);
  groups("y (k)", ceil_div(p.k, s.block_n), grid_limit);
  groups("z (bins)", p.bins, grid_limit);
}

std::uint32_t narrow(std::int64_t n) { return static_cast<std::uint32_t>(n); }

} // namespace

GemmProblem GemmProblem::packed(std::int64_t bins, std::int64_t t, std::int64_t k, std::int64_t c, DType in) {
  const auto ld = round_up(c, piece_elements), ldm = round_up(k, lane_values);
  return {in, f32, bins, t, k, c, ld, ld, ldm, t * ld, k * ld, t * ldm};
}

Launch launch(const GemmSpec& spec, const GemmProblem& p) {
  Refusals out;
  check_types(spec, p, out);
  check_extents(p, out);
  out.raise();
  check_leading(p, out);
  check_strides(p, out);
  check_offsets(spec, p, out);
  check_grid(spec, p, out);
  out.raise();
  Launch launch;
  launch.grid = {narrow(ceil_div(p.t, spec.block_t)), narrow(ceil_div(p.k, spec.block_n)), narrow(p.bins)};
  launch.block = {narrow(tile_facts(spec).items), 1, 1};
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

GemmSpec default_spec(const GemmProblem& p, const Target&) {
  const auto groups = [&](int block) { return ceil_div(p.t, block) * ceil_div(p.k, block) * p.bins; };
  GemmSpec s;
  s.in = p.in, s.out = p.out;
  if (p.c <= matrix_depth) s.k_step = matrix_depth;
  if (p.c <= s.k_step) return s; // a single step: nothing to run ahead of
  s.staging = Staging::async_double, s.stages = 4;
  if (p.t <= 64 || p.k <= 64 || groups(128) < enough_groups) return s;
  s.block_t = s.block_n = 128, s.waves_n = 4, s.stages = 3;
  if (p.c < 512 || p.k < 512 || groups(256) < enough_groups) return s;
  s.block_t = s.block_n = 256, s.waves_t = 4, s.waves_n = 2;
  return s;
}

} // namespace twinir::gemm
