// SPDX-License-Identifier: MIT
#include "gate_support.hpp"

#include <cstdlib>

namespace twinir::test {
namespace fs = std::filesystem;

Folder::Folder() {
  auto pattern = (fs::temp_directory_path() / "twinir-test-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = pattern;
}

Folder::~Folder() {
  std::error_code error;
  fs::remove_all(path_, error);
}

Emission FakeEngine::emit(const std::string& json, const FlavorInfo& flavor) {
  Emission e{"; " + flavor.name + "\n" + json, {}};
  if (change) change(e, json, flavor);
  return e;
}

Emission WrappedEngine::emit(const std::string& json, const FlavorInfo& flavor) {
  auto e = inner_.emit(json, flavor);
  if (change) change(e);
  return e;
}

Judgement FakeJudge::reprint(const std::string&, const FlavorInfo&) {
  ++reprints;
  return {reprint_problem, {}};
}

Judgement FakeJudge::compile(const std::string&, const std::string& kernel, const std::string&,
                             const FlavorInfo&) {
  ++compiles;
  auto out = report;
  out["name"] = kernel;
  return {compile_problem, out, reprints_on_compile};
}

FakeGate::FakeGate() : golden(folder.path()) {
  for (const char* name : {"block_sum", "saxpy"}) families.push_back(find_family(name));
  cases = make_cases(families, test_targets);
  flavors = {{"llvm19", "19.1.7", "f19.json", true, true, {"gfx1150"}},
             {"llvm22", "22.1.8", "f22.json", true, true, {"gfx1150", "gfx1250", "gfx950"}}};
  options.jobs = 2;
}

GateReport FakeGate::run() {
  return run_gate({families, cases, flavors, golden, cpp, python, judge}, options);
}

void FakeGate::record() {
  const auto report = run();
  apply_record(plan_record(report, golden, options.only), golden);
  apply_resources(plan_resources(report, golden, options.only), golden);
}

const CaseResult& result_of(const GateReport& report, const std::string& flavor, const std::string& part) {
  for (const auto& f : report.flavors)
    for (const auto& r : f.results)
      if (f.flavor.name == flavor && r.id.find(part) != std::string::npos) return r;
  throw std::runtime_error("no result for " + part);
}

} // namespace twinir::test
