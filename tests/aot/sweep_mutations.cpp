// SPDX-License-Identifier: MIT
// The sweep can go red: a kernel that spills, one that is refused, one that LLVM refuses, a name that is not
// unique.
#include "aot_support.hpp"
#include "emit/spills.hpp"
#include "runtime/aot/sweep_report.hpp"

using namespace twinir;
using namespace twinir::aot;
using namespace twinir::aot_test;

namespace {

Sweep sweep_of(const std::vector<Family>& families) {
  CompilePool pool(pool_options());
  return run_sweep(families, list_entries(families, find_target("gfx1250")), pool,
                   {"gfx1250", flavor, 2, {}});
}

} // namespace

TEST_CASE("a kernel that holds too many values makes the sweep red, and is first", "[sweep][mutation]") {
  if (!available()) return;
  const auto sweep = sweep_of({hungry_family(300), find_family("saxpy")});
  CHECK(!sweep.good());
  CHECK(sweep.spilling() == 1);
  CHECK(sweep.failed() == 0);
  const auto& worst = sweep.rows.front();
  CHECK(worst.entry.family == "hungry");
  CHECK(worst.spills());
  CHECK(worst.kernel.vgpr_spills > 0);
  CHECK(worst.kernel.scratch_bytes > 0);
  CHECK(worst.kernel.scratch > 0);
  CHECK(sweep_summary(sweep).starts_with("RED: 4 binaries, 1 spill"));
  CHECK(sweep_json(sweep)["rows"][0]["problem"]["code"] == "TIR4007");
  CHECK(sweep_csv(sweep).find(",TIR4007\n") != std::string::npos);
}

TEST_CASE("the same kernel with fewer values is green", "[sweep]") {
  if (available()) CHECK(sweep_of({hungry_family(40)}).good());
}

TEST_CASE("a spec that is refused is a failed binary, and the others go on", "[sweep][mutation]") {
  if (!available()) return;
  auto family = find_family("block_sum");
  family.aot_grid = [](const Target&) {
    return std::vector<Json>{{{"block", 96}}, {{"block", 64}}, {{"rows", 1}}};
  };
  const auto sweep = sweep_of({family});
  CHECK(!sweep.good());
  CHECK(sweep.failed() == 2);
  CHECK(sweep.rows[0].entry.kernel == "block_sum?{\"rows\":1}");
  CHECK(sweep.rows[0].problem->code == Code::unknown_field);
  CHECK(sweep.rows[1].problem->code == Code::spec_refused);
  CHECK(!sweep.rows[2].problem);
  CHECK(sweep_csv(sweep).find("\"block_sum?{\"\"rows\"\":1}\"") != std::string::npos);
}

TEST_CASE("a worker that dies is a failed binary", "[sweep][mutation]") {
  if (!available()) return;
  auto options = pool_options();
  options.program = "/bin/false";
  CompilePool pool(options);
  const std::vector<Family> families{find_family("saxpy")};
  const auto sweep =
      run_sweep(families, list_entries(families, find_target("gfx1250")), pool, {"gfx1250", flavor, 1, {}});
  CHECK(sweep.failed() == 3);
  CHECK(!sweep.good());
}

TEST_CASE("two specs with one kernel name are a fault", "[sweep][mutation]") {
  auto family = find_family("saxpy");
  family.kernel_name = [](const Json&) { return std::string("saxpy"); };
  const auto entries = list_entries({family}, find_target("gfx1250"));
  REQUIRE(entries.size() == 3);
  CHECK(!entries[0].fault);
  CHECK(entries[1].fault);
  CHECK(entries[2].fault);
}

TEST_CASE("each sign of spilling is one", "[sweep][mutation]") {
  const KernelReport clean;
  CHECK(!find_spills(clean));
  for (const auto member : {&KernelReport::vgpr_spills, &KernelReport::sgpr_spills,
                            &KernelReport::scratch_bytes, &KernelReport::flat, &KernelReport::scratch}) {
    auto report = clean;
    report.*member = 1;
    REQUIRE(find_spills(report));
    CHECK(find_spills(report)->code == Code::spills);
  }
}

TEST_CASE("a sweep of nothing is refused", "[sweep][mutation]") {
  CompilePool pool(pool_options());
  try {
    (void)run_sweep({}, {}, pool, {"gfx1250", flavor, 1, {}});
    FAIL("no error");
  } catch (const UserError& e) {
    CHECK(e.code() == Code::nothing_to_build);
  }
}
