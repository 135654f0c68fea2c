// SPDX-License-Identifier: MIT
#include "dsl/op.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace twinir {
namespace {
constexpr std::array table{
#define TWINIR_OP(id, json, group, effect, rule, attributes, flags, feature, summary) \
  OpInfo{Op::id, json, group, Effect::effect, TypeRule::rule, attributes, flags, feature, summary},
#include "dsl/ops.def"
#undef TWINIR_OP
};
} // namespace

const OpInfo& info(Op op) { return table[static_cast<std::size_t>(op)]; }

std::span<const OpInfo> all_ops() { return table; }

std::optional<Op> parse_op(std::string_view name) {
  static const auto by_name = [] {
    std::map<std::string_view, Op> names;
    for (const auto& row : table) names.emplace(row.name, row.op);
    return names;
  }();
  const auto it = by_name.find(name);
  return it == by_name.end() ? std::nullopt : std::optional(it->second);
}

bool has_word(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const auto end = std::min(list.find(' '), list.size());
    if (list.substr(0, end) == word) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

} // namespace twinir
