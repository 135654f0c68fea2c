// SPDX-License-Identifier: MIT
// The batched GEMM on the host executor, in checked mode, against sums in double precision; and its code for
// gfx1250.
#include "gemm_support.hpp"

#include "emit/llvm_plugin.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>

namespace twinir::gemm_test {
namespace {

constexpr const char* targets[] = {"gfx1250", "gfx1150", "gfx950"};

std::vector<Json> accepted(const char* target) {
  return find_family("gemm").gate(find_target(target)).accepted;
}

/// V[t][bin][c]: all bins of a row lie behind each other.
gemm::GemmProblem tile_major(gemm::GemmProblem p) {
  p.stride_v = p.ldv, p.ldv *= p.bins;
  return p;
}

/// Shapes with whole and ragged tiles, depths and rows; some leading dimensions and strides are larger than
/// they need to be.
std::vector<gemm::GemmProblem> shapes(const gemm::GemmSpec& s) {
  using gemm::GemmProblem;
  std::vector<GemmProblem> list{
      GemmProblem::packed(1, s.block_t, s.block_n, 256, s.in), GemmProblem::packed(1, 1, 1, 1, s.in),
      GemmProblem::packed(1, s.block_t + 1, s.block_n - 3, 63, s.in),
      GemmProblem::packed(2, 200, 150, 200, s.in), tile_major(GemmProblem::packed(3, 17, 40, 65, s.in))};
  list[1].ldm = 1, list[1].ldv = 24, list[1].ldu = 16;
  list[2].ldm = list[2].k, list[2].ldv += 8;
  list[3].ldm += 16, list[3].ldu += 64;
  list[3].stride_m = list[3].t * list[3].ldm + 7, list[3].stride_u = list[3].k * list[3].ldu;
  for (auto& p : list) p.out = s.out;
  return list;
}

void check_right(const Emitted& e, const gemm::GemmProblem& p, unsigned seed) {
  INFO(e.target << " " << e.kernel.name << ": bins " << p.bins << ", t " << p.t << ", k " << p.k << ", c "
                << p.c);
  const auto data = make_data(p, seed);
  const auto outcome = run(e, e.ir, data);
  CHECK_NOTHROW(outcome.report.require_clean());
  CHECK(first_difference(data, outcome.m) == "");
}

std::vector<std::string> codes(const host::LaunchReport& report) {
  std::vector<std::string> out;
  for (const auto& f : report.faults) out.push_back(f.code);
  return out;
}
bool has(const std::vector<std::string>& list, Code code) {
  return std::ranges::find(list, to_string(code)) != list.end();
}

const std::vector<Json>& one_of_each_mode() {
  static const std::vector<Json> specs{
      Json::object(), {{"mode", "async"}, {"stages", 3}}, {{"mode", "async2"}, {"stages", 3}}};
  return specs;
}

/// Every mode, and every target in its only one; f16 and f32 out.
std::vector<Emitted> one_of_each_kind() {
  std::vector<Emitted> kernels;
  for (const auto& spec : one_of_each_mode()) kernels.push_back(emit(spec));
  for (const char* target : {"gfx1150", "gfx950"}) kernels.push_back(emit({{"out", "f16"}}, target));
  return kernels;
}

/// A single element, depths around k_step, bins inside rows, rows whose bins are not aligned.
std::vector<gemm::GemmProblem> odd_problems() {
  using gemm::GemmProblem;
  std::vector<GemmProblem> list{GemmProblem::packed(1, 1, 1, 1)};
  for (const int c : {1, 7, 8, 63, 64, 65, 127, 128, 129}) list.push_back(GemmProblem::packed(2, 3, 5, c));
  for (const int k : {1, 15, 16, 63, 65}) list.push_back(tile_major(GemmProblem::packed(2, 1, k, 72)));
  list.back().ldv += 8, list.back().ldu += 8, list.back().stride_u = list.back().k * list.back().ldu + 64;
  auto inside = tile_major(GemmProblem::packed(3, 5, 64, 24)); // M[t][bin][n]
  inside.stride_m = 72, inside.ldm = 3 * 72;
  list.push_back(inside);
  inside.stride_m = 65, inside.ldm = 200;
  list.push_back(inside);
  return list;
}

/// A problem in which every buffer is used more than once.
Data deep_problem(const Emitted& e) {
  auto p =
      gemm::GemmProblem::packed(1, e.parsed.block_t, e.parsed.block_n, 10 * e.parsed.k_step, e.parsed.in);
  p.out = e.parsed.out;
  return make_data(p, 7);
}

} // namespace

TEST_CASE("gemm: every accepted spec is right on every shape", "[gemm]") {
  for (const char* target : targets)
    for (const auto& spec : accepted(target)) {
      const auto e = emit(spec, target);
      for (const auto& p : shapes(e.parsed)) check_right(e, p, 1);
    }
}

TEST_CASE("gemm: the order in which lanes run does not matter", "[gemm]") {
  for (const auto& spec : one_of_each_mode()) {
    const auto e = emit(spec);
    const auto data = deep_problem(e);
    const auto outcome = run(e, e.ir, data, 12345);
    CHECK_NOTHROW(outcome.report.require_clean());
    CHECK(first_difference(data, outcome.m) == "");
  }
}

TEST_CASE("gemm: depths around the number of buffers", "[gemm]") {
  for (const char* mode : {"async", "async2"}) {
    const auto e = emit({{"mode", mode}, {"stages", 4}, {"k_step", 32}});
    for (int c = 8; c <= 32 * 7; c += 24) {
      INFO(mode << ", c " << c);
      const auto data = make_data(gemm::GemmProblem::packed(1, 30, 30, c), static_cast<unsigned>(c));
      const auto outcome = run(e, e.ir, data);
      CHECK_NOTHROW(outcome.report.require_clean());
      CHECK(first_difference(data, outcome.m) == "");
    }
  }
}

TEST_CASE("gemm: small and odd problems in every mode and on every target") {
  for (const auto& e : one_of_each_kind())
    for (auto p : odd_problems()) {
      p.in = e.parsed.in, p.out = e.parsed.out;
      check_right(e, p, 3);
    }
}

TEST_CASE("gemm: a kernel without barriers is caught", "[gemm][mutation]") {
  for (const auto& e : one_of_each_kind()) {
    INFO(e.target << " " << e.kernel.name);
    const auto broken = without_lines(e.ir, "@llvm.amdgcn.s.barrier");
    CHECK(has(codes(run(e, broken, deep_problem(e)).report), Code::exec_race));
  }
}

TEST_CASE("gemm: a kernel that does not wait for its copies is caught", "[gemm][mutation]") {
  for (const char* mode : {"async", "async2"}) {
    const auto e = emit({{"mode", mode}, {"stages", 3}});
    const auto rash = without_lines(e.ir, "@llvm.amdgcn.s.wait.asynccnt");
    CHECK_FALSE(run(e, rash, deep_problem(e)).report.faults.empty());
  }
}

TEST_CASE("gemm: a wait that is one step too weak is caught", "[gemm][mutation]") {
  for (const char* mode : {"async", "async2"}) {
    const auto e = emit({{"mode", mode}, {"stages", 3}});
    auto weak = e.ir;
    const std::string wait = "asynccnt(i16 8)"; // eight copies a step
    const auto at = weak.find(wait);
    REQUIRE(at != std::string::npos);
    weak.replace(at, wait.size(), "asynccnt(i16 16)");
    CHECK_FALSE(run(e, weak, deep_problem(e)).report.faults.empty());
  }
}

namespace {

void check_code(const LlvmPlugin& plugin, const Json& spec, const Target& target) {
  const auto e = emit(spec, std::string(target.name));
  INFO(target.name << " " << e.kernel.name);
  const auto report = plugin.compile(e.ir, {.target = std::string(target.name)}).report;
  REQUIRE(report.kernels.size() == 1);
  const auto& k = report.kernels[0];
  CHECK(k.vgpr_spills + k.sgpr_spills + k.scratch_bytes == 0);
  CHECK(k.flat + k.scratch == 0);
  CHECK(k.matrix > 0);
  CHECK(static_cast<int>(k.vgprs) <= target.vgpr_budget(static_cast<int>(k.max_items)));
}

/// Calls f for every combination of tile, waves, mode and buffers that the target accepts.
void each_accepted(const Target& target, const std::function<void(const Json&)>& f) {
  const auto& family = find_family("gemm");
  for (const int block_t : {64, 128, 256})
    for (const int block_n : {64, 128, 256})
      for (const int k_step : {32, 64})
        for (const int waves_t : {1, 2, 4, 8})
          for (const int waves_n : {1, 2, 4, 8})
            for (const char* mode : {"register", "async", "async2"})
              for (const int stages : {2, 3, 4}) {
                const Json spec{{"block_t", block_t}, {"block_n", block_n}, {"k_step", k_step},
                                {"waves_t", waves_t}, {"waves_n", waves_n}, {"mode", mode},
                                {"stages", stages}};
                if (family.validate(spec, target).empty()) f(spec);
              }
}

} // namespace

TEST_CASE("gemm: accepted specs and the grid to build ahead of time compile without spills",
          "[gemm][compile]") {
  const auto plugin = LlvmPlugin::of_flavor("llvm22");
  for (const char* name : targets) {
    const auto& target = find_target(name);
    for (const auto& spec : accepted(name)) check_code(plugin, spec, target);
    for (const auto& spec : find_family("gemm").aot_grid(target)) check_code(plugin, spec, target);
  }
}

// Minutes: test_gemm "[sweep]", or test_gemm "[sweep]" -c gfx1150 for one target.
TEST_CASE("gemm: every spec that is accepted compiles without spills", "[.][sweep]") {
  const auto plugin = LlvmPlugin::of_flavor("llvm22");
  for (const char* name : targets) SECTION(name) {
      each_accepted(find_target(name), [&](Json spec) {
        check_code(plugin, spec, find_target(name));
        spec["in"] = "bf16", spec["out"] = "f16";
        check_code(plugin, spec, find_target(name));
      });
    }
}

} // namespace twinir::gemm_test
