// SPDX-License-Identifier: MIT
// The C functions of the plugin (plugin.h): joins and splits bytes, turns exceptions into error objects.
#include "emit/cpp/plugin.h"

#include "dsl/error.hpp"
#include "dsl/json.hpp"
#include "dsl/target.hpp"
#include "emit/cpp/build.hpp"
#include "emit/cpp/compile.hpp"
#include "emit/cpp/emit.hpp"
#include "emit/cpp/inspect.hpp"
#include "emit/cpp/link.hpp"
#include "emit/cpp/literals.hpp"
#include "emit/cpp/llvm_target.hpp"
#include "emit/cpp/parse.hpp"
#include "emit/cpp/record.hpp"

#include <nlohmann/json.hpp>

#define TWINIR_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

using twinir::Code;
using Json = nlohmann::ordered_json;

void send(twinir_sink sink, void* user, std::string_view bytes) {
  if (sink != nullptr) sink(user, bytes.data(), bytes.size());
}

std::string dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string error_object(const twinir::Diagnostic& d) {
  return dump({{"code", twinir::to_string(d.code)}, {"found", d.found}, {"expected", d.expected}, {"action", d.action}});
}

/// Runs `work`; whatever it throws becomes an error object and 1.
template <class Work> int guarded(twinir_sink error, void* user, Work&& work) noexcept {
  try {
    work();
    return 0;
  } catch (const twinir::UserError& e) {
    send(error, user, error_object(e.diagnostic()));
  } catch (const std::exception& e) {
    send(error, user, error_object({Code::internal, e.what(), "no such error", "please report it with the kernel JSON", {}}));
  }
  return 1;
}

std::string_view view(const void* data, size_t size) {
  return size == 0 ? std::string_view() : std::string_view(static_cast<const char*>(data), size);
}

Json plugin_info() {
  Json targets = Json::object();
  for (const auto& target : twinir::all_targets()) targets[std::string(target.name)] = twinir::knows_target(target.name);
  return {{"llvm", twinir::build.llvm}, {"flavor", twinir::flavor_name()}, {"from", twinir::build.from},
          {"links", twinir::can_link()}, {"targets", targets}};
}

} // namespace

TWINIR_EXPORT uint32_t twinir_plugin_abi(void) { return TWINIR_PLUGIN_ABI; }

TWINIR_EXPORT const char* twinir_plugin_llvm(void) { return twinir::build.llvm; }

TWINIR_EXPORT int twinir_plugin_info(twinir_sink info, twinir_sink error, void* user) {
  return guarded(error, user, [&] { send(info, user, dump(plugin_info())); });
}

TWINIR_EXPORT int twinir_emit(const char* kernel, size_t size, twinir_sink text, twinir_sink error, void* user) {
  return guarded(error, user, [&] { send(text, user, twinir::emit_text(twinir::read_json(view(kernel, size)))); });
}

TWINIR_EXPORT int twinir_reprint(const char* ir, size_t size, twinir_sink text, twinir_sink error, void* user) {
  return guarded(error, user, [&] { send(text, user, twinir::reprint_text(view(ir, size))); });
}

TWINIR_EXPORT int twinir_compile(const char* ir, size_t size, const twinir_compile_options* options,
                                 twinir_sink output, twinir_sink report, twinir_sink error, void* user) {
  return guarded(error, user, [&] {
    const auto result = twinir::compile_text(view(ir, size), *options);
    send(output, user, result.bytes);
    send(report, user, dump(result.report));
  });
}

TWINIR_EXPORT int twinir_inspect(const void* data, size_t size, twinir_sink report, twinir_sink error, void* user) {
  return guarded(error, user, [&] { send(report, user, dump(twinir::inspect_object(view(data, size)))); });
}

TWINIR_EXPORT int twinir_record(twinir_sink flavor, twinir_sink error, void* user) {
  return guarded(error, user, [&] { send(flavor, user, twinir::record_flavor()); });
}

TWINIR_EXPORT int twinir_literals(twinir_sink lines, twinir_sink error, void* user) {
  return guarded(error, user, [&] { twinir::print_literals([&](std::string_view part) { send(lines, user, part); }); });
}
