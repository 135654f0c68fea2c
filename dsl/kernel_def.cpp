// SPDX-License-Identifier: MIT
#include "dsl/kernel_def.hpp"

#include "dsl/error.hpp"

#include <algorithm>

namespace twinir {

bool Stmt::has(std::string_view flag) const { return std::ranges::find(flags, flag) != flags.end(); }

namespace {
const Attribute& find(const Stmt& stmt, std::string_view key) {
  const auto it = std::ranges::find(stmt.attributes, key, &Attribute::key);
  if (it == stmt.attributes.end())
    throw InternalError("statement '" + std::string(info(stmt.op).name) + "' has no attribute " + std::string(key));
  return *it;
}
} // namespace

std::int64_t Stmt::value(std::string_view key) const { return find(*this, key).value; }
const std::string& Stmt::word(std::string_view key) const { return find(*this, key).word; }

std::string_view to_string(ParamKind kind) {
  constexpr std::string_view names[] = {"value", "in", "out", "inout"};
  return names[static_cast<std::size_t>(kind)];
}

} // namespace twinir
