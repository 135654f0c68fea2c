// SPDX-License-Identifier: MIT
#include "emit/llvm_plugin.hpp"

#include "dsl/error.hpp"
#include "emit/arch_check.hpp"
#include "emit/environment.hpp"
#include "emit/files.hpp"
#include "emit/plugin_calls.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

namespace twinir {
namespace {
namespace fs = std::filesystem;

[[noreturn]] void refuse(std::string found, std::string expected, std::string action) {
  throw UserError({Code::toolchain_missing, std::move(found), std::move(expected), std::move(action), {}});
}

/// "22" of "twinir-llvm-22.so".
std::optional<std::string> build_of(const std::string& name) {
  constexpr std::string_view start = "twinir-llvm-", end = ".so";
  if (!name.starts_with(start) || !name.ends_with(end) || name.size() <= start.size() + end.size())
    return std::nullopt;
  return name.substr(start.size(), name.size() - start.size() - end.size());
}

/// 22 for "22", 0 for what is no number.
int major_of(std::string_view text) {
  int major = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), major);
  return error == std::errc{} && stop == text.data() + text.size() && major > 0 ? major : 0;
}

/// The lines of the file beside the plugin; none when there is no such file.
std::vector<std::string> read_loader(fs::path plugin) {
  const auto file = plugin.replace_extension(".loader");
  std::error_code error;
  if (!fs::exists(file, error)) return {};
  std::vector<std::string> out;
  const auto text = read_file(file);
  for (std::size_t at = 0, end = 0; at < text.size(); at = end + 1) {
    end = std::min(text.find('\n', at), text.size());
    if (end > at) out.push_back(text.substr(at, end - at));
  }
  if (out.empty())
    refuse("'" + file.string() + "' without a command",
           "the command that starts programs, one argument a line",
           "build the plugins again (scripts/flavors)");
  return out;
}

PluginFile file_of(const fs::path& path, const std::string& build) {
  const int major = major_of(build);
  return {major, path.string(), (major != 0 ? "llvm" : "") + build, read_loader(path)};
}

} // namespace

int flavor_major(std::string_view flavor) {
  return flavor.starts_with("llvm") ? major_of(flavor.substr(4)) : 0;
}

std::vector<PluginFile> LlvmPlugin::discover() {
  std::vector<PluginFile> found;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(plugin_folder(), missing))
    if (const auto build = build_of(entry.path().filename().string()))
      found.push_back(file_of(entry.path(), *build));
  std::ranges::sort(found, [](const PluginFile& a, const PluginFile& b) {
    return std::pair(a.major, a.flavor) < std::pair(b.major, b.flavor);
  });
  return found;
}

LlvmPlugin LlvmPlugin::open(const std::string& path) {
  const auto file = file_of(path, build_of(fs::path(path).filename().string()).value_or(""));
  return LlvmPlugin(file.loader.empty() ? open_native_plugin(path) : open_remote_plugin(file));
}

LlvmPlugin LlvmPlugin::open_here(const std::string& path) { return LlvmPlugin(open_native_plugin(path)); }

LlvmPlugin LlvmPlugin::of_flavor(std::string_view flavor) {
  std::string known;
  for (const auto& file : discover()) {
    if (file.flavor == flavor) return open(file.path);
    known += (known.empty() ? "" : ", ") + file.flavor;
  }
  refuse("flavor '" + std::string(flavor) + "'",
         "one of the plugins that were found: " + (known.empty() ? "none" : known),
         "install that LLVM and build again, or choose another flavor");
}

LlvmPlugin::LlvmPlugin(std::shared_ptr<const PluginCalls> calls) : calls_(std::move(calls)) {}

const PluginInfo& LlvmPlugin::info() const { return calls_->info(); }

std::string LlvmPlugin::emit(std::string_view kernel_json) const { return calls_->emit(kernel_json); }

std::string LlvmPlugin::reprint(std::string_view ir) const { return calls_->reprint(ir); }

Compiled LlvmPlugin::compile(std::string_view ir, const CompileOptions& options) const {
  auto out = calls_->compile(ir, options);
  if (options.output != Output::code_object) return out;
  if (auto wrong = find_wrong_arch(out.bytes, options.target)) throw UserError(std::move(*wrong));
  return out;
}

CodeObjectReport LlvmPlugin::inspect(std::string_view bytes) const { return calls_->inspect(bytes); }

std::string LlvmPlugin::record() const { return calls_->record(); }

void LlvmPlugin::literals(const std::function<void(std::string_view)>& sink) const { calls_->literals(sink); }

} // namespace twinir
