// SPDX-License-Identifier: MIT
// The batched GEMM without a kernel: launches, refusals, the LDS layout, the choice of a tile.
#include "dsl/builder.hpp"
#include "dsl/matrix.hpp"
#include "instances/family.hpp"
#include "instances/gemm/gemm_launch.hpp"
#include "instances/gemm/tile.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <set>

using namespace twinir;
using namespace twinir::gemm;

namespace {

constexpr const char* targets[] = {"gfx1250", "gfx1150", "gfx950"};
const Target& gfx1250() { return find_target("gfx1250"); }

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
  const auto l = launch(spec, GemmProblem::packed(36, 196, 130, 60), gfx1250());
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
      {"a stride near the end of 64 bits", [](auto& p) { p.stride_v = std::int64_t{1} << 62; },
       Code::index_overflow},
      {"rows near the end of 64 bits", [](auto& p) { p.ldm = std::int64_t{1} << 62; }, Code::index_overflow},
      {"negative rows", [](auto& p) { p.ldm = -(std::int64_t{1} << 62); }, Code::bad_extent},
      {"stride_v no multiple of 8", [](auto& p) { p.stride_v += 4; }, Code::vector_width},
      {"stride_u no multiple of 8", [](auto& p) { p.stride_u += 1; }, Code::vector_width},
      {"v and u of another type", [](auto& p) { p.in = bf16; }, Code::unsupported_dtype},
      {"m of another type", [](auto& p) { p.out = f16; }, Code::unsupported_dtype},
  };
  for (const auto& row : table) {
    INFO(row.what);
    auto problem = GemmProblem::packed(2, 64, 64, 64);
    CHECK_NOTHROW(launch(GemmSpec{}, problem, gfx1250()));
    row.change(problem);
    CHECK(code_of([&] { (void)launch(GemmSpec{}, problem, gfx1250()); }) == row.code);
  }
}

TEST_CASE("gemm launch: what the target refuses is refused") {
  const auto p = GemmProblem::packed(1, 64, 64, 64);
  GemmSpec async;
  async.staging = Staging::async;
  CHECK(code_of([&] { (void)launch(GemmSpec{}, p, find_target("gfx1201")); }) == Code::op_not_on_target);
  CHECK(code_of([&] { (void)launch(async, p, find_target("gfx950")); }) == Code::op_not_on_target);
  CHECK(launch(GemmSpec{}, p, find_target("gfx950")).block[0] == 256);
  CHECK(launch(GemmSpec{}, p, find_target("gfx1150")).block[0] == 128);
}

TEST_CASE("gemm launch: bins inside rows, and a single bin of any stride") {
  auto tile_major = GemmProblem::packed(36, 196, 64, 60);
  tile_major.stride_v = 64, tile_major.ldv = 36 * 64;
  CHECK_NOTHROW(launch(GemmSpec{}, tile_major, gfx1250()));
  tile_major.stride_m = 64, tile_major.ldm = 36 * 64;
  CHECK_NOTHROW(launch(GemmSpec{}, tile_major, gfx1250()));
  auto single = GemmProblem::packed(1, 196, 64, 60);
  single.stride_v = single.stride_u = single.stride_m = 0;
  CHECK_NOTHROW(launch(GemmSpec{}, single, gfx1250()));
}

TEST_CASE("gemm spec: refusals") {
  const auto& family = find_family("gemm");
  CHECK(refusals({}, "gfx1201") == std::vector{Code::op_not_on_target});
  CHECK(family.gate(find_target("gfx1201")).accepted.empty());
  CHECK(family.aot_grid(find_target("gfx1201")).empty());
  GemmSpec async;
  async.staging = Staging::async;
  for (const char* name : targets) {
    INFO(name);
    const auto& target = find_target(name);
    CHECK(refusals({}, name).empty());
    if (!target.has("async")) CHECK(refusals(async, name) == std::vector{Code::op_not_on_target});
    const auto gate = family.gate(target);
    CHECK(gate.accepted.size() >= 6);
    CHECK(gate.refused.size() >= 6);
    for (const auto& spec : gate.accepted) {
      INFO(spec.dump());
      CHECK(family.validate(spec, target).empty());
    }
    for (const auto& spec : gate.refused) {
      INFO(spec.dump());
      CHECK_FALSE(family.validate(spec, target).empty());
    }
  }
}

TEST_CASE("gemm tile: rows of U are ordered so that the sums of a lane are consecutive n") {
  for (const char* name : targets) {
    INFO(name);
    const auto matrix = find_matrix_op(find_target(name), Scalar::f16)->layout;
    KernelBuilder b{"rows", find_target(name), Workgroup{64}};
    const auto n_of = [&](int row) {
      return static_cast<int>(*u_row(b.constant(i32, row), matrix).constant());
    };
    for (int group = 0; group < matrix.groups(); ++group)
      for (int slot = 0; slot < matrix.sums(); ++slot)
        for (const int first : {0, 3 * matrix.side})
          CHECK(n_of(first + matrix.row_of_slot(group, slot)) == first + group * matrix.sums() + slot);
  }
}

TEST_CASE("gemm tile: pieces fill a buffer without a gap, and no access meets a bank conflict") {
  KernelBuilder b{"layout", gfx1250(), Workgroup{32}};
  for (const int pieces : {4, 8}) {
    INFO(pieces << " pieces");
    std::set<int> all;
    for (int row = 0; row < 32; ++row)
      for (int piece = 0; piece < pieces; ++piece) all.insert(byte_of(b, row, piece, pieces));
    CHECK(static_cast<int>(all.size()) == 32 * pieces);
    CHECK(*all.rbegin() == (32 * pieces - 1) * piece_bytes);
    for (const char* name : targets)
      for (const auto& [lanes, banks] : {std::pair{16, 64}, std::pair{8, 32}}) {
        const auto matrix = find_matrix_op(find_target(name), Scalar::f16)->layout;
        for (int first = 0; first < matrix.wave; first += lanes) {
          std::vector<int> copied, read;
          for (int lane = first; lane < first + lanes; ++lane) {
            copied.push_back(byte_of(b, lane / pieces, lane % pieces, pieces));
            read.push_back(byte_of(b, lane % matrix.side, lane / matrix.side % matrix.piece_groups, pieces));
          }
          CHECK(conflict_free(copied, banks));
          CHECK(conflict_free(read, banks));
        }
      }
  }
}

TEST_CASE("gemm default_spec: what it chooses serves the problem and is in the grid to build ahead of time") {
  for (const char* name : targets) {
    const auto& target = find_target(name);
    const auto grid = find_family("gemm").aot_grid(target);
    std::set<std::string> chosen;
    for (const std::int64_t bins : {1, 16, 36})
      for (const std::int64_t t : {1, 65, 196, 300, 4096})
        for (const std::int64_t k : {1, 64, 65, 128, 512})
          for (const std::int64_t c : {1, 32, 33, 64, 65, 100, 512, 1024})
            for (const DType in : {f16, bf16})
              for (const DType out : {f32, f16}) {
                auto p = GemmProblem::packed(bins, t, k, c, in);
                p.out = out;
                const auto spec = default_spec(p, target);
                INFO(name << ", bins " << bins << ", t " << t << ", k " << k << ", c " << c);
                CHECK(std::ranges::find(grid, spec_json(spec)) != grid.end());
                CHECK_NOTHROW(launch(spec, p, target));
                chosen.insert(spec_json(spec).dump());
              }
    CHECK(chosen.size() == grid.size()); // nothing is built that nobody asks for
    for (const auto& spec : grid) CHECK(find_family("gemm").validate(spec, target).empty());
  }
}

TEST_CASE("gemm default_spec: the tile follows the problem") {
  const auto spec = [](std::int64_t t, std::int64_t k, std::int64_t c) {
    return default_spec(GemmProblem::packed(36, t, k, c), gfx1250());
  };
  CHECK(spec(196, 64, 64).block_t == 64);
  CHECK(spec(196, 64, 64).staging == Staging::registers);
  CHECK(spec(3136, 128, 128).block_t == 128);
  CHECK(spec(4096, 512, 512).block_t == 256);
}
