// SPDX-License-Identifier: MIT
#include "emit/plugins.hpp"

#include "dsl/error.hpp"

#include <map>
#include <mutex>

namespace twinir {
namespace {

constexpr int oldest = 19, newest = 24;

void check_name(const std::string& flavor) {
  for (int major = oldest; major <= newest; ++major)
    if (flavor == "llvm" + std::to_string(major)) return;
  throw UserError({Code::unknown_flavor,
                   "flavor '" + flavor.substr(0, 60) + "'",
                   "llvm19 to llvm24",
                   "twinir doctor says which are here",
                   {}});
}

} // namespace

std::vector<std::string> installed_flavors() {
  std::vector<std::string> out;
  for (const auto& file : LlvmPlugin::discover()) out.push_back("llvm" + std::to_string(file.major));
  return out;
}

const LlvmPlugin& plugin_of(const std::string& flavor) {
  static std::mutex mutex;
  static std::map<std::string, LlvmPlugin> opened;
  check_name(flavor);
  const std::lock_guard lock(mutex);
  auto it = opened.find(flavor);
  if (it == opened.end()) it = opened.emplace(flavor, LlvmPlugin::of_flavor(flavor)).first;
  return it->second;
}

} // namespace twinir
