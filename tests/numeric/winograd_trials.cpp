// SPDX-License-Identifier: MIT
// Inputs from public reports of wrong convolutions, with their integer answers: Tencent/TNN#394 and ncnn#1891
// (tails of tiles), openvino#33681 and oneDNN#3105 (unequal padding, dilation), leela-zero#703 and MIOpen#238
// (workspaces of the wrong size), pytorch#117736 and ROCm/rocm-libraries#4611 (extents past 2^31).
#include "conv_kit.hpp"

#include <catch2/catch.hpp>

using namespace twinir;
using kit::convolve, kit::problem;

namespace {

struct Trial {
  const char* flags;
  std::int64_t absolute, weighted;
};
constexpr Trial tails[] = {
    {"-n 1 -c 8 -H 22 -W 6 -k 8", 5220, 5550},           {"-n 1 -c 8 -H 2 -W 2 -k 8 -p 1 -q 1", 216, -92},
    {"-n 1 -c 8 -H 3 -W 3 -k 8 -p 1 -q 1", 567, -2786},  {"-n 1 -c 8 -H 4 -W 6 -k 8 -p 1 -q 1", 1450, -196},
    {"-n 1 -c 8 -H 5 -W 5 -k 8 -p 1 -q 1", 1560, -3267}, {"-n 1 -c 8 -H 6 -W 6 -k 8 -p 1 -q 1", 2320, -4766},
    {"-n 1 -c 8 -H 7 -W 13 -k 8 -p 1 -q 1", 5491, -9286}};
constexpr Trial padding[] = {{"-n 1 -c 8 -H 11 -W 13 -k 8 -p 1 -q 0", 7068, 6235},
                             {"-n 1 -c 8 -H 11 -W 13 -k 8 -p 0 -q 2", 9234, -1536},
                             {"-n 1 -c 8 -H 11 -W 13 -k 8 -p 2 -q 2 -l 2 -j 2", 20155, -4681}};
constexpr Trial others[] = {{"-n 1 -c 4 -H 5 -W 5 -k 4 -g 4 -p 2 -q 2 -l 2 -j 2", 352, -2725},
                            {"-n 1 -c 4 -H 34 -W 20 -k 4 -y 21 -x 11 -u 2 -v 1", 5292, 5544},
                            {"-n 1 -c 18 -H 8 -W 8 -k 16 -p 1 -q 1", 4114, -11572}};

void check_reference(const Trial& t) {
  CAPTURE(t.flags);
  const auto p = problem(t.flags);
  const kit::Integers data(p);
  const auto s = kit::sums(p, reference_convolution(p, data.x, data.f));
  CHECK(s.absolute == t.absolute);
  CHECK(s.weighted == t.weighted);
}

/// Every tile gives the integers after rounding, as long as its published tolerance is below a half.
void check_winograd(const Trial& t) {
  for (const auto tile : winograd::Tile::all())
    for (const DType io : {f16, bf16}) {
      CAPTURE(t.flags, tile.name(), io.name());
      const auto p = problem(t.flags, io);
      const auto out = convolve(p, tile, kit::Integers(p).data(io));
      CHECK(out.error.max_relative <= published_goal(p, tile, f16, f32).max_relative);
      if (io.type() != f16) continue;
      const auto s = kit::sums(p, numbers(io, out.run.y));
      CHECK(s.absolute == t.absolute);
      CHECK(s.weighted == t.weighted);
    }
}

Code refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const UserError& e) {
    return e.diagnostic().code;
  }
  return Code::internal;
}

} // namespace

TEST_CASE("the reference gives the integer answers of public reports", "[trial]") {
  for (const auto& t : tails) check_reference(t);
  for (const auto& t : padding) check_reference(t);
  for (const auto& t : others) check_reference(t);
}

TEST_CASE("trial 2: tails of tiles, every tile", "[trial]") {
  for (const auto& t : tails) check_winograd(t);
}

TEST_CASE("trial 3: unequal padding and dilation", "[trial]") {
  for (const auto& t : padding) check_winograd(t);
  CHECK(problem("-n 1 -c 8 -H 11 -W 13 -k 8 -p 1 -q 0").out_w() == 11);
  CHECK(refusal([] { (void)problem("-n 1 -c 8 -H 11 -W 13 -k 8 -l 0 -j 0"); }) ==
        Code::bad_extent); // not taken as 1
}

TEST_CASE("trial 9: exactly the workspace that the plan asks for", "[trial]") {
  constexpr std::int64_t canary = 4096;
  ConvRunner runner(kit::executor(), kit::emit_step, {true, 0, canary, {}});
  for (const char* flags : {"-n 1 -c 18 -H 8 -W 8 -k 16 -p 1 -q 1", "-n 1 -c 3 -H 8 -W 8 -k 64 -p 1 -q 1",
                            "-n 1 -c 64 -H 8 -W 8 -k 3 -p 1 -q 1", "-n 1 -c 1 -H 8 -W 8 -k 1 -p 1 -q 1"})
    for (const auto tile : {kit::Tile(2), kit::Tile(4), kit::Tile(6)}) {
      CAPTURE(flags, tile.name());
      const auto p = problem(flags);
      const auto plan = kit::plan(p, tile);
      const auto data = kit::Integers(p).data(f16);
      const auto run = runner.run(plan, data);
      for (const auto& b : plan.buffers) {
        if (b.role != PlanBuffer::Role::workspace) continue;
        const auto& bytes = run.workspaces.at(b.name);
        REQUIRE(bytes.size() == static_cast<std::size_t>(b.bytes + canary));
        CHECK(
            std::all_of(bytes.end() - canary, bytes.end(), [](std::byte x) { return x == std::byte{0xFF}; }));
      }
      CHECK(error_of(run, p, data).max_relative <= published_goal(p, tile, f16, f32).max_relative);
    }
}

TEST_CASE("trial 9: one byte less is found", "[trial][mutation]") {
  const auto p = problem("-n 1 -c 18 -H 8 -W 8 -k 16 -p 1 -q 1");
  for (const char* name : {"u", "v", "m"}) {
    auto plan = kit::plan(p, kit::Tile(4));
    for (auto& b : plan.buffers)
      if (b.name == name) --b.bytes;
    CAPTURE(name);
    CHECK(refusal([&] { (void)kit::runner().run(plan, kit::Integers(p).data(f16)); }) ==
          Code::exec_out_of_bounds);
  }
}

TEST_CASE("trial 9: a workspace limit below one image is refused with both numbers", "[trial]") {
  const auto p = problem("-n 4 -c 18 -H 8 -W 8 -k 16 -p 1 -q 1");
  WinogradOptions options;
  options.workspace_limit = 1000;
  try {
    (void)kit::plan(p, kit::Tile(4), options);
    FAIL("accepted");
  } catch (const UserError& e) {
    CHECK(e.diagnostic().code == Code::index_overflow);
    CHECK_THAT(e.diagnostic().found,
               Catch::Contains("36608 bytes")); // U: 36 bins of 16 x 24 elements, 1024 bytes apart
    CHECK_THAT(e.diagnostic().expected, Catch::Contains("1000 bytes"));
  }
}

TEST_CASE("trial 13: extents at and past 2^31", "[trial]") {
  const auto plan = [](const std::string& flags) { (void)kit::plan(problem(flags), kit::Tile(4)); };
  for (const char* c : {"512", "514"})
    CHECK(refusal([&] { plan("-n 1 -H 2048 -W 2048 -k 1 -p 1 -q 1 -c " + std::string(c)); }) ==
          Code::index_overflow);
  // 511: the bytes of x pass 2^31 and fit 2^32, those of V do not.
  CHECK(refusal([&] { plan("-n 1 -H 2048 -W 2048 -k 1 -p 1 -q 1 -c 511"); }) == Code::index_overflow);
  CHECK(refusal([&] { plan("-n 1 -c 256 -H 2048 -W 2048 -k 256 -p 1 -q 1"); }) == Code::index_overflow);
  // A batch is split until every workspace fits: 64 images of 16 MiB of V each and 36 MiB of M.
  const auto p = problem("-n 256 -c 256 -H 112 -W 112 -k 256 -p 1 -q 1");
  const auto split = kit::plan(p, kit::Tile(4));
  CHECK(split.parts > 1);
  for (const auto& b : split.buffers) CHECK(b.bytes <= winograd::byte_limit);
}
