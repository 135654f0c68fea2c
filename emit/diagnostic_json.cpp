// SPDX-License-Identifier: MIT
#include "emit/diagnostic_json.hpp"

#include <algorithm>
#include <array>

namespace twinir {
namespace {
constexpr std::array codes{
#define TWINIR_CODE(number, name, text) Code::name,
#include "dsl/codes.def"
#undef TWINIR_CODE
};
} // namespace

std::optional<Code> parse_code(std::string_view text) {
  const auto it = std::ranges::find_if(codes, [&](Code code) { return to_string(code) == text; });
  return it == codes.end() ? std::nullopt : std::optional(*it);
}

nlohmann::ordered_json diagnostic_json(const Diagnostic& d) {
  return {{"code", to_string(d.code)}, {"found", d.found}, {"expected", d.expected}, {"action", d.action}};
}

Diagnostic read_diagnostic(const nlohmann::ordered_json& json) {
  const auto text = [&](const char* key) {
    return json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : std::string();
  };
  const auto code = json.is_object() ? parse_code(text("code")) : std::nullopt;
  if (code) return {*code, text("found"), text("expected"), text("action"), {}};
  const auto shown =
      json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace).substr(0, 500);
  return {Code::internal, "the reply " + shown, "an error object", "please report it", {}};
}

} // namespace twinir
