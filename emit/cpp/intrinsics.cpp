// SPDX-License-Identifier: MIT
#include "emit/cpp/intrinsics.hpp"

#include "emit/cpp/compat.hpp"

#include <array>
#include <charconv>
#include <optional>

namespace twinir {
namespace {

constexpr std::size_t op_count = [] {
  std::size_t n = 0;
#define TWINIR_OP(...) ++n;
#include "dsl/ops.def"
#undef TWINIR_OP
  return n;
}();

std::int64_t number(std::string_view text) {
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

IntrinsicWord parse_word(std::string_view text, bool overload) {
  using Kind = IntrinsicWord::Kind;
  if (text[0] == '#') return {Kind::integer, number(text.substr(1)), {}};
  if (text[0] >= '0' && text[0] <= '9') return {Kind::operand, number(text), {}};
  if (overload && text == "r") return {Kind::result, 0, {}};
  return {overload ? Kind::type : Kind::attribute, 0, text};
}

std::vector<IntrinsicWord> parse_words(std::string_view list, bool overload) {
  std::vector<IntrinsicWord> words;
  while (!list.empty()) {
    const auto end = std::min(list.find(' '), list.size());
    words.push_back(parse_word(list.substr(0, end), overload));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return words;
}

IntrinsicInfo make_info(std::string_view name, std::string_view overloads, std::string_view operands) {
  return {name, compat::lookup_intrinsic(llvm::StringRef(name)), parse_words(overloads, true), parse_words(operands, false)};
}

using Table = std::array<std::optional<IntrinsicInfo>, op_count>;

const Table& table() {
  static const Table rows = [] {
    Table t;
#define TWINIR_INTRINSIC(id, name, overloads, operands) \
  t[static_cast<std::size_t>(Op::id)] = make_info(name, overloads, operands);
#include "emit/cpp/intrinsics.def"
#undef TWINIR_INTRINSIC
    return t;
  }();
  return rows;
}

} // namespace

const IntrinsicInfo* find_intrinsic(Op op) {
  const auto& row = table()[static_cast<std::size_t>(op)];
  return row ? &*row : nullptr;
}

bool has_operation(Op op) {
  const auto* row = find_intrinsic(op);
  return row == nullptr || row->id != llvm::Intrinsic::not_intrinsic;
}

} // namespace twinir
