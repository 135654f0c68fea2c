// SPDX-License-Identifier: MIT
// Flavors with the Python emitter alone: a reader checks their texts, and only with it they are recorded.
#include "gate_support.hpp"
#include "parity/reader.hpp"
#include "parity/report.hpp"

using namespace twinir;
using namespace twinir::test;

namespace {

/// llvm19 has no plugin here.
struct Alone : FakeGate {
  explicit Alone(const std::string& reader) {
    flavors[0].installed = false, flavors[0].reader = reader;
    record();
  }
};

} // namespace

TEST_CASE("a flavor without a plugin is recorded when its texts were read, and not otherwise", "[gate][reader]") {
  const bool read = GENERATE(true, false);
  Alone g(read ? "llvmlite 1" : "");
  const auto report = g.run();
  CHECK(report.flavors[0].count(GoldenVerdict::match) == (read ? accepted + refused_specs : refused_specs));
  CHECK(report.exit_status() == (read ? 0 : 1));
  CHECK(unrecordable(report.flavors[0]).size() == (read ? 0 : accepted));
}

TEST_CASE("a text that the reader does not accept is red and not recorded", "[gate][reader][mutation]") {
  Alone g("llvmlite 1");
  g.flavors.erase(g.flavors.begin() + 1);
  CHECK(g.run().exit_status() == 0);
  g.judge.reprint_problem = Diagnostic{Code::verify_failed, "f", "e", "a", {}};
  const auto report = g.run();
  CHECK(report.exit_status() == 1);
  CHECK(unrecordable(report.flavors[0]).size() == accepted);
}

TEST_CASE("both emitters together or a reader count as a check, one emitter alone does not", "[gate][reader][mutation]") {
  Alone g("llvmlite 1");
  g.options.require_both = true;
  CHECK(g.run().exit_status() == 0);
  g.flavors[0].reader.clear();
  CHECK(g.run().exit_status() == 3);
  g.options.require_both = false;
  auto report = g.run();
  CHECK(report.exit_status() == 0);
  CHECK(engines_of(report.flavors[0]) == "Python emitter alone, not read");
  CHECK(differential_text(report.flavors[0]).find("SKIP") != std::string::npos);
  g.flavors[1].installed = false; // nothing is compared, and llvm22 is not read
  g.flavors[0].reader = "llvmlite 1";
  CHECK(g.run().exit_status() == 3);
}

TEST_CASE("a text that is the same in both emitters is re-printed, and so is that of the only emitter", "[gate][reader]") {
  Alone g("llvmlite 1");
  g.judge.reprints = 0;
  const auto report = g.run();
  CHECK(g.judge.reprints == 2 * accepted);
  for (const auto& f : report.flavors)
    for (const auto& r : f.results) CHECK((r.sha256.empty() || r.reprint == Check::passed));
  CHECK(gate_json(report)["flavors"][0]["reader"] == "llvmlite 1");
  CHECK(gate_json(report)["flavors"][0]["emitters"].size() == 1);
}

TEST_CASE("a reader that does not start, dies or talks nonsense says so", "[reader]") {
  Reader missing(std::vector<std::string>{"/nonexistent/python"});
  CHECK(missing.flavor().empty());
  CHECK(!missing.problem().empty());
  Reader silent(std::vector<std::string>{"true"});
  CHECK(silent.problem().find("true") != std::string::npos);
  std::vector<FlavorInfo> flavors{{"llvm20", "20.1.8", "f.json", false, false, {}}};
  add_reader(flavors, silent);
  CHECK(flavors[0].reader.empty());
  CHECK_THROWS_AS(silent.reprint("x"), UserError);
}
