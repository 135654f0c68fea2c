// SPDX-License-Identifier: MIT
// Diagnostics as the JSON objects that plugins, workers and the Python emitter speak.
#pragma once
#include "dsl/error.hpp"

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

namespace twinir {

/// The code of "TIR3001"; empty for a text that is none of codes.def.
[[nodiscard]] std::optional<Code> parse_code(std::string_view text);
/// {"code":"TIR3001","found":"...","expected":"...","action":"..."}
[[nodiscard]] nlohmann::ordered_json diagnostic_json(const Diagnostic& diagnostic);
/// The inverse; what is no such object gives Code::internal with the text.
[[nodiscard]] Diagnostic read_diagnostic(const nlohmann::ordered_json& json);

} // namespace twinir
