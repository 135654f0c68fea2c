// SPDX-License-Identifier: MIT
#include "parity/difference.hpp"

#include "dsl/pretty.hpp"

#include <algorithm>
#include <set>

namespace twinir {
namespace {

constexpr std::size_t context = 3;
using Lines = std::vector<std::string_view>;

std::size_t first_difference(const Lines& a, const Lines& b) {
  const auto n = std::min(a.size(), b.size());
  return static_cast<std::size_t>(
      std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(n), b.begin()).first - a.begin());
}

std::vector<std::string> slice(const Lines& lines, std::size_t from, std::size_t to) {
  std::vector<std::string> out;
  for (auto i = from; i < std::min(to, lines.size()); ++i) out.emplace_back(lines[i]);
  return out;
}

bool is_name_character(char c) {
  return c == '_' || c == '.' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// A name of the IR as the kernel spells it: what an emitter derived ends at the '.'.
std::string kernel_name_of(std::string_view ir_name) {
  return std::string(ir_name.substr(0, ir_name.find('.')));
}

/// The names after '%' in a line, in order.
std::vector<std::string> names_in(std::string_view line) {
  std::vector<std::string> out;
  for (std::size_t i = line.find('%'); i != std::string_view::npos; i = line.find('%', i)) {
    const auto start = ++i;
    while (i < line.size() && is_name_character(line[i])) ++i;
    if (i > start) out.push_back(kernel_name_of(line.substr(start, i - start)));
  }
  return out;
}

/// The name a line defines: "%v3 = ..." or the label "if1.then:"; empty for neither.
std::string defined_name(std::string_view line) {
  if (line.starts_with("  %") && line.find(" = ") != std::string_view::npos) return names_in(line).front();
  std::size_t i = 0;
  while (i < line.size() && is_name_character(line[i])) ++i;
  return i > 0 && i < line.size() && line[i] == ':' ? kernel_name_of(line.substr(0, i)) : std::string();
}

bool defines(const Stmt& stmt, const std::string& name) {
  const auto is = [&](const auto& part) { return part.name == name; };
  return stmt.name == name || std::ranges::any_of(stmt.carry, is) || std::ranges::any_of(stmt.results, is);
}

/// Are the operands of a statement without a result exactly these names?
bool uses(const Stmt& stmt, const std::set<std::string>& names) {
  std::set<std::string> own;
  for (const auto& a : stmt.args)
    if (!a.name.empty() && !a.name.starts_with('@')) own.insert(a.name);
  return stmt.name.empty() && own == names;
}

template <class Match> const Stmt* search(const std::vector<Stmt>& body, const Match& match) {
  for (const auto& stmt : body) {
    if (match(stmt)) return &stmt;
    if (const auto* inner = search(stmt.body, match)) return inner;
    if (const auto* inner = search(stmt.otherwise, match)) return inner;
  }
  return nullptr;
}

void append_numbered(std::string& out, const std::string& side, std::size_t number,
                     const std::vector<std::string>& lines) {
  for (const auto& line : lines) {
    auto digits = std::to_string(number++);
    out += side + std::string(digits.size() < 7 ? 7 - digits.size() : 1, ' ') + digits + " | " + line + "\n";
  }
}

/// How many lines at the end are equal, not counting the first `start` lines.
std::size_t common_end(const Lines& a, const Lines& b, std::size_t start) {
  std::size_t n = 0;
  while (n + start < std::min(a.size(), b.size()) && a[a.size() - 1 - n] == b[b.size() - 1 - n]) ++n;
  return n;
}

void append_part(std::string& out, char sign, const Lines& lines, std::size_t from, std::size_t to,
                 std::size_t most) {
  const auto end = std::min(to, from + most);
  for (auto i = from; i < end; ++i) out.append(1, sign).append(lines[i]).append("\n");
  if (end < to) out += std::string(1, sign) + "... " + std::to_string(to - end) + " more lines\n";
}

} // namespace

std::vector<std::string_view> split_lines(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos) {
      lines.push_back("(no newline at the end)");
      break;
    }
    text.remove_prefix(end + 1);
  }
  return lines;
}

std::string find_statement(std::string_view line, const KernelDef& kernel) {
  const auto name = defined_name(line);
  const Stmt* found = nullptr;
  if (!name.empty()) found = search(kernel.body, [&](const Stmt& s) { return defines(s, name); });
  if (name.empty()) {
    const auto list = names_in(line);
    const std::set<std::string> names(list.begin(), list.end());
    if (!names.empty()) found = search(kernel.body, [&](const Stmt& s) { return uses(s, names); });
    for (auto it = list.begin(); found == nullptr && it != list.end(); ++it)
      found =
          search(kernel.body, [&](const Stmt& s) { return defines(s, *it); }); // branches name their labels
  }
  return found == nullptr ? std::string() : pretty(*found);
}

Difference find_difference(std::string_view left, std::string_view right, const KernelDef& kernel) {
  const auto a = split_lines(left), b = split_lines(right);
  const auto at = first_difference(a, b);
  Difference d;
  d.line = at + 1;
  d.before = slice(a, at < context ? 0 : at - context, at);
  d.left = slice(a, at, at + context + 1);
  d.right = slice(b, at, at + context + 1);
  if (!d.left.empty()) d.statement = find_statement(d.left.front(), kernel);
  if (d.statement.empty() && !d.right.empty()) d.statement = find_statement(d.right.front(), kernel);
  return d;
}

std::string render(const Difference& d, const std::string& left_name, const std::string& right_name) {
  std::string out = "first difference at line " + std::to_string(d.line);
  if (!d.statement.empty()) out += ", from the statement: " + d.statement;
  out += "\n";
  const auto width = std::max(left_name.size(), right_name.size());
  const auto padded = [&](std::string name) { return name.append(width - name.size(), ' '); };
  append_numbered(out, std::string(width, ' '), d.line - d.before.size(), d.before);
  append_numbered(out, padded(left_name), d.line, d.left);
  if (d.left.empty()) out += padded(left_name) + "         (the text has ended)\n";
  append_numbered(out, padded(right_name), d.line, d.right);
  if (d.right.empty()) out += padded(right_name) + "         (the text has ended)\n";
  return out;
}

std::string unified_difference(std::string_view old_text, std::string_view new_text, std::size_t most) {
  const auto a = split_lines(old_text), b = split_lines(new_text);
  const auto start = first_difference(a, b);
  const auto end = common_end(a, b, start);
  const auto from = start < context ? 0 : start - context;
  std::string out = "@@ -" + std::to_string(start + 1) + "," + std::to_string(a.size() - end - start) + " +" +
                    std::to_string(start + 1) + "," + std::to_string(b.size() - end - start) + " @@\n";
  append_part(out, ' ', a, from, start, context);
  append_part(out, '-', a, start, a.size() - end, most / 2);
  append_part(out, '+', b, start, b.size() - end, most / 2);
  append_part(out, ' ', a, a.size() - end, std::min(a.size(), a.size() - end + context), context);
  return out;
}

} // namespace twinir
