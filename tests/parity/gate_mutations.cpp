// SPDX-License-Identifier: MIT
// The gate can go red: every mutation of a green run must.
#include "emit/environment.hpp"
#include "gate_support.hpp"
#include "parity/cpp_engine.hpp"
#include "parity/flavors.hpp"
#include "parity/python_engine.hpp"
#include "parity/report.hpp"

using namespace twinir;
using namespace twinir::test;

namespace {

/// A recorded, green gate.
struct Green : FakeGate {
  Green() {
    record();
    REQUIRE(run().good());
  }
  [[nodiscard]] std::filesystem::path shard(const char* flavor, const char* family) const {
    return folder.path() / flavor / (std::string(family) + ".json");
  }
  void edit(const char* flavor, const char* family, const std::string& from, const std::string& to) {
    auto text = read_file(shard(flavor, family));
    const auto at = text.find(from);
    REQUIRE(at != std::string::npos);
    write_file(shard(flavor, family), text.replace(at, from.size(), to));
  }
};

} // namespace

TEST_CASE("a green run says so", "[gate]") {
  Green g;
  const auto report = g.run();
  CHECK(report.exit_status() == 0);
  CHECK(report.flavors[0].count(Verdict::identical) == accepted);
  CHECK(report.flavors[1].count(Verdict::both_refused) == refused_specs);
  CHECK(report.flavors[0].count(GoldenVerdict::match) == accepted + refused_specs);
}

TEST_CASE("one byte of one emitter turns the gate red", "[gate][mutation]") {
  Green g;
  const bool first = GENERATE(true, false);
  (first ? g.cpp : g.python).change = [](Emission& e, const std::string& json, const FlavorInfo& f) {
    if (f.name == "llvm22" && json.find("f16") != std::string::npos &&
        json.find("saxpy") != std::string::npos)
      e.text[e.text.size() / 2] ^= 1;
  };
  const auto report = g.run();
  CHECK(report.exit_status() == 1);
  CHECK(report.flavors[0].good());
  const auto& r = result_of(report, "llvm22", "saxpy_f16");
  CHECK(r.verdict == Verdict::mismatch);
  REQUIRE(r.difference);
  CHECK(r.difference->line > 1);
}

TEST_CASE("a missing newline at the end is a difference", "[gate][mutation]") {
  Green g;
  g.python.change = [](Emission& e, const std::string&, const FlavorInfo&) { e.text.pop_back(); };
  CHECK(g.run().exit_status() == 1);
}

TEST_CASE("both emitters changing alike is drift", "[gate][mutation]") {
  Green g;
  const auto change = [](Emission& e, const std::string&, const FlavorInfo&) { e.text += "; more\n"; };
  g.cpp.change = g.python.change = change;
  const auto report = g.run();
  CHECK(report.exit_status() == 1);
  CHECK(report.flavors[0].count(Verdict::identical) == accepted);
  CHECK(report.flavors[0].count(GoldenVerdict::drift) == accepted);
}

TEST_CASE("a dropped case is gone, a new one is new", "[gate][mutation]") {
  Green g;
  const auto all = g.cases;
  g.cases.erase(g.cases.begin());
  auto report = g.run();
  CHECK(report.exit_status() == 1);
  CHECK(report.flavors[0].count(GoldenVerdict::gone) == 1);
  g.record();
  CHECK(g.run().good());
  g.cases = all;
  report = g.run();
  CHECK(report.exit_status() == 1);
  CHECK(report.flavors[1].count(GoldenVerdict::new_case) == 1);
}

TEST_CASE("a dropped family is gone", "[gate][mutation]") {
  Green g;
  std::erase_if(g.cases, [](const Case& c) { return c.family == "saxpy"; });
  const auto report = g.run();
  CHECK(report.exit_status() == 1);
  CHECK(report.flavors[0].count(GoldenVerdict::gone) == 6 * targets);
}

TEST_CASE("a dropped target is gone", "[gate][mutation]") {
  Green g;
  g.cases = make_cases(g.families, std::span(test_targets).first(2));
  const auto report = g.run();
  CHECK(report.exit_status() == 1);
  CHECK(report.flavors[0].count(GoldenVerdict::gone) == 11);
}

TEST_CASE("a family that has nothing for a target has no cases there", "[gate]") {
  FakeGate g;
  for (auto& family : g.families)
    family.gate = [gate = family.gate](const Target& t) {
      return t.name == "gfx950" ? GateSpecs{} : gate(t);
    };
  g.cases = make_cases(g.families, test_targets);
  CHECK(g.cases.size() == 22);
  CHECK(select_cases(g.cases, "gfx950").empty());
  g.record();
  CHECK(g.run().good());
}

TEST_CASE("a dropped shard is unrecorded", "[gate][mutation]") {
  Green g;
  std::filesystem::remove(g.shard("llvm22", "saxpy"));
  const auto report = g.run();
  CHECK(report.exit_status() == 1);
  CHECK(report.flavors[1].count(GoldenVerdict::unrecorded) == 6 * targets);
  CHECK(report.flavors[0].good());
}

TEST_CASE("a corrupt shard is red, and the others are still compared", "[gate][mutation]") {
  Green g;
  SECTION("cut") {
    write_file(g.shard("llvm22", "saxpy"), read_file(g.shard("llvm22", "saxpy")).substr(0, 200));
  }
  SECTION("no JSON") { write_file(g.shard("llvm22", "saxpy"), "<<<<<<< HEAD\n"); }
  SECTION("a hash that is none") { g.edit("llvm22", "saxpy", "\":\"", "\":\"x"); }
  SECTION("an empty file") { write_file(g.shard("llvm22", "saxpy"), ""); }
  SECTION("a folder in its place") {
    std::filesystem::remove(g.shard("llvm22", "saxpy"));
    std::filesystem::create_directory(g.shard("llvm22", "saxpy"));
  }
  SECTION("another flavor's shard") {
    std::filesystem::copy_file(g.shard("llvm19", "saxpy"), g.shard("llvm22", "saxpy"),
                               std::filesystem::copy_options::overwrite_existing);
  }
  SECTION("another schema") { g.edit("llvm22", "saxpy", "golden-1", "golden-2"); }
  SECTION("the toolchain of another flavor") { g.edit("llvm22", "saxpy", "22.1.8", "19.1.7"); }
  SECTION("a case twice") {
    const auto text = read_file(g.shard("llvm22", "saxpy"));
    const auto start = text.find("\"gfx1250"), end = text.find('\n', start);
    g.edit("llvm22", "saxpy", text.substr(start, end - start),
           text.substr(start, end - start) + "\n" + text.substr(start, end - start));
  }
  const auto report = g.run();
  CHECK(report.exit_status() == 1);
  REQUIRE(report.flavors[1].problems.size() == 1);
  CHECK(report.flavors[1].problems[0].code == Code::bad_shard);
  CHECK(report.flavors[1].count(GoldenVerdict::match) == 5 * targets);
  CHECK(report.flavors[0].good());
}

TEST_CASE("one recorded byte changed is drift", "[gate][mutation]") {
  Green g;
  const auto& id = g.cases.back().id;
  const auto hash = g.golden.load("llvm22", "saxpy").shard->cases.begin()->second;
  g.edit("llvm22", "saxpy", hash, (hash[0] == 'a' ? "b" : "a") + hash.substr(1));
  const auto report = g.run();
  CHECK(report.exit_status() == 1);
  CHECK(report.flavors[1].count(GoldenVerdict::drift) == 1);
  CHECK(!id.empty());
}

TEST_CASE("another toolchain: equal hashes pass with both versions, unequal ones fail by name",
          "[gate][mutation]") {
  Green g;
  g.edit("llvm22", "saxpy", "22.1.8", "22.1.7");
  auto report = g.run();
  CHECK(report.exit_status() == 0);
  CHECK(report.flavors[1].recorded_with == std::vector<std::string>{"22.1.7"});
  g.cpp.change =
      g.python.change = [](Emission& e, const std::string&, const FlavorInfo&) { e.text += "; newer\n"; };
  report = g.run();
  CHECK(report.exit_status() == 1);
  CHECK(report.flavors[1].count(GoldenVerdict::toolchain_differs) == 3 * targets);
  CHECK(report.flavors[1].count(GoldenVerdict::drift) == 3 * targets);
}

TEST_CASE("another snapshot of a development LLVM is another toolchain", "[gate][mutation]") {
  FakeGate g;
  g.flavors[1] = {"llvm24", "24.0.0 (24~++20261025)", "f24.json", true, true, {"gfx1250"}, false};
  g.record();
  g.flavors[1].llvm = "24.0.0 (24~++20261101)";
  CHECK(g.run().exit_status() == 0); // the same text
  g.cpp.change = g.python.change = [](Emission& e, const std::string&, const FlavorInfo& f) {
    if (f.name == "llvm24") e.text += "; newer\n";
  };
  const auto report = g.run();
  CHECK(report.exit_status() == 1);
  CHECK(report.flavors[1].count(GoldenVerdict::toolchain_differs) == accepted);
  CHECK(report.flavors[1].count(GoldenVerdict::drift) == 0);
}

TEST_CASE("a refused spec that is accepted now is an error", "[gate][mutation]") {
  Green g;
  for (auto& c : g.cases)
    if (c.to_be_refused && c.family == "saxpy") c.spec = Json::object();
  const auto report = g.run();
  CHECK(report.exit_status() == 1);
  CHECK(report.flavors[0].count(Verdict::error) == 3 * targets);
}

TEST_CASE("an accepted spec that is refused now is an error", "[gate][mutation]") {
  Green g;
  g.cases.back().spec["block"] = 33;
  CHECK(g.run().exit_status() == 1);
}

TEST_CASE("what LLVM finds is red", "[gate][mutation]") {
  Green g;
  SECTION("re-print") { g.judge.reprint_problem = Diagnostic{Code::verify_failed, "f", "e", "a", {}}; }
  SECTION("spills") { g.judge.compile_problem = Diagnostic{Code::spills, "f", "e", "a", {}}; }
  CHECK(g.run().exit_status() == 1);
}

TEST_CASE("a text that the compile re-printed is not re-printed again", "[gate]") {
  Green g;
  g.judge.reprints = 0;
  g.judge.reprints_on_compile = true;
  g.judge.reprint_problem = Diagnostic{Code::verify_failed, "f", "e", "a", {}};
  const auto report = g.run();
  CHECK(g.judge.reprints == 2 * accepted - (6 + accepted)); // those that llvm19 does not compile
  CHECK(report.exit_status() == 1);
  CHECK(result_of(report, "llvm22", "gfx1250/saxpy_f16").reprint == Check::passed);
  CHECK(result_of(report, "llvm19", "gfx1250/saxpy_f16").reprint == Check::failed);
}

TEST_CASE("code generation runs for the flavors that know the target, and is left out when told", "[gate]") {
  Green g;
  g.judge.compiles = g.judge.reprints = 0;
  auto report = g.run();
  CHECK(g.judge.compiles == 6 + accepted); // llvm19 knows gfx1150 only
  CHECK(g.judge.reprints == 2 * accepted);
  for (const char* target : {"gfx950", "gfx1250"}) {
    const auto& r = result_of(report, "llvm19", std::string(target) + "/saxpy_f16");
    CHECK(r.verdict == Verdict::identical);
    CHECK(r.codegen == Check::not_run);
  }
  CHECK(result_of(report, "llvm19", "gfx1150/saxpy_f16").codegen == Check::passed);
  for (const auto target : test_targets)
    CHECK(result_of(report, "llvm22", std::string(target) + "/saxpy_f16").codegen == Check::passed);
  g.judge.compiles = 0;
  g.options.codegen = false;
  CHECK(g.run().good());
  CHECK(g.judge.compiles == 0);
}

TEST_CASE("the differential counts what was compared, and specs that no emitter saw are not", "[gate]") {
  Green g;
  const auto d = g.run().flavors[0].differential();
  CHECK(d.compared == accepted);
  CHECK(d.identical == accepted);
  CHECK(d.refused == 0);
  g.cpp.change = g.python.change = [](Emission& e, const std::string& json, const FlavorInfo&) {
    if (json.find("bf16") != std::string::npos)
      e = {{}, Diagnostic{Code::op_not_in_flavor, "f", "e", "a", {}}};
  };
  const auto report = g.run();
  CHECK(report.flavors[1].differential().compared == accepted);
  CHECK(report.flavors[1].differential().refused == 2 * targets);
  CHECK(report.flavors[1].differential().identical == 4 * targets);
  CHECK(report.differential().compared == 2 * accepted);
  CHECK(gate_json(report)["flavors"][0]["differential"]["refused"] == 2 * targets);
  CHECK(gate_summary(report).find("differential 36 compared, 24 identical, 12 refused alike") !=
        std::string::npos);
}

TEST_CASE("a flavor on which no two emitters were compared is red", "[gate][mutation]") {
  Green g;
  auto report = g.run();
  CHECK(gate_junit(report).find("no two emitters") == std::string::npos);
  for (auto& r : report.flavors[1].results) r.compared = false; // everything else is as it was
  CHECK(report.flavors[0].good());
  CHECK(!report.flavors[1].good());
  CHECK(report.exit_status() == 1);
  CHECK(differential_text(report.flavors[1]).find("RED") != std::string::npos);
  CHECK(gate_junit(report).find("<failure>no two emitters were compared</failure>") != std::string::npos);
}

TEST_CASE("a run in which only the Python emitter is there is not green", "[gate][mutation]") {
  Green g;
  for (auto& f : g.flavors) f.installed = false;
  const auto report = g.run();
  CHECK(report.flavors[0].good());
  CHECK(report.exit_status() == 3);
  CHECK(gate_summary(report).starts_with("RED"));
}

TEST_CASE("one byte of a real emitter turns a real case red, with the statement", "[gate][mutation][real]") {
  const auto places = find_places();
  auto flavors = find_flavors(places);
  std::erase_if(flavors, [](const FlavorInfo& f) { return !f.installed || !f.recorded; });
  if (flavors.empty()) {
    WARN("SKIP: no LLVM plugin");
    return;
  }
  const Folder folder;
  const Golden golden(folder.path());
  CppEngine cpp;
  PythonEngine python(places.python);
  WrappedEngine wrapped(cpp);
  FakeJudge judge;
  const std::vector<Family> families{find_family("saxpy")};
  const GateParts parts{families, make_cases(families, test_targets), flavors, golden, wrapped, python,
                        judge};
  const auto first = run_gate(parts, {});
  apply_record(plan_record(first, golden, {}), golden);
  apply_resources(plan_resources(first, golden, {}), golden);
  CHECK(run_gate(parts, {}).exit_status() == 0);
  wrapped.change = [](Emission& e) {
    const auto at = e.text.find(" = load ");
    REQUIRE(at != std::string::npos);
    e.text[at + 3] = 'g';
  };
  const auto report = run_gate(parts, {});
  CHECK(report.exit_status() == 1);
  for (const auto& f : report.flavors)
    for (const auto& r : f.results) {
      if (r.verdict == Verdict::both_refused) continue;
      REQUIRE(r.difference);
      CHECK(r.difference->left[0].find("goad") != std::string::npos);
      CHECK(r.difference->right[0].find("load") != std::string::npos);
      CAPTURE(r.difference->statement);
      CHECK(r.difference->statement.find("v5: i32 = load") != std::string::npos);
    }
}
