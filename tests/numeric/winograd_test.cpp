// SPDX-License-Identifier: MIT
// The whole pipeline K1 to K4 on poisoned workspaces in checked mode, against the float64 direct convolution;
// and that one against the integer answers of public reports.
#include "instances/conv/command.hpp"
#include "kernel_kit.hpp"
#include "runtime/conv_run.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace twinir;

namespace {

conv::ConvProblem problem(const std::string& flags) {
  return conv::parse_command("convfp16 " + flags).problem;
}

/// x[n,c,h,w] = ((7n+3c+5h+2w) mod 5) - 2 and w[k,c,r,s] = ((2k+c+3r+4s) mod 3) - 1, in our layouts.
struct Integers {
  std::vector<double> x, f;
  explicit Integers(const conv::ConvProblem& p) {
    for (std::int64_t n = 0; n < p.n; ++n)
      for (std::int64_t h = 0; h < p.h; ++h)
        for (std::int64_t w = 0; w < p.w; ++w)
          for (std::int64_t c = 0; c < p.c; ++c)
            x.push_back(static_cast<double>((7 * n + 3 * c + 5 * h + 2 * w) % 5 - 2));
    for (std::int64_t k = 0; k < p.k; ++k)
      for (std::int64_t r = 0; r < p.y; ++r)
        for (std::int64_t s = 0; s < p.x; ++s)
          for (std::int64_t c = 0; c < p.c / p.groups; ++c)
            f.push_back(static_cast<double>((2 * k + c + 3 * r + 4 * s) % 3 - 1));
  }
  [[nodiscard]] ConvData data() const {
    ConvData d;
    for (double v : x) d.x.push_back(to_half(v));
    for (double v : f) d.f.push_back(to_half(v));
    return d;
  }
};

/// sum of |y|, and sum of y_i * (i mod 97) in N C H W order.
struct Sums {
  std::int64_t absolute = 0, weighted = 0;
};
Sums sums(const conv::ConvProblem& p, const std::vector<double>& y) {
  Sums out;
  std::int64_t i = 0;
  for (std::int64_t n = 0; n < p.n; ++n)
    for (std::int64_t k = 0; k < p.k; ++k)
      for (std::int64_t h = 0; h < p.out_h(); ++h)
        for (std::int64_t w = 0; w < p.out_w(); ++w, ++i) {
          const auto v = static_cast<std::int64_t>(
              y[static_cast<std::size_t>(((n * p.out_h() + h) * p.out_w() + w) * p.k + k)]);
          out.absolute += std::abs(v), out.weighted += v * (i % 97);
        }
  return out;
}

ConvRun run(const conv::ConvProblem& p, const char* tile, const ConvData& data) {
  const auto plan = plan_winograd(p, std::string(tile) == "f2x2" ? winograd::Tile(2) : winograd::Tile(4),
                                  find_target("gfx1250"));
  std::vector<std::string> texts;
  for (const auto& s : plan.steps)
    texts.push_back(
        kit::plugin().emit(write_json(find_family(s.family).build(s.spec, find_target("gfx1250")))));
  return run_plan(plan, texts, data, kit::executor(), {true, 0, {}});
}

} // namespace

TEST_CASE("the reference gives the integer answers of public reports") {
  struct Row {
    const char* flags;
    std::int64_t absolute, weighted;
  };
  for (const auto& r :
       {Row{"-n 1 -c 8 -H 22 -W 6 -k 8", 5220, 5550}, Row{"-n 1 -c 8 -H 2 -W 2 -k 8 -p 1 -q 1", 216, -92},
        Row{"-n 1 -c 8 -H 3 -W 3 -k 8 -p 1 -q 1", 567, -2786},
        Row{"-n 1 -c 8 -H 4 -W 6 -k 8 -p 1 -q 1", 1450, -196},
        Row{"-n 1 -c 8 -H 7 -W 13 -k 8 -p 1 -q 1", 5491, -9286},
        Row{"-n 1 -c 8 -H 11 -W 13 -k 8 -p 1 -q 0", 7068, 6235},
        Row{"-n 1 -c 8 -H 11 -W 13 -k 8 -p 0 -q 2", 9234, -1536},
        Row{"-n 1 -c 8 -H 11 -W 13 -k 8 -p 2 -q 2 -l 2 -j 2", 20155, -4681},
        Row{"-n 1 -c 4 -H 5 -W 5 -k 4 -g 4 -p 2 -q 2 -l 2 -j 2", 352, -2725},
        Row{"-n 1 -c 4 -H 34 -W 20 -k 4 -y 21 -x 11 -u 2 -v 1", 5292, 5544},
        Row{"-n 1 -c 18 -H 8 -W 8 -k 16 -p 1 -q 1", 4114, -11572}}) {
    CAPTURE(r.flags);
    const auto p = problem(r.flags);
    const Integers data(p);
    const auto s = sums(p, reference_convolution(p, data.x, data.f));
    CHECK(s.absolute == r.absolute);
    CHECK(s.weighted == r.weighted);
  }
}

TEST_CASE("tails of tiles, unequal padding, odd channels: both tiles within the limit") {
  for (const char* flags : {"-n 1 -c 8 -H 22 -W 6 -k 8", "-n 1 -c 8 -H 2 -W 2 -k 8 -p 1 -q 1",
                            "-n 1 -c 8 -H 3 -W 3 -k 8 -p 1 -q 1", "-n 2 -c 8 -H 5 -W 5 -k 8 -p 1 -q 1",
                            "-n 1 -c 8 -H 7 -W 13 -k 8 -p 1 -q 1", "-n 1 -c 8 -H 11 -W 13 -k 8 -p 1 -q 0",
                            "-n 1 -c 8 -H 11 -W 13 -k 8 -p 0 -q 2", "-n 1 -c 18 -H 8 -W 8 -k 16 -p 1 -q 1",
                            "-n 1 -c 3 -H 8 -W 8 -k 64 -p 1 -q 1", "-n 3 -c 1 -H 8 -W 8 -k 1 -p 1 -q 1",
                            "-n 1 -c 70 -H 9 -W 10 -k 33 -p 1 -q 1"})
    for (const char* tile : {"f2x2", "f4x4"}) {
      CAPTURE(flags, tile);
      const auto p = problem(flags);
      const auto integers = run(p, tile, Integers(p).data());
      CHECK(integers.error.max_relative < 4e-3);
      const auto random = run(p, tile, random_conv_data(p, 5));
      CHECK(random.error.max_relative < (std::string(tile) == "f2x2" ? 1e-3 : 4e-3));
    }
}

TEST_CASE("large inputs do not overflow, an all-zero image gives zero") {
  const auto p = problem("-n 1 -c 8 -H 12 -W 12 -k 8 -p 1 -q 1");
  auto data = random_conv_data(p, 3);
  for (auto& element : data.x) element = to_half(from_half(element) * 1000);
  CHECK(run(p, "f4x4", data).error.max_relative < 4e-3);
  std::fill(data.x.begin(), data.x.end(), std::uint16_t{0});
  for (auto bits : run(p, "f4x4", data).y) CHECK((bits & 0x7FFF) == 0);
}

TEST_CASE("a wrong kernel is caught: swapped coefficients give a wrong number") {
  const auto p = problem("-n 1 -c 8 -H 8 -W 8 -k 8 -p 1 -q 1");
  const auto plan = plan_winograd(p, winograd::Tile(4), find_target("gfx1250"));
  std::vector<std::string> texts;
  for (const auto& s : plan.steps)
    texts.push_back(
        kit::plugin().emit(write_json(find_family(s.family).build(s.spec, find_target("gfx1250")))));
  const auto at = texts[1].find("fsub"), fadd = texts[1].find(" = fadd ");
  REQUIRE((at != std::string::npos || fadd != std::string::npos));
  texts[1].replace(fadd, 8, " = fsub ");
  CHECK(run_plan(plan, texts, random_conv_data(p, 1), kit::executor(), {true, 0, {}}).error.max_relative > 4e-3);
}

TEST_CASE("a target without the matrix instruction is refused when planning") {
  const auto plan = [](const char* target) { return plan_winograd(problem("-n 1 -c 8 -k 8"), winograd::Tile(4), find_target(target)); };
  CHECK_THROWS_AS((void)plan("gfx1201"), UserError);
  for (const char* target : {"gfx1150", "gfx950"}) CHECK(plan(target).steps.size() == 4);
}
