// SPDX-License-Identifier: MIT
// read_json: JSON text to a verified KernelDef.
#include "dsl/error.hpp"
#include "dsl/json.hpp"
#include "dsl/verify.hpp"

#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>

namespace twinir {
namespace {
using Json = nlohmann::json;

constexpr int max_depth = 64;

[[noreturn]] void refuse(const std::string& found, const std::string& expected) {
  throw UserError({Code::malformed_kernel, found, expected, "write the kernel with TwinIR, or see docs/kernel_json.md", {}});
}

std::string shown(const Json& j) {
  auto text = j.dump(-1, ' ', true, Json::error_handler_t::replace);
  return text.size() <= 60 ? text : text.substr(0, 57) + "...";
}

/// What the text itself shows, before it is parsed.
struct Shape {
  std::size_t colons = 0; ///< outside strings: the keys of all objects
  int depth = 0;          ///< of brackets and braces
};
Shape shape(std::string_view text) {
  Shape out;
  bool in_string = false;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') in_string = !in_string;
    else if (in_string) i += c == '\\' ? 1 : 0;
    else if (c == '{' || c == '[') out.depth = std::max(out.depth, ++depth);
    else if (c == '}' || c == ']') --depth;
    else if (c == ':') ++out.colons;
  }
  return out;
}

/// An object whose keys are all asked for; what was not asked for is refused.
class Object {
public:
  /// Keys of all objects so far: fewer than the text has when a key stands twice.
  static thread_local std::size_t keys;

  Object(const Json& json, std::string what) : json_(json), what_(std::move(what)) {
    if (!json.is_object()) refuse(shown(json) + " for " + what_, "an object");
    keys += json.size();
  }
  const Json* find(const char* key) {
    const auto it = json_.find(key);
    if (it == json_.end()) return nullptr;
    ++seen_;
    return &*it;
  }
  const Json& need(const char* key) {
    if (const auto* j = find(key)) return *j;
    refuse("no key \"" + std::string(key) + "\" in " + what_, "the key to be there");
  }
  void done() const {
    if (seen_ != json_.size()) refuse("an unknown key in " + what_ + ": " + shown(json_), "only the keys of the schema");
  }

private:
  const Json& json_;
  std::string what_;
  std::size_t seen_ = 0;
};

thread_local std::size_t Object::keys = 0;

const std::string& text(const Json& j, const char* what) {
  if (!j.is_string()) refuse(shown(j) + " for " + what, "a string");
  return j.get_ref<const std::string&>();
}

std::int64_t integer(const Json& j, const char* what, std::int64_t low = std::numeric_limits<std::int64_t>::min(),
                     std::int64_t high = std::numeric_limits<std::int64_t>::max()) {
  const bool fits = j.is_number_integer() &&
                    !(j.is_number_unsigned() && j.get<std::uint64_t>() > std::uint64_t(std::numeric_limits<std::int64_t>::max()));
  if (!fits || j.get<std::int64_t>() < low || j.get<std::int64_t>() > high)
    refuse(shown(j) + " for " + what, "an integer from " + std::to_string(low) + " to " + std::to_string(high));
  return j.get<std::int64_t>();
}

int small(const Json& j, const char* what) {
  return static_cast<int>(integer(j, what, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()));
}

const Json& list(const Json& j, const char* what) {
  if (!j.is_array()) refuse(shown(j) + " for " + what, "a list");
  return j;
}

Type type(const Json& j) {
  const auto t = parse_type(text(j, "a type"));
  if (!t) refuse("type " + shown(j), "a type such as f32, v8f16 or p1");
  return *t;
}

std::uint64_t hex_word(const Json& j) {
  const auto& s = text(j, "a constant");
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), value, 16);
  const bool canonical = s == "0" || (!s.empty() && s[0] != '0' && s.find_first_of("ABCDEF-") == s.npos);
  if (error != std::errc{} || end != s.data() + s.size() || !canonical)
    refuse("constant word " + shown(j), "lower-case hexadecimal without leading zeros");
  return value;
}

Operand operand(const Json& j) {
  if (j.is_string()) return {j.get<std::string>(), {}, {}, false};
  list(j, "an operand");
  if (j.size() < 2) refuse("constant " + shown(j), "a type and its words");
  Operand o{{}, type(j[0]), {}, false};
  o.poison = j.size() == 2 && j[1].is_string() && j[1].get_ref<const std::string&>() == "poison";
  if (o.poison) return o;
  o.bits.reserve(j.size() - 1);
  for (std::size_t i = 1; i < j.size(); ++i) o.bits.push_back(hex_word(j[i]));
  return o;
}

Stmt::Carry carry(const Json& j) {
  if (list(j, "carry").size() != 3) refuse("carry entry " + shown(j), "[name, first value, next value]");
  return {text(j[0], "a carried name"), operand(j[1]), operand(j[2])};
}

Stmt::Result result(const Json& j) {
  if (list(j, "results").size() != 4) refuse("result entry " + shown(j), "[name, type, value, else value]");
  return {text(j[0], "a result name"), type(j[1]), operand(j[2]), operand(j[3])};
}

Attribute attribute(std::string_view key, const Json& j) {
  if (j.is_string()) {
    if (j.get_ref<const std::string&>().empty()) refuse("an empty word for " + std::string(key), "a word");
    return {std::string(key), 0, j.get<std::string>()};
  }
  return {std::string(key), integer(j, std::string(key).c_str()), {}};
}

void attributes(Object& o, Stmt& s) {
  for (std::string_view rest = info(s.op).attributes; !rest.empty();) {
    const auto end = std::min(rest.find(' '), rest.size());
    const std::string key(rest.substr(0, end));
    if (const auto* j = o.find(key.c_str())) s.attributes.push_back(attribute(key, *j));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

std::vector<Stmt> statements(const Json& j, int depth);

/// The keys that only some operations have; on others they are unknown keys.
void regions(Object& o, Stmt& s, int depth) {
  if (s.op == Op::shuffle)
    for (const auto& x : list(o.need("mask"), "mask")) s.mask.push_back(small(x, "a mask entry"));
  if (s.op == Op::for_)
    for (const auto& x : list(o.need("carry"), "carry")) s.carry.push_back(carry(x));
  if (s.op != Op::if_ && s.op != Op::for_) return;
  if (const auto* r = s.op == Op::if_ ? o.find("results") : nullptr)
    for (const auto& x : list(*r, "results")) s.results.push_back(result(x));
  s.body = statements(o.need("body"), depth + 1);
  if (const auto* e = s.op == Op::if_ ? o.find("else") : nullptr) s.otherwise = statements(*e, depth + 1), s.has_else = true;
}

Stmt statement(const Json& j, int depth) {
  Object o(j, "a statement");
  const auto& op_name = text(o.need("op"), "op");
  const auto op = parse_op(op_name);
  if (!op) refuse("operation '" + op_name.substr(0, 60) + "'", "an operation of the op table");
  Stmt s;
  s.op = *op;
  if (const auto* n = o.find("n")) s.name = text(*n, "n");
  if (const auto* t = o.find("t")) s.type = type(*t);
  if (const auto* e = s.op == Op::gep ? o.find("e") : nullptr) s.element = type(*e);
  if (const auto* a = o.find("a"))
    for (s.args.reserve(a->size()); const auto& x : list(*a, "a")) s.args.push_back(operand(x));
  if (const auto* f = o.find("f"))
    for (const auto& x : list(*f, "f")) s.flags.push_back(text(x, "a flag"));
  attributes(o, s);
  regions(o, s, depth);
  o.done();
  return s;
}

std::vector<Stmt> statements(const Json& j, int depth) {
  if (depth > max_depth) refuse("regions nested more than " + std::to_string(max_depth) + " deep", "less nesting");
  std::vector<Stmt> out;
  out.reserve(list(j, "a body").size());
  for (const auto& s : j) out.push_back(statement(s, depth));
  return out;
}

Param param(const Json& j) {
  Object o(j, "a parameter");
  Param p{text(o.need("n"), "n"), type(o.need("t")), ParamKind::value, 0, 0};
  const auto& kind = text(o.need("k"), "k");
  for (auto k : {ParamKind::in, ParamKind::out, ParamKind::inout})
    if (to_string(k) == kind) p.kind = k;
  if (p.kind == ParamKind::value && kind != "value") refuse("parameter kind '" + kind + "'", "value, in, out or inout");
  if (p.kind != ParamKind::value) {
    p.align = small(o.need("align"), "align");
    p.dereferenceable = integer(o.need("deref"), "deref", 0);
  }
  o.done();
  return p;
}

LdsArray lds_array(const Json& j) {
  Object o(j, "an LDS array");
  LdsArray a{text(o.need("n"), "n"), type(o.need("t")), integer(o.need("count"), "count", 0, 1 << 30),
             small(o.need("align"), "align")};
  o.done();
  return a;
}

KernelDef kernel(const Json& j) {
  Object o(j, "a kernel");
  const auto& schema = text(o.need("schema"), "schema");
  if (schema != kernel_schema) refuse("schema '" + schema.substr(0, 60) + "'", "'" + std::string(kernel_schema) + "'");
  KernelDef k;
  k.name = text(o.need("name"), "name");
  k.target = text(o.need("target"), "target");
  const auto& block = list(o.need("block"), "block");
  if (block.size() != 3) refuse("block " + shown(block), "three extents");
  for (std::size_t i = 0; i < 3; ++i) k.block[i] = small(block[i], "a block extent");
  k.waves_per_eu = static_cast<int>(integer(o.need("waves_per_eu"), "waves_per_eu", 0, 16));
  for (const auto& p : list(o.need("params"), "params")) k.params.push_back(param(p));
  for (const auto& a : list(o.need("lds"), "lds")) k.lds.push_back(lds_array(a));
  k.body = statements(o.need("body"), 1);
  o.done();
  return k;
}

} // namespace

KernelDef read_json(std::string_view text) {
  constexpr int deepest = 3 * max_depth; // an operand of a result of a nested region
  const auto seen = shape(text);
  if (seen.depth > deepest) refuse("brackets nested " + std::to_string(seen.depth) + " deep", "at most " + std::to_string(deepest));
  const auto json = text.starts_with("\xEF\xBB\xBF") ? Json(Json::value_t::discarded) : Json::parse(text, nullptr, false);
  if (json.is_discarded()) refuse("text that is no JSON", "a kernel in JSON, in UTF-8 without a byte order mark");
  Object::keys = 0;
  auto k = kernel(json);
  if (Object::keys != seen.colons) refuse("a key that stands twice in one object", "each key once");
  verify(k);
  return k;
}

} // namespace twinir
