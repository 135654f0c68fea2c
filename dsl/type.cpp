// SPDX-License-Identifier: MIT
#include "dsl/type.hpp"

#include <charconv>

namespace twinir {

std::string to_string(Type type) {
  std::string text;
  if (type.is_vector()) text = "v" + std::to_string(type.lanes);
  return text.append(info(type.scalar).name);
}

namespace {
std::optional<Scalar> parse_scalar(std::string_view text) {
  for (std::size_t i = 1; i < scalar_table.size(); ++i)
    if (scalar_table[i].name == text) return static_cast<Scalar>(i);
  return std::nullopt;
}
} // namespace

std::optional<Type> parse_type(std::string_view text) {
  if (auto s = parse_scalar(text)) return Type{*s, 1};
  if (text.empty() || text.front() != 'v') return std::nullopt;
  unsigned lanes = 0;
  const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), lanes);
  if (error != std::errc{} || lanes < 2 || lanes > 32 || text[1] == '0') return std::nullopt;
  const auto s = parse_scalar(text.substr(static_cast<std::size_t>(end - text.data())));
  if (!s) return std::nullopt;
  return Type{*s, static_cast<std::uint16_t>(lanes)};
}

} // namespace twinir
