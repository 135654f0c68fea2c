// SPDX-License-Identifier: MIT
// Resource numbers beside the goldens: what changes them turns the gate red.
#include "gate_support.hpp"
#include "parity/html.hpp"
#include "parity/report.hpp"

using namespace twinir;
using namespace twinir::test;

namespace {

/// A recorded gate whose kernels need 7 VGPRs.
struct Recorded : FakeGate {
  Recorded() {
    judge.report = {{"vgprs", 7u}, {"sgprs", 12u}, {"code_bytes", 304u}};
    record();
    REQUIRE(run().good());
  }
  [[nodiscard]] std::filesystem::path file() const { return folder.path() / "llvm22" / "resources.json"; }
};

} // namespace

TEST_CASE("resources of everything that was compiled are recorded and found the same", "[gate][resources]") {
  Recorded g;
  const auto report = g.run();
  CHECK(report.flavors[0].count(ResourceVerdict::same) == 6);
  CHECK(report.flavors[1].count(ResourceVerdict::same) == accepted);
  CHECK(gate_json(report)["flavors"][1]["resources"]["SAME"] == accepted);
  CHECK(gate_summary(report).find("resources 24 SAME") != std::string::npos);
  g.options.codegen = false;
  CHECK(g.run().good());
}

TEST_CASE("other numbers with the same LLVM are red", "[gate][resources][mutation]") {
  Recorded g;
  const auto* key = GENERATE("vgprs", "vgpr_spills", "lds_bytes", "code_bytes");
  g.judge.report[key] = 99u;
  const auto report = g.run();
  CHECK(report.exit_status() == 1);
  CHECK(report.flavors[1].count(ResourceVerdict::changed) == accepted);
  const auto& r = result_of(report, "llvm22", "gfx1250/saxpy_f16");
  CHECK(describe(r).find("RESOURCES_CHANGED: " + std::string(key)) != std::string::npos);
  CHECK(gate_junit(report).find("RESOURCES_CHANGED") != std::string::npos);
  CHECK(gate_html(report).find("RESOURCES_CHANGED") != std::string::npos);
}

TEST_CASE("other numbers with another LLVM are reported", "[gate][resources]") {
  Recorded g;
  g.judge.report["vgprs"] = 8u;
  g.flavors[1].llvm = "22.1.9";
  const auto report = g.run();
  CHECK(report.flavors[1].good());
  CHECK(report.flavors[1].count(ResourceVerdict::toolchain_differs) == accepted);
}

TEST_CASE("a file of resources that is missing, cut or wrong is red", "[gate][resources][mutation]") {
  Recorded g;
  const auto text = read_file(g.file());
  SECTION("missing") { std::filesystem::remove(g.file()); }
  SECTION("cut") { write_file(g.file(), text.substr(0, 200)); }
  SECTION("of another flavor") { write_file(g.file(), read_file(g.folder.path() / "llvm19" / "resources.json")); }
  SECTION("one number less") {
    auto changed = text;
    write_file(g.file(), changed.erase(changed.find("\"vgprs\":7,"), 10));
  }
  const auto report = g.run();
  CHECK(report.exit_status() == 1);
  CHECK(report.flavors[0].good());
  CHECK(report.flavors[1].count(ResourceVerdict::unrecorded) == accepted);
}

TEST_CASE("a filtered recording leaves the other cases", "[gate][resources]") {
  Recorded g;
  g.judge.report["vgprs"] = 8u;
  g.options.only = "gfx1250/saxpy_f16";
  const auto changes = plan_resources(g.run(), g.golden, g.options.only);
  REQUIRE(changes.size() == 1);
  REQUIRE(changes[0].changed.size() == 1);
  CHECK(changes[0].changed[0].ends_with(": vgprs 7 -> 8"));
  CHECK(changes[0].added.empty());
  CHECK(changes[0].removed.empty());
  g.flavors[1].llvm = "22.1.9";
  CHECK_THROWS_AS(plan_resources(g.run(), g.golden, g.options.only), UserError);
}
