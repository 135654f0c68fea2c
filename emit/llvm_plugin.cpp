// SPDX-License-Identifier: MIT
#include "emit/llvm_plugin.hpp"

#include "dsl/error.hpp"
#include "emit/arch_check.hpp"
#include "emit/cpp/plugin.h"
#include "emit/environment.hpp"

#include <algorithm>
#include <charconv>
#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>

namespace twinir {

/// The C functions of one plugin.
struct LlvmPlugin::Functions {
  decltype(&twinir_emit) emit;
  decltype(&twinir_reprint) reprint;
  decltype(&twinir_compile) compile;
  decltype(&twinir_inspect) inspect;
  decltype(&twinir_record) record;
  decltype(&twinir_literals) literals;
  PluginInfo info;
};

namespace {
namespace fs = std::filesystem;

[[noreturn]] void refuse(Code code, std::string found, std::string expected, std::string action) {
  throw UserError({code, std::move(found), std::move(expected), std::move(action), {}});
}

/// Where the pieces of one call go; handed to the plugin as `user`.
struct Reply {
  std::string output, report, error;
  const std::function<void(std::string_view)>* stream = nullptr;

  static void on_output(void* user, const char* data, std::size_t size) { static_cast<Reply*>(user)->output.append(data, size); }
  static void on_report(void* user, const char* data, std::size_t size) { static_cast<Reply*>(user)->report.append(data, size); }
  static void on_error(void* user, const char* data, std::size_t size) { static_cast<Reply*>(user)->error.append(data, size); }
  static void on_stream(void* user, const char* data, std::size_t size) { (*static_cast<Reply*>(user)->stream)({data, size}); }
};

/// The number of "TIR4001"; internal when the text is something else.
Code parse_code(std::string_view text) {
  int number = 0;
  if (!text.starts_with("TIR") || std::from_chars(text.data() + 3, text.data() + text.size(), number).ec != std::errc{})
    return Code::internal;
  return static_cast<Code>(number);
}

void check(int status, const Reply& reply) {
  if (status == 0) return;
  const auto j = nlohmann::json::parse(reply.error, nullptr, false);
  if (!j.is_object()) throw InternalError("a plugin failed without an error object");
  const auto field = [&](const char* key) { return j.value(key, std::string()); };
  refuse(parse_code(field("code")), field("found"), field("expected"), field("action"));
}

template <class Function> Function symbol(void* library, const char* name, const std::string& path) {
  auto* address = dlsym(library, name);
  if (address == nullptr)
    refuse(Code::toolchain_missing, "'" + path + "' without " + name, "a plugin of this TwinIR", "build the plugins again");
  return reinterpret_cast<Function>(address);
}

std::optional<int> plugin_major(const std::string& name) {
  constexpr std::string_view start = "twinir-llvm-", end = ".so";
  if (!name.starts_with(start) || !name.ends_with(end) || name.size() <= start.size() + end.size()) return std::nullopt;
  const char* last = name.data() + name.size() - end.size();
  int major = 0;
  const auto [stop, error] = std::from_chars(name.data() + start.size(), last, major);
  return error == std::errc{} && stop == last ? std::optional(major) : std::nullopt;
}

} // namespace

std::vector<PluginFile> LlvmPlugin::discover() {
  std::vector<PluginFile> found;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(plugin_folder(), missing))
    if (const auto major = plugin_major(entry.path().filename().string())) found.push_back({*major, entry.path().string()});
  std::ranges::sort(found, {}, &PluginFile::major);
  return found;
}

LlvmPlugin LlvmPlugin::open(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    refuse(Code::toolchain_missing, fmt::format("'{}' that cannot be loaded: {}", path, dlerror()), "a plugin of this TwinIR",
           "install its LLVM, or build the plugins again");
  const auto abi = symbol<decltype(&twinir_plugin_abi)>(library, "twinir_plugin_abi", path)();
  if (abi != TWINIR_PLUGIN_ABI)
    refuse(Code::toolchain_missing, fmt::format("'{}' with interface {}", path, abi), fmt::format("interface {}", TWINIR_PLUGIN_ABI),
           "build the plugins and the program from one tree");
  Reply reply;
  check(symbol<decltype(&twinir_plugin_info)>(library, "twinir_plugin_info", path)(Reply::on_output, Reply::on_error, &reply), reply);
  return LlvmPlugin(std::make_shared<const Functions>(Functions{
      symbol<decltype(&twinir_emit)>(library, "twinir_emit", path), symbol<decltype(&twinir_reprint)>(library, "twinir_reprint", path),
      symbol<decltype(&twinir_compile)>(library, "twinir_compile", path), symbol<decltype(&twinir_inspect)>(library, "twinir_inspect", path),
      symbol<decltype(&twinir_record)>(library, "twinir_record", path), symbol<decltype(&twinir_literals)>(library, "twinir_literals", path),
      parse_plugin_info(reply.output)}));
}

LlvmPlugin LlvmPlugin::of_flavor(std::string_view flavor) {
  std::string known;
  for (const auto& file : discover()) {
    const auto name = fmt::format("llvm{}", file.major);
    if (name == flavor) return open(file.path);
    known += (known.empty() ? "" : ", ") + name;
  }
  refuse(Code::toolchain_missing, fmt::format("flavor '{}'", flavor), "one of the plugins that were found: " + (known.empty() ? "none" : known),
         "install that LLVM and build again, or choose another flavor");
}

LlvmPlugin::LlvmPlugin(std::shared_ptr<const Functions> functions) : functions_(std::move(functions)) {}

const PluginInfo& LlvmPlugin::info() const { return functions_->info; }

std::string LlvmPlugin::emit(std::string_view kernel_json) const {
  Reply reply;
  check(functions_->emit(kernel_json.data(), kernel_json.size(), Reply::on_output, Reply::on_error, &reply), reply);
  return std::move(reply.output);
}

std::string LlvmPlugin::reprint(std::string_view ir) const {
  Reply reply;
  check(functions_->reprint(ir.data(), ir.size(), Reply::on_output, Reply::on_error, &reply), reply);
  return std::move(reply.output);
}

Compiled LlvmPlugin::compile(std::string_view ir, const CompileOptions& options) const {
  Reply reply;
  const twinir_compile_options raw{options.target.c_str(), options.opt_level, static_cast<twinir_output>(options.output)};
  check(functions_->compile(ir.data(), ir.size(), &raw, Reply::on_output, Reply::on_report, Reply::on_error, &reply), reply);
  Compiled out{std::move(reply.output), {}, parse_stage_times(reply.report)};
  if (options.output != Output::code_object) return out;
  out.report = parse_code_object_report(reply.report);
  if (auto wrong = find_wrong_arch(out.bytes, options.target)) throw UserError(std::move(*wrong));
  return out;
}

CodeObjectReport LlvmPlugin::inspect(std::string_view bytes) const {
  Reply reply;
  check(functions_->inspect(bytes.data(), bytes.size(), Reply::on_output, Reply::on_error, &reply), reply);
  return parse_code_object_report(reply.output);
}

std::string LlvmPlugin::record() const {
  Reply reply;
  check(functions_->record(Reply::on_output, Reply::on_error, &reply), reply);
  return std::move(reply.output);
}

void LlvmPlugin::literals(const std::function<void(std::string_view)>& sink) const {
  Reply reply;
  reply.stream = &sink;
  check(functions_->literals(Reply::on_stream, Reply::on_error, &reply), reply);
}

} // namespace twinir
