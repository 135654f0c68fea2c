// SPDX-License-Identifier: MIT
// Verdicts of single cases, and the ways in which the gate fails closed.
#include "gate_support.hpp"
#include "parity/flavors.hpp"
#include "parity/report.hpp"

using namespace twinir;
using namespace twinir::test;

namespace {

Emission refused(Code code, const std::string& found = "f") {
  return {{}, Diagnostic{code, found, "e", "a", {}}};
}

CaseResult compare(const Emission& cpp, const Emission& python) {
  CaseResult r;
  compare_emissions(r, cpp, python, {});
  return r;
}

Code thrown_code(FakeGate& gate) {
  try {
    (void)gate.run();
  } catch (const UserError& e) {
    return e.code();
  }
  return Code::internal;
}

void refuse_all(FakeGate& g, const char* flavor) {
  g.cpp.change = g.python.change = [flavor](Emission& e, const std::string&, const FlavorInfo& f) {
    if (f.name == flavor) e = refused(Code::op_not_in_flavor);
  };
}

} // namespace

TEST_CASE("verdicts of two answers", "[gate]") {
  CHECK(compare({"a\n", {}}, {"a\n", {}}).verdict == Verdict::identical);
  CHECK(compare({"a\n", {}}, {"b\n", {}}).verdict == Verdict::mismatch);
  CHECK(compare(refused(Code::op_not_in_flavor), refused(Code::op_not_in_flavor)).verdict ==
        Verdict::both_refused);
  CHECK(compare(refused(Code::op_not_in_flavor), refused(Code::op_not_in_flavor)).code == "TIR3001");
  CHECK(compare(refused(Code::op_not_in_flavor), refused(Code::op_not_in_flavor, "g")).verdict ==
        Verdict::asymmetric);
  CHECK(compare(refused(Code::bad_name), refused(Code::bad_name, "g")).verdict == Verdict::both_refused);
  CHECK(compare(refused(Code::bad_name), refused(Code::type_mismatch)).verdict == Verdict::asymmetric);
  CHECK(compare({"a\n", {}}, refused(Code::op_not_in_flavor)).verdict == Verdict::asymmetric);
  CHECK(compare({"a\n", {}}, refused(Code::engine_failed)).verdict == Verdict::error);
  CHECK(compare(refused(Code::engine_failed), refused(Code::engine_failed)).verdict == Verdict::error);
  CHECK(compare(refused(Code::internal), {"a\n", {}}).verdict == Verdict::error);
  CHECK(compare(refused(Code::bad_flavor_file), refused(Code::bad_flavor_file)).verdict == Verdict::error);
}

TEST_CASE("nothing to compare is a failure of its own", "[gate]") {
  FakeGate g;
  SECTION("no case") { g.cases.clear(); }
  SECTION("a filter that matches nothing") { g.options.only = "no such kernel"; }
  SECTION("no flavor") { g.flavors.clear(); }
  CHECK(thrown_code(g) == Code::gate_no_cases);
}

TEST_CASE("nothing but refusals is a failure of its own", "[gate]") {
  FakeGate g;
  SECTION("a flavor that refuses all") { refuse_all(g, "llvm19"); }
  SECTION("a filter that selects refused specs only") { g.options.only = "!"; }
  CHECK(thrown_code(g) == Code::gate_all_refused);
}

TEST_CASE("with a filter one flavor may refuse all it selects", "[gate]") {
  FakeGate g;
  refuse_all(g, "llvm19");
  g.options.only = "saxpy_";
  g.record();
  const auto report = g.run();
  CHECK(report.good());
  CHECK(report.flavors[0].count(Verdict::both_refused) == 3 * targets);
  CHECK(g.golden.load("llvm19", "saxpy").shard->rejected.size() == 3 * targets);
}

TEST_CASE("a flavor without LLVM is held against the goldens by the Python emitter", "[gate]") {
  FakeGate g;
  g.record();
  g.flavors[0].installed = false;
  auto report = g.run();
  CHECK(report.exit_status() == 0);
  CHECK(report.flavors[0].count(Verdict::not_run) == accepted);
  CHECK(report.flavors[0].count(GoldenVerdict::match) == accepted + refused_specs);
  CHECK(gate_summary(report).find("llvm19 (Python alone)") != std::string::npos);
  g.options.require_both = true;
  CHECK(g.run().exit_status() == 3);
  g.options.require_both = false;
  g.python.change = [](Emission& e, const std::string&, const FlavorInfo&) { e.text += ";\n"; };
  report = g.run();
  CHECK(report.exit_status() == 1);
  CHECK(report.flavors[0].count(GoldenVerdict::drift) == accepted);
}

TEST_CASE("an emitter that throws is an error of the case", "[gate]") {
  FakeGate g;
  g.record();
  g.cpp.change = [](Emission&, const std::string&, const FlavorInfo&) { throw std::runtime_error("broken"); };
  const auto report = g.run();
  CHECK(report.exit_status() == 1);
  CHECK(report.flavors[0].count(Verdict::error) == accepted);
}

TEST_CASE("two specs with one name are an error", "[gate]") {
  FakeGate g;
  auto& family = g.families[1];
  family.kernel_name = [](const Json&) { return std::string("saxpy_same"); };
  g.cases = make_cases(g.families, test_targets);
  const auto report = g.run();
  CHECK(report.exit_status() == 1);
  CHECK(report.flavors[0].count(Verdict::error) == 2 * targets);
}

TEST_CASE("recording keeps what cannot be recorded as it was", "[golden]") {
  FakeGate g;
  g.record();
  const auto before = *g.golden.load("llvm22", "saxpy").shard;
  g.cpp.change = [](Emission& e, const std::string& json, const FlavorInfo&) {
    if (json.find("saxpy_f16") != std::string::npos) e.text += "; only here\n";
  };
  const auto report = g.run();
  CHECK(unrecordable(report.flavors[1]).size() == targets);
  apply_record(plan_record(report, g.golden, {}), g.golden);
  CHECK(*g.golden.load("llvm22", "saxpy").shard == before);
}

TEST_CASE("recording with a filter touches what it selects", "[golden]") {
  FakeGate g;
  g.record();
  g.cpp.change =
      g.python.change = [](Emission& e, const std::string&, const FlavorInfo&) { e.text += "; new\n"; };
  g.options.only = "saxpy_f16";
  g.record();
  g.options.only.clear();
  const auto report = g.run();
  CHECK(report.flavors[0].count(GoldenVerdict::drift) == 5 * targets);
  CHECK(result_of(report, "llvm19", "saxpy_f16").golden == GoldenVerdict::match);
}

TEST_CASE("a filter never mixes two toolchains in one shard", "[golden]") {
  FakeGate g;
  g.record();
  g.flavors[1].llvm = "22.1.9";
  g.options.only = "saxpy_f16";
  CHECK_THROWS_AS(g.record(), UserError);
}

TEST_CASE("a shard reads back as it was written", "[golden]") {
  const Shard s{"llvm22",
                "22.1.8",
                "f",
                {{"gfx1250/a", std::string(64, 'a')}},
                {{"gfx1250/f!{\"x\":\"é\\\"\"}", "TIR2003"}}};
  CHECK(read_shard(write_shard(s), "llvm22", "f") == s);
  CHECK(read_shard(write_shard({"llvm22", "22.1.8", "f", {}, {}}), "llvm22", "f").cases.empty());
  CHECK_THROWS_AS(read_shard(write_shard(s) + " ", "llvm22", "f"), UserError);
  CHECK_THROWS_AS(read_shard(write_shard(s), "llvm22", "g"), UserError);
}

TEST_CASE("a flavor with a name of its own has shards of any LLVM", "[golden]") {
  const Shard named{"rocm", "22.0.0 (0123456789abcdef)", "f", {{"gfx1250/a", std::string(64, 'a')}}, {}};
  CHECK(read_shard(write_shard(named), "rocm", "f") == named);
  CHECK_THROWS_AS(read_shard(write_shard({"rocm", "", "f", {}, {}}), "rocm", "f"), UserError);
  CHECK_THROWS_AS(read_shard(write_shard({"llvm22", "23.1.4", "f", {}, {}}), "llvm22", "f"), UserError);
  FakeGate g;
  g.flavors.push_back({"rocm", "22.0.0 (0123456789abcdef)", "rocm.json", true, true, {"gfx1150"}});
  g.record();
  CHECK(g.golden.flavors() == std::vector<std::string>{"llvm19", "llvm22", "rocm"});
  CHECK(g.run().exit_status() == 0);
}

TEST_CASE("a flavor that nobody named is a release that loads here", "[gate]") {
  const FlavorInfo named{"rocm", "22.0.0 (1)", {}, true, true, {"gfx1250"}, false};
  const FlavorInfo release{"llvm22", "22.1.8", {}, true, true, {"gfx1250"}};
  const FlavorInfo snapshot{"llvm24", "24.0.0 (2)", {}, true, true, {"gfx1250", "gfx9999"}, false};
  const std::vector<FlavorInfo> all{named, release, snapshot}, unusual{named, snapshot};
  CHECK(newest_flavor(all, "gfx1250").name == "llvm22");
  CHECK(newest_flavor(all, "gfx9999").name == "llvm24");
  CHECK(newest_flavor(unusual, {}).name == "llvm24");
  CHECK_THROWS_AS(newest_flavor(all, "gfx1"), UserError);
}

TEST_CASE("reports hold what happened", "[gate]") {
  FakeGate g;
  g.record();
  g.cpp.change = [](Emission& e, const std::string&, const FlavorInfo&) { e.text[0] = '<'; };
  const auto report = g.run();
  const auto json = gate_json(report);
  CHECK(json["schema"] == "twinir-gate-1");
  CHECK(json["green"] == false);
  CHECK(json["flavors"][0]["verdicts"]["MISMATCH"] == accepted);
  const auto junit = gate_junit(report);
  CHECK(junit.find("<failure") != std::string::npos);
  CHECK(junit.find("&lt;") != std::string::npos);
  CHECK(junit.find("<; ") == std::string::npos);
  CHECK(gate_summary(report).starts_with("RED: 33 cases on llvm19, llvm22"));
}
