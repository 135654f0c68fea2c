// SPDX-License-Identifier: MIT
#include "parity/flavors.hpp"

#include "emit/files.hpp"
#include "emit/plugins.hpp"
#include "parity/shard.hpp"

#include <algorithm>
#include <map>
#include <ranges>

namespace twinir {
namespace {

/// The version a flavor file was recorded from; empty when it cannot be read (the emitter will say why).
std::string recorded_version(const std::filesystem::path& file) {
  try {
    const auto json = nlohmann::ordered_json::parse(read_file(file), nullptr, false);
    return json.is_object() && json.contains("llvm") && json["llvm"].is_string()
               ? json["llvm"].get<std::string>()
               : std::string();
  } catch (const UserError&) {
    return {};
  }
}

void add_files(std::map<std::string, FlavorInfo>& out, const std::filesystem::path& folder) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const auto name = entry.path().stem().string();
    if (entry.path().extension() != ".json" || name.starts_with('.')) continue;
    out[name].file = std::filesystem::absolute(entry.path());
    out[name].llvm = recorded_version(entry.path());
    out[name].recorded = true;
  }
}

void add_plugin(FlavorInfo& info, const std::string& name) {
  try {
    const auto& plugin = plugin_of(name).info();
    info.llvm = plugin.llvm;
    info.installed = true;
    info.usual = flavor_major(name) != 0 && plugin.llvm.find(' ') == std::string::npos && !plugin.remote;
    info.links = plugin.links;
    for (const auto& [target, known] : plugin.targets)
      if (known) info.compiles.insert(target);
  } catch (const UserError&) {
    info.installed = false; // twinir doctor says why
  }
}

[[noreturn]] void refuse(Code code, const std::string& found, const std::string& expected,
                         const std::string& action) {
  throw UserError({code, found, expected, action, {}});
}

} // namespace

std::vector<FlavorInfo> find_flavors(const Places& places) {
  std::map<std::string, FlavorInfo> map;
  add_files(map, places.flavors);
  for (const auto& name : Golden(places.golden).flavors()) map[name].recorded = true;
  for (const auto& name : installed_flavors()) add_plugin(map[name], name);
  std::vector<FlavorInfo> out;
  for (auto& [name, info] : map) {
    info.name = name;
    out.push_back(std::move(info));
  }
  std::ranges::stable_sort(out, {}, [](const FlavorInfo& f) { return flavor_major(f.name); });
  return out;
}

std::vector<FlavorInfo> choose_flavors(const std::vector<FlavorInfo>& found,
                                       const std::vector<std::string>& names) {
  if (names.empty()) return found;
  std::vector<FlavorInfo> out;
  for (const auto& name : names) {
    (void)plugin_of(name); // throws
    const auto it = std::ranges::find(found, name, &FlavorInfo::name);
    if (std::ranges::find(out, name, &FlavorInfo::name) == out.end()) out.push_back(*it);
  }
  return out;
}

const FlavorInfo& newest_flavor(const std::vector<FlavorInfo>& found, const std::string& target) {
  for (const bool usual : {true, false})
    for (const auto& f : std::views::reverse(found))
      if (f.usual == usual && f.installed && f.links && (target.empty() || f.compiles.contains(target)))
        return f;
  refuse(Code::toolchain_missing,
         "no installed LLVM that makes code objects" + (target.empty() ? "" : " for " + target),
         "one of llvm19 to llvm24 that does", "install llvm-22-dev and liblld-22-dev and build TwinIR again");
}

} // namespace twinir
