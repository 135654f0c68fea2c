// SPDX-License-Identifier: MIT
// The batched GEMM without a kernel: launches, refusals, the LDS layout, the choice of a tile.
#include "dsl/builder.hpp"
#include "instances/family.hpp"
#include "instances/gemm/gemm_launch.hpp"
#include "instances/gemm/tile.hpp"

#include <catch2/catch.hpp>
#include <functional>
#include <set>

using namespace twinir;
using namespace twinir::gemm;

namespace {

Code code_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const UserError& e) {
    return e.code();
  }
  return Code::internal;
}

std::vector<Code> refusals(const GemmSpec& spec, const char* target) {
  Refusals out;
  check(spec, find_target(target), out);
  std::vector<Code> codes;
  for (const auto& d : out.list()) codes.push_back(d.code);
  return codes;
}

/// The byte that swizzled_byte() gives for constants, by constant folding.
int byte_of(KernelBuilder& b, int row, int piece, int pieces) {
  return static_cast<int>(*swizzled_byte(b.constant(i32, row), b.constant(i32, piece), pieces).constant());
}

/// Do these 16-byte accesses of one cycle touch every bank at most once?
bool conflict_free(const std::vector<int>& bytes, int banks) {
  std::set<int> seen;
  for (int byte : bytes)
    for (int word = 0; word < piece_bytes / 4; ++word)
      if (!seen.insert((byte / 4 + word) % banks).second) return false;
  return true;
}

} // namespace

TEST_CASE("gemm launch: grid, block and arguments") {
  GemmSpec spec;
  const auto l = launch(spec, GemmProblem::packed(36, 196, 130, 60));
  CHECK(l.grid == std::array<std::uint32_t, 3>{4, 3, 36});
  CHECK(l.block == std::array<std::uint32_t, 3>{128, 1, 1});
  const Kernargs expected{{"t", std::int64_t{196}},
                          {"k", std::int64_t{130}},
                          {"c", std::int64_t{60}},
                          {"ldv", std::int64_t{64}},
                          {"ldu", std::int64_t{64}},
                          {"ldm", std::int64_t{136}},
                          {"stride_v", std::int64_t{196 * 64}},
                          {"stride_u", std::int64_t{130 * 64}},
                          {"stride_m", std::int64_t{196 * 136}}};
  CHECK(l.args == expected);
}

TEST_CASE("gemm launch: what the binary cannot serve is refused") {
  struct Row {
    const char* what;
    std::function<void(GemmProblem&)> change;
    Code code;
  };
  const std::vector<Row> table{
      {"no rows", [](auto& p) { p.t = 0; }, Code::bad_extent},
      {"negative columns", [](auto& p) { p.k = -1; }, Code::bad_extent},
      {"no depth", [](auto& p) { p.c = 0; }, Code::bad_extent},
      {"no bins", [](auto& p) { p.bins = 0; }, Code::bad_extent},
      {"rows past 31 bits", [](auto& p) { p.t = std::int64_t{1} << 31; }, Code::index_overflow},
      {"too many bins for the grid", [](auto& p) { p.bins = 65536; }, Code::index_overflow},
      {"too many columns for the grid", [](auto& p) { p.bins = 1, p.k = 64 * 65536, p.ldm = p.k; },
       Code::index_overflow},
      {"ldv no multiple of 8", [](auto& p) { p.ldv = 68; }, Code::vector_width},
      {"ldu no multiple of 8", [](auto& p) { p.ldu = 100; }, Code::vector_width},
      {"ldv below c", [](auto& p) { p.ldv = 56; }, Code::bad_extent},
      {"ldu below c rounded up", [](auto& p) { p.c = 65, p.ldv = 72; }, Code::bad_extent},
      {"ldm below k", [](auto& p) { p.ldm = 63; }, Code::bad_extent},
      {"a tile of V past 2 GiB", [](auto& p) { p.ldv = std::int64_t{1} << 24; }, Code::index_overflow},
      {"a tile of M past 2 GiB", [](auto& p) { p.ldm = std::int64_t{1} << 23; }, Code::index_overflow},
      {"bins of V that overlap", [](auto& p) { p.stride_v -= 8; }, Code::bad_extent},
      {"bins of U that are one", [](auto& p) { p.stride_u = 0; }, Code::bad_extent},
      {"bins of M that overlap", [](auto& p) { p.stride_m -= 1; }, Code::bad_extent},
      {"bins of V inside rows that are too short", [](auto& p) { p.stride_v = 64, p.ldv = 120; },
       Code::bad_extent},
      {"bins inside rows, closer than a row is long", [](auto& p) { p.stride_m = 63, p.ldm = 128; },
       Code::bad_extent},
      {"a negative stride", [](auto& p) { p.stride_u = -4096; }, Code::index_overflow},
      {"a stride past 31 bits", [](auto& p) { p.stride_m = std::int64_t{1} << 31; }, Code::index_overflow},
      {"stride_v no multiple of 8", [](auto& p) { p.stride_v += 4; }, Code::vector_width},
      {"stride_u no multiple of 8", [](auto& p) { p.stride_u += 1; }, Code::vector_width},
      {"v and u of another type", [](auto& p) { p.in = bf16; }, Code::unsupported_dtype},
      {"m of another type", [](auto& p) { p.out = f16; }, Code::unsupported_dtype},
  };
  for (const auto& row : table) {
    INFO(row.what);
    auto problem = GemmProblem::packed(2, 64, 64, 64);
    CHECK_NOTHROW(launch(GemmSpec{}, problem));
    row.change(problem);
    CHECK(code_of([&] { (void)launch(GemmSpec{}, problem); }) == row.code);
  }
}

TEST_CASE("gemm launch: bins inside rows, and a single bin of any stride") {
  auto tile_major = GemmProblem::packed(36, 196, 64, 60);
  tile_major.stride_v = 64, tile_major.ldv = 36 * 64;
  CHECK_NOTHROW(launch(GemmSpec{}, tile_major));
  tile_major.stride_m = 64, tile_major.ldm = 36 * 64;
  CHECK_NOTHROW(launch(GemmSpec{}, tile_major));
  auto single = GemmProblem::packed(1, 196, 64, 60);
  single.stride_v = single.stride_u = single.stride_m = 0;
  CHECK_NOTHROW(launch(GemmSpec{}, single));
}

TEST_CASE("gemm spec: refusals") {
  CHECK(refusals({}, "gfx1250").empty());
  for (const char* target : {"gfx950", "gfx1150", "gfx1201"})
    CHECK(refusals({}, target) == std::vector{Code::op_not_on_target});
  for (const auto& spec : find_family("gemm").gate(find_target("gfx1250")).accepted)
    CHECK(find_family("gemm").validate(spec, find_target("gfx1250")).empty());
  for (const auto& spec : find_family("gemm").gate(find_target("gfx1250")).refused) {
    INFO(spec.dump());
    CHECK_FALSE(find_family("gemm").validate(spec, find_target("gfx1250")).empty());
  }
}

TEST_CASE("gemm tile: pieces fill a buffer without a gap, and no access meets a bank conflict") {
  KernelBuilder b{"layout", find_target("gfx1250"), Workgroup{32}};
  for (const int pieces : {4, 8}) {
    INFO(pieces << " pieces");
    std::set<int> all;
    for (int row = 0; row < 32; ++row)
      for (int piece = 0; piece < pieces; ++piece) all.insert(byte_of(b, row, piece, pieces));
    CHECK(static_cast<int>(all.size()) == 32 * pieces);
    CHECK(*all.rbegin() == (32 * pieces - 1) * piece_bytes);
    for (const auto& [lanes, banks] : {std::pair{16, 64}, std::pair{8, 32}})
      for (int first = 0; first < 32; first += lanes) {
        std::vector<int> copied, read;
        for (int lane = first; lane < first + lanes; ++lane) {
          copied.push_back(byte_of(b, lane / pieces, lane % pieces, pieces));
          read.push_back(byte_of(b, lane % matrix_side, lane / matrix_side, pieces));
        }
        CHECK(conflict_free(copied, banks));
        CHECK(conflict_free(read, banks));
      }
  }
}

TEST_CASE("gemm default_spec: what it chooses is accepted and serves the problem") {
  for (const std::int64_t t : {1, 196, 300, 4096})
    for (const std::int64_t k : {1, 64, 128, 512})
      for (const std::int64_t c : {1, 32, 64, 100, 1024}) {
        const auto p = GemmProblem::packed(36, t, k, c, bf16);
        const auto spec = default_spec(p, find_target("gfx1250"));
        INFO("t " << t << ", k " << k << ", c " << c);
        CHECK(refusals(spec, "gfx1250").empty());
        CHECK_NOTHROW(launch(spec, p));
      }
  CHECK(default_spec(GemmProblem::packed(36, 196, 64, 64), find_target("gfx1250")).block_t == 64);
  CHECK(default_spec(GemmProblem::packed(36, 196, 64, 64), find_target("gfx1250")).staging ==
        Staging::registers);
  CHECK(default_spec(GemmProblem::packed(36, 3136, 128, 128), find_target("gfx1250")).block_t == 128);
  CHECK(default_spec(GemmProblem::packed(36, 4096, 512, 512), find_target("gfx1250")).block_t == 256);
}
