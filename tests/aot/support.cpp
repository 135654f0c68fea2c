// SPDX-License-Identifier: MIT
// The support matrix says what was tried, and what came of it.
#include "aot_support.hpp"
#include "runtime/verify/support_report.hpp"

using namespace twinir;
using namespace twinir::aot_test;

namespace {

std::vector<SupportRow> matrix(const std::vector<Family>& families, bool with_numbers = true,
                               std::vector<std::string> targets = {"gfx1250"}) {
  CompilePool pool(pool_options());
  SupportOptions options;
  options.flavors = {flavor}, options.targets = std::move(targets), options.verify = with_numbers;
  return make_support(families, pool, options);
}

SupportCount tried(std::size_t good, std::size_t all) { return {SupportCount::State::tried, good, all}; }

/// a * x + x instead of a * x + y.
void spoil(std::vector<Stmt>& body) {
  for (auto& s : body) {
    if (s.op == Op::fma) s.args[2] = s.args[1];
    spoil(s.body), spoil(s.otherwise);
  }
}

} // namespace

TEST_CASE("a family that works on every target", "[support]") {
  if (!available()) return;
  const auto rows = matrix({find_family("saxpy")}, true, {"gfx1150", "gfx1250", "gfx950"});
  REQUIRE(rows.size() == 3);
  for (const auto& r : rows) {
    CAPTURE(r.target);
    CHECK(r.emits == tried(3, 3));
    CHECK(r.compiles == tried(3, 3));
    CHECK(r.verified == tried(3, 3));
    CHECK(!r.problem);
  }
}

TEST_CASE("what was not tried says so", "[support]") {
  if (!available()) return;
  const auto r = matrix({find_family("saxpy"), hungry_family(40)}, false);
  CHECK(to_string(r.at(0).verified) == "not run");
  CHECK(to_string(r.at(1).verified) == "no check");
  CHECK(support_json(r)["rows"][1]["verified"] == "no check");
  CHECK(support_markdown(r).find("| hungry | gfx1250 | llvm22 | 1 of 1 | 1 of 1 | no check |  |") !=
        std::string::npos);
  auto none = find_family("saxpy");
  none.gate = [](const Target&) { return GateSpecs{}; };
  CHECK_THROWS_AS(matrix({none}), UserError); // nothing to try
}

TEST_CASE("a kernel that spills does not count as compiled", "[support][mutation]") {
  if (!available()) return;
  const auto r = matrix({hungry_family(300)}).at(0);
  CHECK(r.emits == tried(1, 1));
  CHECK(r.compiles == tried(0, 1));
  REQUIRE(r.problem);
  CHECK(r.problem->code == Code::spills);
}

TEST_CASE("wrong numbers do not count as verified", "[support][mutation]") {
  if (!available()) return;
  auto family = find_family("saxpy");
  family.build = [build = family.build](const Json& spec, const Target& target) {
    auto kernel = build(spec, target);
    spoil(kernel.body);
    return kernel;
  };
  const auto r = matrix({family}).at(0);
  CHECK(r.compiles == tried(3, 3));
  CHECK(r.verified == tried(0, 3));
  REQUIRE(r.problem);
  CHECK(r.problem->code == Code::exec_wrong_numbers);
}

TEST_CASE("a spec that is refused does not count as emitted", "[support][mutation]") {
  if (!available()) return;
  auto family = find_family("block_sum");
  family.gate = [](const Target&) { return GateSpecs{{{{"block", 96}}, {{"block", 64}}}, {}}; };
  const auto r = matrix({family}).at(0);
  CHECK(r.emits == tried(1, 2));
  CHECK(r.verified == tried(1, 1));
  CHECK(r.problem->code == Code::spec_refused);
}

TEST_CASE("no flavor is an error", "[support]") {
  CompilePool pool(pool_options());
  CHECK_THROWS_AS((void)make_support({}, pool, {}), UserError);
}
