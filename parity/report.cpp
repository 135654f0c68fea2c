// SPDX-License-Identifier: MIT
#include "parity/report.hpp"

#include "emit/diagnostic_json.hpp"
#include "parity/frozen.hpp"
#include "parity/html.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace twinir {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array verdicts{Verdict::identical,  Verdict::mismatch, Verdict::both_refused,
                              Verdict::asymmetric, Verdict::error,    Verdict::not_run};
constexpr std::array resource_verdicts{ResourceVerdict::same, ResourceVerdict::changed,
                                       ResourceVerdict::toolchain_differs, ResourceVerdict::unrecorded};
constexpr std::array golden_verdicts{GoldenVerdict::match,       GoldenVerdict::drift,
                                     GoldenVerdict::new_case,    GoldenVerdict::gone,
                                     GoldenVerdict::unrecorded,  GoldenVerdict::toolchain_differs,
                                     GoldenVerdict::not_checked, GoldenVerdict::not_asked};

Json difference_json(const Difference& d) {
  return {{"line", d.line},
          {"before", d.before},
          {"cpp", d.left},
          {"python", d.right},
          {"statement", d.statement}};
}

Json result_json(const CaseResult& r) {
  Json out = {{"id", r.id},
              {"family", r.family},
              {"good", r.good()},
              {"verdict", to_string(r.verdict)},
              {"golden", to_string(r.golden)}};
  if (!r.sha256.empty()) out["sha256"] = r.sha256;
  if (!r.code.empty()) out["code"] = r.code;
  if (!r.recorded.empty()) out["recorded"] = r.recorded;
  out["reprint"] = to_string(r.reprint);
  out["codegen"] = to_string(r.codegen);
  if (!r.compiled.is_null()) out["compiled"] = r.compiled;
  out["resources"] = to_string(r.resources);
  if (!r.resource_changes.empty()) out["resource_changes"] = r.resource_changes;
  if (r.difference) out["difference"] = difference_json(*r.difference);
  for (const auto& p : r.problems) out["problems"].push_back(diagnostic_json(p));
  return out;
}

template <class List> Json counts_json(const FlavorReport& f, const List& list) {
  Json out = Json::object();
  for (const auto v : list) out[std::string(to_string(v))] = f.count(v);
  return out;
}

Json differential_json(const Differential& d) {
  return {{"compared", d.compared}, {"identical", d.identical}, {"refused", d.refused}};
}

std::string counts_text(const Differential& d) {
  return fmt::format("{} compared, {} identical, {} refused alike", d.compared, d.identical, d.refused);
}

Json flavor_json(const FlavorReport& f) {
  Json out = {{"flavor", f.flavor.name},
              {"llvm", f.flavor.llvm},
              {"installed", f.flavor.installed},
              {"emitters", f.flavor.installed ? Json{"C++", "Python"} : Json{"Python"}},
              {"reader", f.flavor.reader},
              {"good", f.good()}};
  out["recorded_with"] = f.recorded_with;
  out["differential"] = differential_json(f.differential());
  out["verdicts"] = counts_json(f, verdicts);
  out["golden"] = counts_json(f, golden_verdicts);
  out["resources"] = counts_json(f, resource_verdicts);
  out["problems"] = Json::array();
  for (const auto& p : f.problems) out["problems"].push_back(diagnostic_json(p));
  out["results"] = Json::array();
  for (const auto& r : f.results) out["results"].push_back(result_json(r));
  return out;
}

std::string junit_case(const FlavorReport& f, const CaseResult& r) {
  auto out =
      fmt::format("  <testcase classname=\"{}.{}\" name=\"{}\"", f.flavor.name, escaped(r.family), escaped(r.id));
  if (r.good()) return out + "/>\n";
  return out + fmt::format(">\n   <failure message=\"{} {}\">{}</failure>\n  </testcase>\n",
                           to_string(r.verdict), to_string(r.golden), escaped(describe(r)));
}

std::string junit_differential(const FlavorReport& f) {
  const bool good = !f.flavor.installed || f.differential().compared != 0;
  const auto text = escaped(differential_text(f));
  return fmt::format(
      "  <testcase classname=\"{}\" name=\"differential\">{}<system-out>{}</system-out></testcase>\n",
      f.flavor.name, good ? "" : "<failure>no two emitters were compared</failure>", text);
}

std::string junit_suite(const FlavorReport& f) {
  const auto failed = static_cast<std::size_t>(
                          std::ranges::count_if(f.results, [](const CaseResult& r) { return !r.good(); })) +
                      f.problems.size() + (f.flavor.installed && f.differential().compared == 0 ? 1 : 0);
  auto out = fmt::format(" <testsuite name=\"{} ({})\" tests=\"{}\" failures=\"{}\">\n", f.flavor.name,
                         escaped(f.flavor.llvm), f.results.size() + f.problems.size() + 1, failed);
  out += junit_differential(f);
  for (const auto& p : f.problems)
    out += fmt::format("  <testcase classname=\"{}\" name=\"shards\"><failure>{}</failure></testcase>\n",
                       f.flavor.name, escaped(p.text()));
  for (const auto& r : f.results) out += junit_case(f, r);
  return out + " </testsuite>\n";
}

/// Sums over all flavors: "78 IDENTICAL, 6 BOTH_REFUSED".
template <class List> std::string counts_text(const GateReport& report, const List& list) {
  std::string out;
  for (const auto v : list) {
    std::size_t n = 0;
    for (const auto& f : report.flavors) n += f.count(v);
    if (n != 0) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", n, to_string(v));
  }
  return out.empty() ? "none" : out;
}

/// "9.5 s", and where code was generated, how that compares with what LLVM's own stages took on the same
/// threads.
std::string time_text(const GateReport& report) {
  const auto llvm = report.llvm_seconds();
  const auto time = fmt::format("{:.1f} s", report.seconds);
  return llvm == 0
             ? time
             : fmt::format("{}, {:.2f} times LLVM's own stages", time, report.seconds * report.jobs / llvm);
}

std::string check_text(const GateReport& report, Check CaseResult::*check) {
  std::size_t good = 0, bad = 0;
  for (const auto& f : report.flavors)
    for (const auto& r : f.results) good += r.*check == Check::passed, bad += r.*check == Check::failed;
  if (good + bad == 0) return "not run";
  return fmt::format("{} passed", good) + (bad == 0 ? "" : fmt::format(", {} failed", bad));
}

} // namespace

Json gate_json(const GateReport& report) {
  Json out = {{"schema", "twinir-gate-1"}, {"green", report.good()}, {"cases", report.cases},
              {"seconds", report.seconds}, {"jobs", report.jobs},    {"llvm_seconds", report.llvm_seconds()}};
  out["summary"] = gate_summary(report);
  out["differential"] = differential_json(report.differential());
  out["flavors"] = Json::array();
  for (const auto& f : report.flavors) out["flavors"].push_back(flavor_json(f));
  return out;
}

std::string gate_junit(const GateReport& report) {
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"twinir gate\">\n";
  for (const auto& f : report.flavors) out += junit_suite(f);
  return out + "</testsuites>\n";
}

std::string gate_summary(const GateReport& report) {
  std::string flavors;
  std::size_t problems = 0;
  for (const auto& f : report.flavors) {
    flavors += fmt::format("{}{}{}", flavors.empty() ? "" : ", ", f.flavor.name,
                           f.flavor.installed ? "" : f.checked() ? " (Python alone, read)" : " (Python alone)");
    problems += f.problems.size();
  }
  return fmt::format("{}: {} cases on {}; differential {}; emitters {}; golden {}; re-print {}; codegen {}; "
                     "resources {}{}; {}",
                     report.good() ? "GREEN" : "RED", report.cases, flavors,
                     counts_text(report.differential()), counts_text(report, verdicts),
                     counts_text(report, golden_verdicts), check_text(report, &CaseResult::reprint),
                     check_text(report, &CaseResult::codegen), counts_text(report, resource_verdicts),
                     problems == 0 ? "" : fmt::format("; {} broken shards", problems), time_text(report));
}

std::string differential_text(const FlavorReport& f) {
  const auto d = f.differential();
  const auto head = "differential " + f.flavor.name + ": " + counts_text(d);
  if (d.compared != 0) return head;
  if (f.flavor.installed) return head + ": RED, no two emitters were compared";
  return head + ": the Python emitter alone, " +
         (f.flavor.reader.empty() ? "and no reader of its texts (SKIP)" : "its texts read by " + f.flavor.reader);
}

std::string describe(const CaseResult& r) {
  std::string out;
  if (r.difference) out += render(*r.difference, "C++", "Python");
  for (const auto& p : r.problems) out += p.text() + "\n";
  if (r.golden == GoldenVerdict::new_case || r.golden == GoldenVerdict::unrecorded)
    out += std::string("not recorded (twinir golden record") +
           (r.family == frozen_family ? " --kernel FILE)\n" : ")\n");
  if (r.resources == ResourceVerdict::unrecorded) out += "resources not recorded (twinir golden record)\n";
  if (!r.resource_changes.empty()) {
    out += std::string(to_string(r.resources)) + ":";
    for (const auto& change : r.resource_changes) out += " " + change;
    out += "\n";
  }
  if (r.golden == GoldenVerdict::gone) out += "recorded, but no case any more\n";
  if (r.golden == GoldenVerdict::drift || r.golden == GoldenVerdict::toolchain_differs)
    out += "recorded " + r.recorded + ", now " + (r.code.empty() ? r.sha256 : r.code) + "\n";
  return out;
}

std::string engines_of(const FlavorReport& f) {
  if (f.flavor.installed) return "both emitters";
  return "Python emitter alone, " + (f.flavor.reader.empty() ? "not read" : "read by " + f.flavor.reader);
}

} // namespace twinir
