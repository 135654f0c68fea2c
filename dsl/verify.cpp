// SPDX-License-Identifier: MIT
// Names, scopes, attributes, constants and limits; the type rules are in verify_types.cpp.
#include "dsl/verify.hpp"

#include "dsl/error.hpp"
#include "dsl/target.hpp"

#include <algorithm>
#include <bit>
#include <unordered_map>
#include <unordered_set>

namespace twinir {
namespace {

constexpr std::size_t max_name = 200;

bool name_ok(std::string_view name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto inner = [&](char c) { return letter(c) || (c >= '0' && c <= '9'); };
  return !name.empty() && name.size() <= max_name && letter(name.front()) && std::ranges::all_of(name, inner);
}

bool power_of_two(std::int64_t n) { return n > 0 && std::has_single_bit(static_cast<std::uint64_t>(n)); }

/// Where integers of an attribute may lie, and which words a word attribute may be.
struct AttributeRule {
  std::string_view key;
  std::int64_t low, high;
  std::string_view words;
};
constexpr AttributeRule attribute_rules[] = {
    {"align", 1, 4096, ""},
    {"mask", 0, 2047, ""},
    {"byte", 0, 3, ""},
    {"word", 0, 1, ""},
    {"flags", 0, 0xFFFFFFFFll, ""},
    {"aux", 0, 0x7FFFFFFF, ""},
    {"offset", 0, 0x7FFFFF, ""},
    {"count", 0, 63, ""},
    {"priority", 0, 3, ""},
    {"signed_a", 0, 1, ""},
    {"signed_b", 0, 1, ""},
    {"order", 0, 0, "monotonic acquire release acq_rel"},
    {"scope", 0, 0, "workgroup agent wavefront system"},
    {"register", 0, 0, "v s"},
};
constexpr std::string_view fence_orders = "acquire release acq_rel"; // a monotonic fence would order nothing
constexpr std::string_view int_predicates = "eq ne ugt uge ult ule sgt sge slt sle";
constexpr std::string_view float_predicates = "oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno";

/// The greatest value of an attribute on one operation.
std::int64_t greatest(Op op, const AttributeRule& rule) {
  if (op == Op::classify)
    return 1023; // ten classes; the mask of sched.barrier has eleven kinds of instruction
  const bool load_lds = op == Op::load_lds_b32 || op == Op::load_lds_b96 || op == Op::load_lds_b128;
  return load_lds && rule.key == "offset" ? 4095 : rule.high; // the 12 bits of a global load of gfx950
}

class Verifier {
public:
  explicit Verifier(KernelDef& kernel) : kernel_(kernel) {}

  void run() {
    check_name(kernel_.name, "kernel");
    if (kernel_.name == "llvm") // its LDS arrays would be taken for LLVM's own variables
      fail(Code::duplicate_name, "the reserved name 'llvm'", "another name", "rename the kernel");
    target_ = &find_target(kernel_.target);
    workgroup();
    for (const auto& p : kernel_.params) param(p);
    lds();
    region(kernel_.body);
  }

private:
  [[noreturn]] void fail(Code code, std::string found, std::string expected, std::string action) const {
    throw UserError({code, std::move(found) + " in kernel '" + kernel_.name.substr(0, max_name) + "'", std::move(expected),
                     std::move(action), {}});
  }

  void check_name(std::string_view name, const char* what) const {
    if (name_ok(name)) return;
    std::string shown;
    for (char c : name.substr(0, 40)) shown += c >= ' ' && c < 127 ? c : '?';
    throw UserError({Code::bad_name, std::string(what) + " name '" + shown + "' of " + std::to_string(name.size()) + " bytes",
                     "[A-Za-z_][A-Za-z0-9_]* of 1 to 200 characters", "rename it", {}});
  }

  void define(const std::string& name, Type type, const char* what) {
    check_name(name, what);
    if (name == "entry" || !names_.insert(name).second)
      fail(Code::duplicate_name, std::string("a second or reserved name '") + name + "'", "names that differ",
           "rename one of them");
    bind(name, type);
  }
  void bind(const std::string& name, Type type) {
    scope_.emplace(name, type);
    order_.push_back(name);
  }

  void workgroup() const {
    std::int64_t items = 1;
    for (int extent : kernel_.block) items = extent < 1 || extent > 65536 ? std::int64_t{1} << 40 : items * extent;
    if (items <= target_->max_items) return;
    const auto block = std::to_string(kernel_.block[0]) + "x" + std::to_string(kernel_.block[1]) + "x" +
                       std::to_string(kernel_.block[2]);
    fail(Code::workgroup_too_large, "a work-group of " + block + " items",
         "1 to " + std::to_string(target_->max_items) + " items on " + std::string(target_->name), "choose a smaller block");
  }

  void param(const Param& p) {
    define(p.name, p.type, "parameter");
    const bool value_ok = (p.type.is_int() && p.type.scalar != Scalar::i1) || p.type.is_float();
    const bool pointer_ok = !p.type.is_vector() && (p.type.scalar == Scalar::p1 ||
                                                    (p.type.scalar == Scalar::p4 && p.kind == ParamKind::in));
    if (p.kind == ParamKind::value ? !value_ok : !pointer_ok)
      fail(Code::type_mismatch, "parameter '" + p.name + "' of type " + to_string(p.type) + " as " + std::string(to_string(p.kind)),
           "a number by value, a p1 as in, out or inout, or a p4 as in", "change the parameter");
    if (p.kind == ParamKind::value) return;
    alignment(p.align, "parameter '" + p.name + "'");
    if (p.dereferenceable < 0)
      fail(Code::bad_attribute, "dereferenceable " + std::to_string(p.dereferenceable), "0 or more bytes", "correct it");
  }

  void alignment(std::int64_t align, const std::string& what) const {
    if (!power_of_two(align) || align > 4096)
      fail(Code::bad_alignment, "alignment " + std::to_string(align) + " of " + what, "a power of two from 1 to 4096",
           "correct the alignment");
  }

  void lds() {
    std::int64_t total = 0;
    for (const auto& a : kernel_.lds) {
      check_name(a.name, "LDS array");
      alignment(a.align, "LDS array '" + a.name + "'");
      if (!lds_names_.emplace(a.name).second)
        fail(Code::duplicate_name, "a second LDS array '" + a.name + "'", "names that differ", "rename one of them");
      if (a.count < 1 || a.element.bytes() == 0 || a.element.is_pointer() || a.element.scalar == Scalar::p8)
        fail(Code::bad_lds_array, std::to_string(a.count) + " elements of " + to_string(a.element) + " in LDS array '" + a.name + "'",
             "one or more integers or floats of 8 bits or more", "correct the array");
      if (a.count <= (1 << 30)) total = (total + a.align - 1) / a.align * a.align + a.bytes();
      if (total > target_->lds_bytes || a.count > (1 << 30))
        fail(Code::lds_too_large, std::to_string(total) + " bytes of LDS", "at most " + std::to_string(target_->lds_bytes) +
             " bytes on " + std::string(target_->name), "use smaller tiles or fewer stages");
    }
  }

  void region(std::vector<Stmt>& body) {
    const auto mark = order_.size();
    for (auto& s : body) statement(s);
    leave(mark);
  }
  void leave(std::size_t mark) {
    for (; order_.size() > mark; order_.pop_back()) scope_.erase(order_.back());
  }

  void statement(Stmt& s) {
    const auto& row = info(s.op);
    if (!target_->has(row.feature))
      fail(Code::op_not_on_target, "operation '" + std::string(row.name) + "'",
           "an operation that " + std::string(target_->name) + " has", "choose another target or another way");
    for (auto& o : s.args) operand(o);
    flags(s, row);
    attributes(s, row);
    only_where(!s.mask.empty(), s, Op::shuffle, "mask");
    only_where(!s.element.is_void(), s, Op::gep, "element type");
    only_where(!s.carry.empty() || (!s.body.empty() && s.op != Op::if_), s, Op::for_, "carry");
    only_where(!s.results.empty() || s.has_else, s, Op::if_, "results");
    if (s.op == Op::for_) return loop(s);
    if (s.op == Op::if_) return branch(s);
    verify_types(s, kernel_.name);
    if (s.op == Op::assert_) return label(s.name);
    if (!s.type.is_void()) define(s.name, s.type, "value");
    else if (!s.name.empty()) fail(Code::malformed_kernel, "a name '" + s.name.substr(0, max_name) + "' without a result", "no name", "remove it");
  }

  void only_where(bool present, const Stmt& s, Op op, const char* what) const {
    if (present && s.op != op)
      fail(Code::malformed_kernel, std::string("a ") + what + " on '" + std::string(info(s.op).name) + "'",
           "it only on '" + std::string(info(op).name) + "'", "remove it");
  }

  void flags(const Stmt& s, const OpInfo& row) const {
    std::size_t at = 0;
    for (const auto& f : s.flags) {
      const auto found = f.empty() ? std::string_view::npos : row.flags.find(f, at);
      if (!has_word(row.flags, f) || found == std::string_view::npos)
        fail(Code::bad_attribute, "flag '" + f.substr(0, 40) + "' on '" + std::string(row.name) + "'",
             row.flags.empty() ? "no flag" : "once each, in this order: " + std::string(row.flags), "correct the flags");
      at = found + f.size();
    }
  }

  void attributes(const Stmt& s, const OpInfo& row) const {
    std::string have;
    for (const auto& a : s.attributes) have.append(have.empty() ? "" : " ").append(a.key);
    if (have != row.attributes)
      fail(Code::bad_attribute, "attributes '" + have.substr(0, 60) + "' on '" + std::string(row.name) + "'",
           "'" + std::string(row.attributes) + "'", "give exactly these");
    for (const auto& a : s.attributes) attribute(s, a);
  }

  void attribute(const Stmt& s, const Attribute& a) const {
    const auto bad = [&](const std::string& expected) {
      fail(Code::bad_attribute, a.key + " " + (a.word.empty() ? std::to_string(a.value) : "'" + a.word.substr(0, 40) + "'") + " on '" +
           std::string(info(s.op).name) + "'", expected, "correct it");
    };
    if (a.key == "pred") {
      const auto words = s.op == Op::icmp ? int_predicates : float_predicates;
      if (!has_word(words, a.word) || a.word.empty()) bad("one of " + std::string(words));
      return;
    }
    const auto& rule = *std::ranges::find(attribute_rules, std::string_view(a.key), &AttributeRule::key);
    if (!rule.words.empty()) {
      const auto words = s.op == Op::fence && a.key == "order" ? fence_orders : rule.words;
      if (a.word.empty() || !has_word(words, a.word)) bad("one of " + std::string(words));
      return;
    }
    if (a.key == "align" && a.word.empty()) alignment(a.value, "'" + std::string(info(s.op).name) + "'");
    const auto high = greatest(s.op, rule);
    if (!a.word.empty() || a.value < rule.low || a.value > high) bad(std::to_string(rule.low) + " to " + std::to_string(high));
  }

  void operand(Operand& o) {
    if (o.is_constant()) return constant(o);
    if (o.name.front() == '@') {
      if (!lds_names_.contains(std::string_view(o.name).substr(1))) unknown(o.name);
      o.type = {Scalar::p3, 1};
      return;
    }
    const auto it = scope_.find(o.name);
    if (it == scope_.end()) unknown(o.name);
    o.type = it->second;
  }
  [[noreturn]] void unknown(const std::string& name) const {
    fail(Code::scope_violation, "value '" + name.substr(0, max_name) + "' used outside the region in which it exists",
         "a value that is defined before, in this region or around it", "define it there, or carry it as a result");
  }

  void constant(const Operand& o) const {
    const bool typed = o.type.is_int() || o.type.is_float();
    const bool counted = o.poison || o.bits.size() == 1 || (o.type.is_vector() && o.bits.size() == o.type.lanes);
    const unsigned width = bit_width(o.type.scalar);
    const bool fits = std::ranges::all_of(o.bits, [&](auto b) { return width == 64 || b >> width == 0; });
    const bool splat = o.bits.size() > 1 && std::ranges::all_of(o.bits, [&](auto b) { return b == o.bits[0]; });
    if (!typed || !counted || !fits || splat)
      fail(Code::bad_constant, "a constant of type " + to_string(o.type) + " with " + std::to_string(o.bits.size()) + " words",
           "one word that fits the type, or one per lane when they differ", "correct the constant");
  }

  void same(Type have, Type want, const std::string& what) const {
    if (have == want) return;
    fail(Code::type_mismatch, what + " of type " + to_string(have), "type " + to_string(want), "convert the value");
  }

  /// The stem of block labels.
  void label(const std::string& name) {
    check_name(name, "label");
    if (name == "entry" || !names_.insert(name).second)
      fail(Code::duplicate_name, "a second or reserved name '" + name + "'", "names that differ",
           "rename one");
  }

  void loop(Stmt& s) {
    verify_types(s, kernel_.name);
    label(s.name);
    if (s.carry.empty()) fail(Code::malformed_kernel, "a loop without a counter", "the counter as the first carried value", "add it");
    for (auto& c : s.carry) operand(c.init);
    if (s.carry[0].init != s.args[0] || s.carry[0].next.name != s.carry[0].name + ".next")
      fail(Code::malformed_kernel, "a loop counter that is not [name, lower bound, name.next]", "that form", "correct it");
    for (auto& c : s.carry) define(c.name, c.init.type, "carried value");
    const auto mark = order_.size();
    for (auto& inner : s.body) statement(inner);
    for (std::size_t i = 1; i < s.carry.size(); ++i) {
      operand(s.carry[i].next);
      same(s.carry[i].next.type, s.carry[i].init.type, "the next value of '" + s.carry[i].name + "'");
    }
    s.carry[0].next.type = s.carry[0].init.type;
    leave(mark);
  }

  void branch(Stmt& s) {
    verify_types(s, kernel_.name);
    label(s.name);
    if (!s.results.empty() && !s.has_else)
      fail(Code::malformed_kernel, "an if with results but no else", "an else branch that gives the other values", "add it");
    arm(s.body, s.results, &Stmt::Result::then_value);
    arm(s.otherwise, s.results, &Stmt::Result::else_value);
    for (const auto& r : s.results) define(r.name, r.type, "result");
  }
  void arm(std::vector<Stmt>& body, std::vector<Stmt::Result>& results, Operand Stmt::Result::*value) {
    const auto mark = order_.size();
    for (auto& inner : body) statement(inner);
    for (auto& r : results) operand(r.*value), same((r.*value).type, r.type, "a value of result '" + r.name + "'");
    leave(mark);
  }

  KernelDef& kernel_;
  const Target* target_ = nullptr;
  std::unordered_map<std::string, Type> scope_; // looked up only
  std::vector<std::string> order_;
  std::unordered_set<std::string> names_; // looked up only
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view s) const { return std::hash<std::string_view>{}(s); }
  };
  std::unordered_set<std::string, Hash, std::equal_to<>> lds_names_; // looked up only
};

} // namespace

void verify(KernelDef& kernel) { Verifier(kernel).run(); }

} // namespace twinir
