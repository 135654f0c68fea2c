// SPDX-License-Identifier: MIT
// Every fault that the gate is known to find, in one list: planted into a green gate of real emitters, it must turn
// red with the right verdict. tests/parity/gate_mutations.cpp has more about some of them.
#include "parity/resources.hpp"
#include "emit/environment.hpp"
#include "gate_support.hpp"
#include "parity/cpp_engine.hpp"
#include "parity/flavors.hpp"
#include "parity/python_engine.hpp"

#include <regex>

using namespace twinir;
using namespace twinir::test;

namespace {

/// Two families on the newest and the oldest installed LLVM, with real emitters and goldens recorded for it.
struct RealGate {
  Folder folder;
  std::vector<Family> families{find_family("block_sum"), find_family("saxpy")};
  std::vector<Case> cases = make_cases(families, std::span(test_targets).first(1));
  std::vector<FlavorInfo> flavors = find_flavors(find_places());
  Golden golden{folder.path()};
  CppEngine real_cpp;
  PythonEngine real_python{find_places().python};
  WrappedEngine cpp{real_cpp}, python{real_python};
  std::unique_ptr<Engine> other; ///< in place of the Python emitter, when set
  FakeJudge judge;

  RealGate() {
    std::erase_if(flavors, [](const FlavorInfo& f) { return !f.installed || !f.recorded; });
    if (flavors.empty()) return;
    const auto first = run();
    apply_record(plan_record(first, golden, {}), golden);
    apply_resources(plan_resources(first, golden, {}), golden);
    REQUIRE(run().exit_status() == 0);
  }
  GateReport run() {
    return run_gate({families, cases, flavors, golden, cpp, other ? *other : python, judge}, {});
  }
  [[nodiscard]] std::filesystem::path shard(const std::string& family = "saxpy") const {
    return folder.path() / flavors.back().name / (family + ".json");
  }
  void edit_shard(const std::function<void(std::string&)>& change) const {
    auto text = read_file(shard());
    change(text);
    write_file(shard(), text);
  }
  void command(std::vector<std::string> words) { other = std::make_unique<PythonEngine>(std::move(words)); }
};

void replace(std::string& text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  if (at != std::string::npos) text.replace(at, from.size(), to);
}
void drop_line(std::string& text, const std::string& part) {
  const auto at = text.find(part);
  if (at == std::string::npos) return;
  const auto start = text.rfind('\n', at) + 1;
  text.erase(start, text.find('\n', at) + 1 - start);
}
void swap_operands(std::string& text) {
  static const std::regex operands(R"((= (?:add|mul|sub|icmp \w+) \w+ )(%[\w.]+), (%[\w.]+))");
  text = std::regex_replace(text, operands, "$1$3, $2", std::regex_constants::format_first_only);
}

/// A change of what one emitter prints.
using TextChange = void (*)(std::string&);
std::function<void(RealGate&)> in_python(TextChange change) {
  return [change](RealGate& g) { g.python.change = [change](Emission& e) { change(e.text); }; };
}
std::function<void(RealGate&)> in_cpp(TextChange change) {
  return [change](RealGate& g) { g.cpp.change = [change](Emission& e) { change(e.text); }; };
}
std::function<void(RealGate&)> in_both(TextChange change) {
  return [change](RealGate& g) { g.cpp.change = g.python.change = [change](Emission& e) { change(e.text); }; };
}
std::function<void(RealGate&)> in_shard(TextChange change) {
  return [change](RealGate& g) { g.edit_shard(change); };
}
/// The oldest flavor's shard in the place of the newest's; `renamed` also says that it is the newest's.
std::function<void(RealGate&)> aliased(bool renamed) {
  return [renamed](RealGate& g) {
    auto text = read_file(g.folder.path() / g.flavors.front().name / "saxpy.json");
    if (renamed) {
      replace(text, "\"" + g.flavors.front().name + "\"", "\"" + g.flavors.back().name + "\"");
      replace(text, "\"" + g.flavors.front().llvm + "\"", "\"" + g.flavors.back().llvm + "\"");
    }
    write_file(g.shard(), text);
  };
}
std::string tail_version(const std::string& llvm) { return llvm.substr(0, llvm.rfind('.') + 1) + "999"; }

struct Expected {
  std::optional<Verdict> verdict;
  std::optional<GoldenVerdict> golden;
  std::optional<Code> code; ///< of a problem of a case or flavor
};
struct Fault {
  const char* name;
  std::function<void(RealGate&)> plant;
  Expected expected;
};

const std::vector<Fault>& faults() {
  static const std::vector<Fault> all{
      // An emitter prints something else.
      {"a wrong attribute", in_cpp([](std::string& t) { replace(t, "nounwind", "nofree"); }), {Verdict::mismatch, {}, {}}},
      {"a wrong alignment", in_python([](std::string& t) { replace(t, "align 4", "align 8"); }), {Verdict::mismatch, {}, {}}},
      {"a swapped operand", in_cpp(swap_operands), {Verdict::mismatch, {}, {}}},
      {"a missing declare", in_python([](std::string& t) { drop_line(t, "declare "); }), {Verdict::mismatch, {}, {}}},
      {"a missing instruction", in_cpp([](std::string& t) { drop_line(t, "  store "); }), {Verdict::mismatch, {}, {}}},
      {"a missing newline at the end", in_python([](std::string& t) { t.pop_back(); }), {Verdict::mismatch, {}, {}}},
      {"the same wrong attribute from both", in_both([](std::string& t) { replace(t, "nounwind", "nofree"); }),
       {{}, GoldenVerdict::drift, {}}},
      // An emitter does not answer.
      {"an emitter that does not start", [](RealGate& g) { g.command({"/no/such/emitter"}); }, {Verdict::error, {}, Code::engine_failed}},
      {"an emitter that ends at once", [](RealGate& g) { g.command({"/bin/true"}); }, {Verdict::error, {}, Code::engine_failed}},
      {"an emitter that prints nothing", in_cpp([](std::string& t) { t.clear(); }), {Verdict::error, {}, Code::engine_failed}},
      {"two emitters that print nothing", in_both([](std::string& t) { t.clear(); }), {Verdict::error, {}, Code::engine_failed}},
      {"an emitter that answers nonsense", [](RealGate& g) { g.command({"/bin/sh", "-c", "printf '\\003\\000\\000\\000abc'; sleep 5"}); },
       {Verdict::error, {}, Code::engine_failed}},
      {"an emitter that refuses what the other prints",
       [](RealGate& g) { g.python.change = [](Emission& e) { e = {{}, Diagnostic{Code::type_mismatch, "f", "e", "a", {}}}; }; },
       {Verdict::asymmetric, {}, Code::type_mismatch}},
      // The list of cases.
      {"a lost case", [](RealGate& g) { g.cases.erase(g.cases.begin()); }, {{}, GoldenVerdict::gone, {}}},
      {"a lost family", [](RealGate& g) { std::erase_if(g.cases, [](const Case& c) { return c.family == "saxpy"; }); },
       {{}, GoldenVerdict::gone, {}}},
      {"a case that nobody recorded",
       [](RealGate& g) { g.edit_shard([](std::string& t) { drop_line(t, "\"gfx1250/saxpy_"); }); }, {{}, GoldenVerdict::new_case, {}}},
      // Goldens.
      {"an aliased shard", aliased(false), {{}, GoldenVerdict::unrecorded, Code::bad_shard}},
      {"an aliased shard with the flavor's own name", aliased(true), {{}, GoldenVerdict::drift, {}}},
      {"a truncated shard", in_shard([](std::string& t) { t.resize(t.size() / 2); }), {{}, GoldenVerdict::unrecorded, Code::bad_shard}},
      {"an empty shard", in_shard([](std::string& t) { t.clear(); }), {{}, GoldenVerdict::unrecorded, Code::bad_shard}},
      {"no shard", [](RealGate& g) { std::filesystem::remove(g.shard()); }, {{}, GoldenVerdict::unrecorded, {}}},
      {"a toolchain version of no such flavor", in_shard([](std::string& t) { replace(t, "\"llvm\":\"", "\"llvm\":\"9"); }),
       {{}, GoldenVerdict::unrecorded, Code::bad_shard}},
      {"a stale toolchain version, and other texts since",
       [](RealGate& g) {
         g.edit_shard([&](std::string& t) { replace(t, g.flavors.back().llvm, tail_version(g.flavors.back().llvm)); });
         g.cpp.change = g.python.change = [](Emission& e) { replace(e.text, "nounwind", "nofree"); };
       },
       {{}, GoldenVerdict::toolchain_differs, {}}},
      {"one digit of a recorded hash", in_shard([](std::string& t) { auto& c = t[t.find("\":\"", t.find("\"cases\"")) + 3]; c = c == 'a' ? 'b' : 'a'; }),
       {{}, GoldenVerdict::drift, {}}},
      {"another code of a refusal", in_shard([](std::string& t) { replace(t, "\"TIR2003\"", "\"TIR2004\""); }), {{}, GoldenVerdict::drift, {}}},
      // LLVM.
      {"a text that LLVM prints differently", [](RealGate& g) { g.judge.reprint_problem = Diagnostic{Code::verify_failed, "f", "e", "a", {}}; },
       {{}, {}, Code::verify_failed}},
      {"a kernel that spills", [](RealGate& g) { g.judge.compile_problem = Diagnostic{Code::spills, "f", "e", "a", {}}; }, {{}, {}, Code::spills}},
  };
  return all;
}

bool has_code(const GateReport& report, Code code) {
  for (const auto& f : report.flavors) {
    for (const auto& p : f.problems)
      if (p.code == code) return true;
    for (const auto& r : f.results)
      for (const auto& p : r.problems)
        if (p.code == code) return true;
  }
  return false;
}
template <class V> bool has(const GateReport& report, V verdict) {
  return std::ranges::any_of(report.flavors, [&](const FlavorReport& f) { return f.count(verdict) > 0; });
}

bool available() {
  for (const auto& f : find_flavors(find_places()))
    if (f.installed) return true;
  WARN("SKIP: no LLVM plugin");
  return false;
}

} // namespace

TEST_CASE("every planted fault turns the gate red, with its verdict", "[gate][mutation][real]") {
  if (!available()) return;
  for (const auto& fault : faults()) {
    CAPTURE(fault.name);
    RealGate g;
    if (g.flavors.size() < 2 && std::string_view(fault.name).starts_with("an aliased")) {
      WARN("SKIP: " << fault.name << ": one flavor only");
      continue;
    }
    fault.plant(g);
    const auto report = g.run();
    CHECK(report.exit_status() == 1);
    if (fault.expected.verdict) CHECK(has(report, *fault.expected.verdict));
    if (fault.expected.golden) CHECK(has(report, *fault.expected.golden));
    if (fault.expected.code) CHECK(has_code(report, *fault.expected.code));
  }
}

TEST_CASE("a stale toolchain version with the same texts passes, and is named", "[gate][real]") {
  if (!available()) return;
  RealGate g;
  const auto& llvm = g.flavors.back().llvm;
  g.edit_shard([&](std::string& t) { replace(t, llvm, tail_version(llvm)); });
  const auto report = g.run();
  CHECK(report.exit_status() == 0);
  CHECK(report.flavors.back().recorded_with == std::vector<std::string>{tail_version(llvm)});
}

TEST_CASE("equal hashes of two flavors in the goldens come from equal texts", "[gate][golden][real]") {
  if (!available()) return;
  const auto families = all_families();
  const auto places = find_places();
  const Golden golden(places.golden);
  CppEngine cpp;
  std::size_t compared = 0;
  for (const auto& c : make_cases(families)) {
    if (c.to_be_refused || c.id.find("_for_") != std::string::npos) continue;
    const auto built = build_case(c, families);
    std::map<std::string, std::string> texts; // by the recorded hash
    for (const auto& f : find_flavors(places)) {
      const auto loaded = golden.load(f.name, c.family);
      if (!f.installed || !loaded.shard || !loaded.shard->cases.contains(c.id)) continue;
      const auto e = cpp.emit(built.json, f);
      const auto& hash = loaded.shard->cases.at(c.id);
      CAPTURE(c.id, f.name);
      CHECK(sha256(e.text) == hash);
      CHECK(texts.try_emplace(hash, e.text).first->second == e.text);
      ++compared;
    }
  }
  CHECK(compared > 500);
}
