// SPDX-License-Identifier: MIT
#include "emit/plugin_reports.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace twinir {
namespace {
using Json = nlohmann::ordered_json;

constexpr std::pair<const char*, double StageTimes::*> stages[] = {
    {"parse", &StageTimes::parse}, {"optimise", &StageTimes::optimise}, {"codegen", &StageTimes::codegen},
    {"link", &StageTimes::link},   {"inspect", &StageTimes::inspect},   {"free", &StageTimes::free},
    {"total", &StageTimes::total}};

/// Left out where instructions were not counted.
bool counted(std::string_view key) {
  return key == "instructions" || key == "flat" || key == "scratch" || key == "matrix";
}

KernelReport parse_kernel(const Json& j) {
  KernelReport k;
  k.name = j.at("name").get<std::string>();
  const std::pair<const char*, std::uint64_t*> numbers[] = {
      {"vgprs", &k.vgprs},           {"agprs", &k.agprs},
      {"sgprs", &k.sgprs},           {"vgpr_spills", &k.vgpr_spills},
      {"sgpr_spills", &k.sgpr_spills}, {"scratch_bytes", &k.scratch_bytes},
      {"lds_bytes", &k.lds_bytes},   {"kernarg_bytes", &k.kernarg_bytes},
      {"wave", &k.wave},             {"max_items", &k.max_items},
      {"code_bytes", &k.code_bytes}, {"instructions", &k.instructions},
      {"flat", &k.flat},             {"scratch", &k.scratch},
      {"matrix", &k.matrix}};
  for (const auto& [key, value] : numbers)
    *value = counted(key) ? j.value(key, std::uint64_t{0}) : j.at(key).get<std::uint64_t>();
  for (const auto& a : j.at("args"))
    k.args.push_back({a.at("offset").get<std::uint64_t>(), a.at("size").get<std::uint64_t>(), a.at("kind").get<std::string>()});
  return k;
}

} // namespace

bool PluginInfo::knows(std::string_view target) const {
  return std::ranges::any_of(targets, [&](const auto& t) { return t.first == target && t.second; });
}

PluginInfo parse_plugin_info(std::string_view json) {
  const auto j = Json::parse(json);
  PluginInfo info{j.at("llvm").get<std::string>(), j.at("flavor").get<std::string>(), j.at("from").get<std::string>(),
                  j.at("links").get<bool>(), false, {}};
  for (const auto& [name, known] : j.at("targets").items()) info.targets.emplace_back(name, known.get<bool>());
  return info;
}

std::string plugin_info_json(const PluginInfo& info) {
  Json targets = Json::object();
  for (const auto& [name, known] : info.targets) targets[name] = known;
  return Json{{"llvm", info.llvm}, {"flavor", info.flavor}, {"from", info.from}, {"links", info.links}, {"targets", targets}}.dump();
}

CodeObjectReport parse_code_object_report(std::string_view json) {
  auto j = Json::parse(json);
  j.erase("ms"); // times differ from run to run
  j.erase("reprints");
  CodeObjectReport report;
  report.arch = j.at("arch").get<std::string>();
  report.abi = j.at("abi").get<unsigned>();
  report.e_flags = j.at("e_flags").get<std::uint32_t>();
  report.bytes = j.at("bytes").get<std::uint64_t>();
  for (const auto& kernel : j.at("kernels")) report.kernels.push_back(parse_kernel(kernel));
  report.json = j.dump();
  return report;
}

bool parse_reprints(std::string_view json) { return Json::parse(json).value("reprints", false); }

StageTimes parse_stage_times(std::string_view json) {
  const auto j = Json::parse(json).at("ms");
  StageTimes out;
  for (const auto& [name, stage] : stages) out.*stage = j.value(name, 0.0);
  return out;
}

Json stage_times_json(const StageTimes& ms) {
  Json out = Json::object();
  for (const auto& [name, stage] : stages) out[name] = ms.*stage;
  return out;
}

} // namespace twinir
