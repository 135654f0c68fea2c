// SPDX-License-Identifier: MIT
// A plugin in this process: its C functions (emit/cpp/plugin.h) behind PluginCalls.
#include "dsl/error.hpp"
#include "emit/cpp/plugin.h"
#include "emit/plugin_calls.hpp"

#include <charconv>
#include <dlfcn.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace twinir {
namespace {

[[noreturn]] void refuse(Code code, std::string found, std::string expected, std::string action) {
  throw UserError({code, std::move(found), std::move(expected), std::move(action), {}});
}

/// Where the pieces of one call go; handed to the plugin as `user`.
struct Reply {
  std::string output, report, error;
  const std::function<void(std::string_view)>* stream = nullptr;

  static void on_output(void* user, const char* data, std::size_t size) {
    static_cast<Reply*>(user)->output.append(data, size);
  }
  static void on_report(void* user, const char* data, std::size_t size) {
    static_cast<Reply*>(user)->report.append(data, size);
  }
  static void on_error(void* user, const char* data, std::size_t size) {
    static_cast<Reply*>(user)->error.append(data, size);
  }
  static void on_stream(void* user, const char* data, std::size_t size) {
    (*static_cast<Reply*>(user)->stream)({data, size});
  }
};

/// The number of "TIR4001"; internal when the text is something else.
Code parse_code(std::string_view text) {
  int number = 0;
  if (!text.starts_with("TIR") ||
      std::from_chars(text.data() + 3, text.data() + text.size(), number).ec != std::errc{})
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
    refuse(Code::toolchain_missing, "'" + path + "' without " + name, "a plugin of this TwinIR",
           "build the plugins again");
  return reinterpret_cast<Function>(address);
}

/// The C functions of one plugin.
struct Functions {
  decltype(&twinir_emit) emit;
  decltype(&twinir_reprint) reprint;
  decltype(&twinir_compile) compile;
  decltype(&twinir_inspect) inspect;
  decltype(&twinir_record) record;
  decltype(&twinir_literals) literals;
};

class NativePlugin final : public PluginCalls {
public:
  NativePlugin(Functions functions, PluginInfo info) : functions_(functions), info_(std::move(info)) {}
  [[nodiscard]] const PluginInfo& info() const override { return info_; }

  [[nodiscard]] std::string emit(std::string_view kernel_json) const override {
    Reply reply;
    check(functions_.emit(kernel_json.data(), kernel_json.size(), Reply::on_output, Reply::on_error, &reply),
          reply);
    return std::move(reply.output);
  }

  [[nodiscard]] std::string reprint(std::string_view ir) const override {
    Reply reply;
    check(functions_.reprint(ir.data(), ir.size(), Reply::on_output, Reply::on_error, &reply), reply);
    return std::move(reply.output);
  }

  [[nodiscard]] Compiled compile(std::string_view ir, const CompileOptions& options) const override {
    Reply reply;
    const twinir_compile_options raw{options.target.c_str(), options.opt_level,
                                     static_cast<twinir_output>(options.output), options.reprint ? 1u : 0u,
                                     options.counts ? 1u : 0u};
    check(functions_.compile(ir.data(), ir.size(), &raw, Reply::on_output, Reply::on_report, Reply::on_error,
                             &reply),
          reply);
    Compiled out{std::move(reply.output), {}, parse_stage_times(reply.report), parse_reprints(reply.report)};
    if (options.output == Output::code_object) out.report = parse_code_object_report(reply.report);
    return out;
  }

  [[nodiscard]] CodeObjectReport inspect(std::string_view bytes) const override {
    Reply reply;
    check(functions_.inspect(bytes.data(), bytes.size(), Reply::on_output, Reply::on_error, &reply), reply);
    return parse_code_object_report(reply.output);
  }

  [[nodiscard]] std::string record() const override {
    Reply reply;
    check(functions_.record(Reply::on_output, Reply::on_error, &reply), reply);
    return std::move(reply.output);
  }

  void literals(const std::function<void(std::string_view)>& sink) const override {
    Reply reply;
    reply.stream = &sink;
    check(functions_.literals(Reply::on_stream, Reply::on_error, &reply), reply);
  }

private:
  Functions functions_;
  PluginInfo info_;
};

} // namespace

std::shared_ptr<const PluginCalls> open_native_plugin(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    refuse(Code::toolchain_missing, fmt::format("'{}' that cannot be loaded: {}", path, dlerror()),
           "a plugin of this TwinIR", "install its LLVM, or build the plugins again");
  const auto abi = symbol<decltype(&twinir_plugin_abi)>(library, "twinir_plugin_abi", path)();
  if (abi != TWINIR_PLUGIN_ABI)
    refuse(Code::toolchain_missing, fmt::format("'{}' with interface {}", path, abi),
           fmt::format("interface {}", TWINIR_PLUGIN_ABI), "build the plugins and the program from one tree");
  Reply reply;
  check(symbol<decltype(&twinir_plugin_info)>(library, "twinir_plugin_info", path)(Reply::on_output,
                                                                                   Reply::on_error, &reply),
        reply);
  const Functions functions{symbol<decltype(&twinir_emit)>(library, "twinir_emit", path),
                            symbol<decltype(&twinir_reprint)>(library, "twinir_reprint", path),
                            symbol<decltype(&twinir_compile)>(library, "twinir_compile", path),
                            symbol<decltype(&twinir_inspect)>(library, "twinir_inspect", path),
                            symbol<decltype(&twinir_record)>(library, "twinir_record", path),
                            symbol<decltype(&twinir_literals)>(library, "twinir_literals", path)};
  return std::make_shared<NativePlugin>(functions, parse_plugin_info(reply.output));
}

} // namespace twinir
