// SPDX-License-Identifier: MIT
// read_json: JSON text to a verified KernelDef.
#include "dsl/error.hpp"
#include "dsl/json.hpp"
#include "dsl/verify.hpp"

#include <array>
#include <charconv>
#include <limits>
#include <simdjson.h>
#include <utility>

namespace twinir {
namespace {
using Json = simdjson::dom::element;
using List = simdjson::dom::array;

constexpr int max_depth = 64;               // of regions
constexpr std::size_t max_brackets = 3 * 64; // an operand of a result of a nested region

[[noreturn]] void refuse(const std::string& found, const std::string& expected) {
  throw UserError({Code::malformed_kernel, found, expected, "write the kernel with TwinIR, or see docs/kernel_json.md", {}});
}

/// At most 60 characters of printable ASCII.
std::string shortened(std::string_view text) {
  std::string out(text.substr(0, 60));
  if (text.size() > 60) out.replace(57, 3, "...");
  for (auto& c : out)
    if (c < ' ' || c > '~') c = '?';
  return out;
}
std::string shown(const Json& j) { return shortened(simdjson::minify(j)); }

/// An object whose keys are all asked for, once; what was not asked for, and a key that stands twice, is refused.
class Object {
public:
  Object(const Json& json, std::string_view what) : what_(what) {
    simdjson::dom::object object;
    if (json.get(object) != simdjson::SUCCESS) refuse(shown(json) + " for " + std::string(what), "an object");
    for (const auto& [key, value] : object) {
      if (count_ == entries_.size()) refuse("more than " + std::to_string(count_) + " keys in " + std::string(what), "only the keys of the schema");
      entries_[count_++] = {key, value, false};
    }
  }
  const Json* find(std::string_view key) {
    for (std::size_t i = 0; i < count_; ++i)
      if (!entries_[i].seen && entries_[i].key == key) {
        entries_[i].seen = true;
        return &entries_[i].value;
      }
    return nullptr;
  }
  const Json& need(std::string_view key) {
    if (const auto* j = find(key)) return *j;
    refuse("no key \"" + std::string(key) + "\" in " + std::string(what_), "the key to be there");
  }
  void done() const {
    for (std::size_t i = 0; i < count_; ++i)
      if (!entries_[i].seen)
        refuse("key \"" + shortened(entries_[i].key) + "\" in " + std::string(what_) + ", unknown there or standing twice", "each key of the schema once");
  }

private:
  struct Entry {
    std::string_view key;
    Json value;
    bool seen = false;
  };
  std::string_view what_;
  std::array<Entry, 16> entries_;
  std::size_t count_ = 0;
};

std::string_view text(const Json& j, std::string_view what) {
  std::string_view out;
  if (j.get(out) != simdjson::SUCCESS) refuse(shown(j) + " for " + std::string(what), "a string");
  return out;
}

std::int64_t integer(const Json& j, std::string_view what, std::int64_t low = std::numeric_limits<std::int64_t>::min(),
                     std::int64_t high = std::numeric_limits<std::int64_t>::max()) {
  std::int64_t out = 0;
  if (j.get(out) != simdjson::SUCCESS || out < low || out > high)
    refuse(shown(j) + " for " + std::string(what), "an integer from " + std::to_string(low) + " to " + std::to_string(high));
  return out;
}

int small(const Json& j, std::string_view what) {
  return static_cast<int>(integer(j, what, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()));
}

List list(const Json& j, std::string_view what) {
  List out;
  if (j.get(out) != simdjson::SUCCESS) refuse(shown(j) + " for " + std::string(what), "a list");
  return out;
}
Json at(const List& l, std::size_t i) { return l.at(i).value_unsafe(); } // the length was checked

Type type(const Json& j) {
  const auto t = parse_type(text(j, "a type"));
  if (!t) refuse("type " + shown(j), "a type such as f32, v8f16 or p1");
  return *t;
}

std::uint64_t hex_word(const Json& j) {
  const auto s = text(j, "a constant");
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), value, 16);
  const bool canonical = s == "0" || (!s.empty() && s[0] != '0' && s.find_first_of("ABCDEF-") == s.npos);
  if (error != std::errc{} || end != s.data() + s.size() || !canonical)
    refuse("constant word " + shown(j), "lower-case hexadecimal without leading zeros");
  return value;
}

Operand operand(const Json& j) {
  if (j.is_string()) return {std::string(text(j, "an operand")), {}, {}, false};
  const auto words = list(j, "an operand");
  if (words.size() < 2) refuse("constant " + shown(j), "a type and its words");
  Operand o{{}, {}, {}, false};
  for (bool first = true; const auto word : words) {
    if (std::exchange(first, false)) o.type = type(word);
    else if (words.size() == 2 && word.is_string() && text(word, "a constant") == "poison") o.poison = true;
    else o.bits.push_back(hex_word(word));
  }
  return o;
}

Stmt::Carry carry(const Json& j) {
  const auto l = list(j, "carry");
  if (l.size() != 3) refuse("carry entry " + shown(j), "[name, first value, next value]");
  return {std::string(text(at(l, 0), "a carried name")), operand(at(l, 1)), operand(at(l, 2))};
}

Stmt::Result result(const Json& j) {
  const auto l = list(j, "results");
  if (l.size() != 4) refuse("result entry " + shown(j), "[name, type, value, else value]");
  return {std::string(text(at(l, 0), "a result name")), type(at(l, 1)), operand(at(l, 2)), operand(at(l, 3))};
}

Attribute attribute(std::string_view key, const Json& j) {
  if (!j.is_string()) return {std::string(key), integer(j, key), {}};
  const auto word = text(j, key);
  if (word.empty()) refuse("an empty word for " + std::string(key), "a word");
  return {std::string(key), 0, std::string(word)};
}

void attributes(Object& o, Stmt& s) {
  for (std::string_view rest = info(s.op).attributes; !rest.empty();) {
    const auto end = std::min(rest.find(' '), rest.size());
    const auto key = rest.substr(0, end);
    if (const auto* j = o.find(key)) s.attributes.push_back(attribute(key, *j));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

std::vector<Stmt> statements(const Json& j, int depth);

/// The keys that only some operations have; on others they are unknown keys.
void regions(Object& o, Stmt& s, int depth) {
  // An absent list is an empty one; whether it may be is the verifier's business.
  if (const auto* m = s.op == Op::shuffle ? o.find("mask") : nullptr)
    for (const auto x : list(*m, "mask")) s.mask.push_back(small(x, "a mask entry"));
  if (const auto* c = s.op == Op::for_ ? o.find("carry") : nullptr)
    for (const auto x : list(*c, "carry")) s.carry.push_back(carry(x));
  if (s.op != Op::if_ && s.op != Op::for_) return;
  if (const auto* r = s.op == Op::if_ ? o.find("results") : nullptr)
    for (const auto x : list(*r, "results")) s.results.push_back(result(x));
  if (const auto* b = o.find("body")) s.body = statements(*b, depth + 1);
  if (const auto* e = s.op == Op::if_ ? o.find("else") : nullptr) s.otherwise = statements(*e, depth + 1), s.has_else = true;
}

Stmt statement(const Json& j, int depth) {
  Object o(j, "a statement");
  const auto op_name = text(o.need("op"), "op");
  const auto op = parse_op(op_name);
  if (!op) refuse("operation '" + shortened(op_name) + "'", "an operation of the op table");
  Stmt s;
  s.op = *op;
  if (const auto* n = o.find("n")) s.name = text(*n, "n");
  if (const auto* t = o.find("t")) s.type = type(*t);
  if (const auto* e = s.op == Op::gep ? o.find("e") : nullptr) s.element = type(*e);
  if (const auto* a = o.find("a"))
    for (const auto x : list(*a, "a")) s.args.push_back(operand(x));
  if (const auto* f = o.find("f"))
    for (const auto x : list(*f, "f")) s.flags.emplace_back(text(x, "a flag"));
  attributes(o, s);
  regions(o, s, depth);
  o.done();
  return s;
}

std::vector<Stmt> statements(const Json& j, int depth) {
  if (depth > max_depth) refuse("regions nested more than " + std::to_string(max_depth) + " deep", "less nesting");
  std::vector<Stmt> out;
  const auto body = list(j, "a body");
  out.reserve(body.size());
  for (const auto s : body) out.push_back(statement(s, depth));
  return out;
}

Param param(const Json& j) {
  Object o(j, "a parameter");
  Param p{std::string(text(o.need("n"), "n")), type(o.need("t")), ParamKind::value, 0, 0};
  const auto kind = text(o.need("k"), "k");
  for (auto k : {ParamKind::in, ParamKind::out, ParamKind::inout})
    if (to_string(k) == kind) p.kind = k;
  if (p.kind == ParamKind::value && kind != "value") refuse("parameter kind '" + shortened(kind) + "'", "value, in, out or inout");
  if (p.kind != ParamKind::value) {
    p.align = small(o.need("align"), "align");
    p.dereferenceable = integer(o.need("deref"), "deref", 0);
  }
  o.done();
  return p;
}

LdsArray lds_array(const Json& j) {
  Object o(j, "an LDS array");
  LdsArray a{std::string(text(o.need("n"), "n")), type(o.need("t")), integer(o.need("count"), "count", 0, 1 << 30),
             small(o.need("align"), "align")};
  o.done();
  return a;
}

KernelDef kernel(const Json& j) {
  Object o(j, "a kernel");
  const auto schema = text(o.need("schema"), "schema");
  if (schema != kernel_schema) refuse("schema '" + shortened(schema) + "'", "'" + std::string(kernel_schema) + "'");
  KernelDef k;
  k.name = text(o.need("name"), "name");
  k.target = text(o.need("target"), "target");
  const auto block = list(o.need("block"), "block");
  if (block.size() != 3) refuse("a block of " + std::to_string(block.size()) + " extents", "three extents");
  for (std::size_t i = 0; i < 3; ++i) k.block[i] = small(at(block, i), "a block extent");
  k.waves_per_eu = static_cast<int>(integer(o.need("waves_per_eu"), "waves_per_eu", 0, 16));
  for (const auto p : list(o.need("params"), "params")) k.params.push_back(param(p));
  for (const auto a : list(o.need("lds"), "lds")) k.lds.push_back(lds_array(a));
  k.body = statements(o.need("body"), 1);
  o.done();
  return k;
}

} // namespace

KernelDef read_json(std::string_view text) {
  static thread_local simdjson::dom::parser parser;
  if (parser.allocate(std::max<std::size_t>(text.size(), parser.capacity()), max_brackets) != simdjson::SUCCESS)
    refuse("a text of " + std::to_string(text.size()) + " bytes", "a kernel that fits in memory");
  Json json;
  const auto problem = text.starts_with("\xEF\xBB\xBF") ? simdjson::UTF8_ERROR : parser.parse(text.data(), text.size()).get(json);
  if (problem != simdjson::SUCCESS)
    refuse("text that is no JSON or nested too deep (" + std::string(simdjson::error_message(problem)) + ")", "a kernel in JSON, in UTF-8 without a byte order mark");
  auto k = kernel(json);
  verify(k);
  return k;
}

} // namespace twinir
