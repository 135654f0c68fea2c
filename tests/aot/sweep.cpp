// SPDX-License-Identifier: MIT
// The sweep: every binary of every family's grid for gfx1250 compiles without spills and scratch memory.
#include "aot_support.hpp"
#include "runtime/aot/sweep_report.hpp"

#include <set>

using namespace twinir;
using namespace twinir::aot;
using namespace twinir::aot_test;

namespace {
constexpr std::size_t fewest_binaries = 1000; // raise it with the grids
} // namespace

TEST_CASE("every binary for gfx1250 compiles, and none spills", "[sweep]") {
  if (!available()) return;
  const auto entries = list_entries(all_families(), find_target("gfx1250"));
  CHECK(entries.size() >= fewest_binaries);
  CompilePool pool(pool_options());
  const auto sweep = run_sweep(all_families(), entries, pool, {"gfx1250", flavor, 2, {}});
  CHECK(sweep.good());
  std::set<std::string> names;
  for (const auto& row : sweep.rows) {
    CAPTURE(row.entry.kernel, row.problem ? row.problem->text() : "");
    CHECK(!row.problem);
    CHECK(row.kernel.name == row.entry.kernel);
    CHECK(row.kernel.vgpr_spills + row.kernel.sgpr_spills + row.kernel.scratch_bytes == 0);
    CHECK(row.kernel.flat + row.kernel.scratch == 0);
    CHECK(row.occupancy >= 1);
    CHECK(names.insert(row.entry.kernel).second); // nothing twice
  }
  CHECK(sweep.rows.size() == entries.size());
}

TEST_CASE("entries are sorted, complete, and equal specs are one", "[sweep]") {
  auto family = find_family("saxpy");
  family.aot_grid = [](const Target&) {
    return std::vector<Json>{{{"dtype", "f32"}}, Json::object(), {{"dtype", "f16"}, {"block", 64}}};
  };
  const auto entries = list_entries({family}, find_target("gfx1250"));
  REQUIRE(entries.size() == 2);
  CHECK(entries[0].kernel == "saxpy_f16_b64");
  CHECK(spec_text(entries[1].spec) == "dtype=f32 block=256");
  CHECK(list_entries({family}, find_target("gfx1250"), "f16").size() == 1);
}

TEST_CASE("the rows are the same for any number of jobs", "[sweep]") {
  if (!available()) return;
  const auto& target = find_target("gfx1250");
  CompilePool pool(pool_options());
  const auto run = [&](unsigned jobs) {
    return sweep_csv(run_sweep(all_families(), list_entries(all_families(), target, "block_sum"), pool,
                               {"gfx1250", flavor, jobs, {}}));
  };
  const auto csv = run(1);
  CHECK(csv == run(8));
  CHECK(
      csv.starts_with("family,kernel,spec,items,vgprs,sgprs,vgpr_spills,sgpr_spills,scratch_bytes,lds_bytes,"
                      "code_bytes,flat,scratch,occupancy,problem\nblock_sum,"));
  CHECK(std::ranges::count(csv, '\n') == 4);
}
