// SPDX-License-Identifier: MIT
#include "dsl/json.hpp"

#include <charconv>

namespace twinir {
namespace {

/// Appends the canonical form. Names hold no character that JSON would escape.
class Writer {
public:
  std::string take(const KernelDef& kernel) {
    header(kernel);
    params(kernel.params);
    lds(kernel.lds);
    out_ += "\"body\":";
    statements(kernel.body, 1);
    out_ += "}\n";
    return std::move(out_);
  }

private:
  void number(std::int64_t value) { out_ += std::to_string(value); }
  void quoted(std::string_view text) { ((out_ += '"') += text) += '"'; }
  void key(std::string_view name) { ((out_ += ",\"") += name) += "\":"; }
  void comma(bool first) {
    if (!first) out_ += ',';
  }

  void hex(std::uint64_t value) {
    char text[16];
    const auto end = std::to_chars(text, text + sizeof text, value, 16).ptr;
    quoted({text, static_cast<std::size_t>(end - text)});
  }

  void header(const KernelDef& kernel) {
    out_ += "{\"schema\":";
    quoted(kernel_schema);
    key("name"), quoted(kernel.name);
    key("target"), quoted(kernel.target);
    key("block"), out_ += '[';
    for (int i = 0; i < 3; ++i) comma(i == 0), number(kernel.block[i]);
    out_ += ']', key("waves_per_eu"), number(kernel.waves_per_eu);
    out_ += ",\n";
  }

  void params(const std::vector<Param>& params) {
    out_ += "\"params\":[";
    for (bool first = true; const auto& p : params) {
      comma(first), first = false;
      out_ += "{\"n\":", quoted(p.name), key("t"), quoted(to_string(p.type)), key("k"), quoted(to_string(p.kind));
      if (p.kind != ParamKind::value) key("align"), number(p.align), key("deref"), number(p.dereferenceable);
      out_ += '}';
    }
    out_ += "],\n";
  }

  void lds(const std::vector<LdsArray>& arrays) {
    out_ += "\"lds\":[";
    for (bool first = true; const auto& a : arrays) {
      comma(first), first = false;
      out_ += "{\"n\":", quoted(a.name), key("t"), quoted(to_string(a.element)), key("count"), number(a.count);
      key("align"), number(a.align), out_ += '}';
    }
    out_ += "],\n";
  }

  void operand(const Operand& o) {
    if (!o.is_constant()) return quoted(o.name);
    out_ += '[', quoted(to_string(o.type));
    if (o.poison) out_ += ",\"poison\"";
    for (auto word : o.bits) out_ += ',', hex(word);
    out_ += ']';
  }

  void operands(const std::vector<Operand>& list) {
    out_ += '[';
    for (bool first = true; const auto& o : list) comma(first), first = false, operand(o);
    out_ += ']';
  }

  void statements(const std::vector<Stmt>& list, int depth) {
    out_ += '[';
    for (bool first = true; const auto& s : list) {
      comma(first), first = false;
      (out_ += '\n').append(static_cast<std::size_t>(depth), ' ');
      statement(s, depth);
    }
    out_ += ']';
  }

  void statement(const Stmt& s, int depth) {
    out_ += "{\"op\":", quoted(info(s.op).name);
    if (!s.name.empty()) key("n"), quoted(s.name);
    if (!s.type.is_void()) key("t"), quoted(to_string(s.type));
    if (!s.element.is_void()) key("e"), quoted(to_string(s.element));
    if (!s.args.empty()) key("a"), operands(s.args);
    if (!s.flags.empty()) key("f"), flags(s.flags);
    for (const auto& a : s.attributes) attribute(a);
    if (!s.mask.empty()) key("mask"), mask(s.mask);
    if (!s.carry.empty()) key("carry"), carry(s.carry);
    if (!s.results.empty()) key("results"), results(s.results);
    if (s.op == Op::if_ || s.op == Op::for_) key("body"), statements(s.body, depth + 1);
    if (s.has_else) key("else"), statements(s.otherwise, depth + 1);
    out_ += '}';
  }

  void attribute(const Attribute& a) {
    key(a.key);
    if (a.word.empty()) return number(a.value);
    quoted(a.word);
  }

  void flags(const std::vector<std::string>& list) {
    out_ += '[';
    for (bool first = true; const auto& f : list) comma(first), first = false, quoted(f);
    out_ += ']';
  }

  void mask(const std::vector<int>& list) {
    out_ += '[';
    for (bool first = true; int m : list) comma(first), first = false, number(m);
    out_ += ']';
  }

  void carry(const std::vector<Stmt::Carry>& list) {
    out_ += '[';
    for (bool first = true; const auto& c : list) {
      comma(first), first = false;
      out_ += '[', quoted(c.name), out_ += ',', operand(c.init), out_ += ',', operand(c.next), out_ += ']';
    }
    out_ += ']';
  }

  void results(const std::vector<Stmt::Result>& list) {
    out_ += '[';
    for (bool first = true; const auto& r : list) {
      comma(first), first = false;
      out_ += '[', quoted(r.name), out_ += ',', quoted(to_string(r.type)), out_ += ',';
      operand(r.then_value), out_ += ',', operand(r.else_value), out_ += ']';
    }
    out_ += ']';
  }

  std::string out_;
};

} // namespace

std::string write_json(const KernelDef& kernel) { return Writer().take(kernel); }

} // namespace twinir
