// SPDX-License-Identifier: MIT
#include "dsl/error.hpp"

namespace twinir {

std::string to_string(Code code) { return "TIR" + std::to_string(static_cast<int>(code)); }

std::string_view summary(Code code) {
  switch (code) {
#define TWINIR_CODE(number, name, text) \
  case Code::name: return text;
#include "dsl/codes.def"
#undef TWINIR_CODE
  }
  return "unknown code";
}

std::string Diagnostic::text() const {
  std::string out = to_string(code) + ": found " + found + "; expected " + expected + "; to do: " + action;
  if (!where.empty()) out += "\n  at " + where;
  return out;
}

UserError::UserError(Diagnostic diagnostic)
    : std::runtime_error(diagnostic.text()), diagnostic_(std::move(diagnostic)) {}

InternalError::InternalError(const std::string& what, std::source_location where)
    : std::logic_error("internal error: " + what + " (" + place(where) + ")") {}

std::string place(const std::source_location& where) {
  std::string_view file = where.file_name();
  if (const auto slash = file.rfind('/'); slash != std::string_view::npos) file.remove_prefix(slash + 1);
  return std::string(file) + ":" + std::to_string(where.line());
}

} // namespace twinir
