// SPDX-License-Identifier: MIT
// Comments that newer LLVMs print before immediate operands: "/* (nan) */ i32 3" for classify.
#include "dsl/error.hpp"
#include "emit/cpp/emit.hpp"
#include "emit/cpp/intrinsics.hpp"
#include "emit/cpp/record.hpp"

#include <algorithm>
#include <bit>

namespace twinir {
namespace {
using Json = nlohmann::ordered_json;

constexpr unsigned class_masks = 1024;

/// The line of the call that the statement becomes, with every attribute set to `value`.
std::string call_line(Stmt s, std::int64_t value) {
  KernelDef kernel;
  kernel.name = "k", kernel.target = "gfx1250";
  for (std::size_t i = 0; i < s.args.size(); ++i) {
    s.args[i].name = "a" + std::to_string(i);
    kernel.params.push_back({s.args[i].name, s.args[i].type, ParamKind::value, 0, 0});
  }
  for (const auto& word : find_intrinsic(s.op)->operands)
    if (word.kind == IntrinsicWord::Kind::attribute) s.attributes.push_back({std::string(word.text), value, {}});
  if (!s.type.is_void()) s.name = "r";
  kernel.body.push_back(std::move(s));
  const auto text = emit_text(kernel);
  const auto end = text.find("\n  ret void\n");
  const auto start = text.rfind('\n', end - 1) + 1;
  return text.substr(start, end - start);
}

std::string comment_in(const std::string& line) {
  const auto start = line.find("/*");
  return start == std::string::npos ? "" : line.substr(start, line.find("*/") + 3 - start);
}

using Word = std::pair<unsigned, std::string>;

/// Which of two words comes first in the comments: the wider of two that overlap, else the one that is printed first.
bool precedes(const Word& a, const Word& b, const std::vector<std::string>& comments) {
  if ((a.first & b.first) != 0) return std::popcount(a.first) > std::popcount(b.first);
  return comments[a.first | b.first].starts_with(a.second + " ");
}

/// The words that stand for classes, in the order in which a mask is taken apart.
std::vector<Word> find_words(const std::vector<std::string>& comments) {
  std::vector<Word> left, ordered;
  for (unsigned mask = 1; mask < comments.size(); ++mask)
    if (comments[mask].find(' ') == std::string::npos) left.emplace_back(mask, comments[mask]);
  while (!left.empty()) {
    const auto first = std::ranges::find_if(left, [&](const Word& w) {
      return std::ranges::none_of(left, [&](const Word& other) { return precedes(other, w, comments); });
    });
    if (first == left.end()) throw InternalError("comments of classify without an order");
    ordered.push_back(*first);
    left.erase(first);
  }
  return ordered;
}

std::string joined(unsigned mask, const std::vector<Word>& words, const std::string& none) {
  if (mask == 0) return none;
  std::string text;
  for (const auto& [bits, word] : words)
    if ((mask & bits) == bits) text += (text.empty() ? "" : " ") + word, mask &= ~bits;
  return text;
}

Json class_comments(const Stmt& s, const std::string& open, const std::string& close) {
  std::vector<std::string> comments;
  for (unsigned mask = 0; mask < class_masks; ++mask) {
    const auto text = comment_in(call_line(s, mask));
    if (!text.starts_with(open) || !text.ends_with(close)) throw InternalError("an unknown comment: " + text);
    comments.push_back(text.substr(open.size(), text.size() - open.size() - close.size()));
  }
  const auto words = find_words(comments);
  for (unsigned mask = 0; mask < class_masks; ++mask)
    if (joined(mask, words, comments[0]) != comments[mask]) throw InternalError("a comment that does not fit: " + comments[mask]);
  return {{"open", open}, {"close", close}, {"none", comments[0]}, {"words", words}};
}

} // namespace

nlohmann::ordered_json record_comments(const Stmt& s) {
  const auto comment = comment_in(call_line(s, 0));
  if (comment.empty()) return nullptr;
  if (s.op != Op::classify) throw InternalError("a comment in a call of '" + std::string(info(s.op).name) + "'");
  return class_comments(s, "/* (", ") */ ");
}

} // namespace twinir
