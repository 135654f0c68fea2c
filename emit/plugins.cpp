// SPDX-License-Identifier: MIT
#include "emit/plugins.hpp"

#include "dsl/error.hpp"
#include "emit/environment.hpp"

#include <filesystem>
#include <map>
#include <mutex>

namespace twinir {
namespace {

constexpr int oldest = 19, newest = 24;

void check_name(const std::string& flavor) {
  const int major = flavor_major(flavor);
  if (major >= oldest && major <= newest && flavor == "llvm" + std::to_string(major)) return;
  std::string named;
  for (const auto& name : installed_flavors()) {
    if (name == flavor) return;
    if (flavor_major(name) == 0) named += ", " + name;
  }
  throw UserError({Code::unknown_flavor,
                   "flavor '" + flavor.substr(0, 60) + "'",
                   "llvm19 to llvm24" + named,
                   "twinir doctor says which are here",
                   {}});
}

} // namespace

std::vector<std::string> installed_flavors() {
  std::vector<std::string> out;
  for (const auto& file : LlvmPlugin::discover()) out.push_back(file.flavor);
  return out;
}

std::vector<std::string> default_flavors() {
  auto out = installed_flavors();
  std::erase_if(out, [folder = find_places().flavors](const std::string& name) {
    std::error_code error;
    return flavor_major(name) == 0 && !std::filesystem::exists(folder / (name + ".json"), error);
  });
  return out;
}

const LlvmPlugin& plugin_of(const std::string& flavor) {
  static std::mutex mutex;
  static std::map<std::string, LlvmPlugin> opened;
  const std::lock_guard lock(mutex);
  auto it = opened.find(flavor);
  if (it != opened.end()) return it->second;
  check_name(flavor);
  return opened.emplace(flavor, LlvmPlugin::of_flavor(flavor)).first->second;
}

PluginFile newest_here() {
  PluginFile found;
  for (const auto& file : LlvmPlugin::discover())
    if (file.loader.empty()) found = file;
  if (found.path.empty())
    throw UserError({Code::toolchain_missing, "no plugin that loads into this process", "one at least", "build TwinIR with llvm-22-dev", {}});
  return found;
}

} // namespace twinir
