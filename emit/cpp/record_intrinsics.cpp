// SPDX-License-Identifier: MIT
// Declarations of intrinsics as templates, found with one choice of types and checked with the others.
#include "dsl/error.hpp"
#include "dsl/matrix.hpp"
#include "emit/cpp/emitter.hpp"
#include "emit/cpp/record.hpp"

namespace twinir {
namespace {
using Json = nlohmann::ordered_json;

/// Types of the result and of the operands, as the operation's rule allows them.
struct Sample {
  Type result;
  std::vector<Type> args;
};

// The first count of lanes is one that no declaration contains by itself, so that its type is easy to find.
constexpr int lane_counts[] = {5, 1, 2, 3, 4, 8, 16, 32};
constexpr Type ints[] = {i16, i8, i32, i64};
constexpr Type floats[] = {f16, bf16, f32, f64};
constexpr Type void_type{};
constexpr Type buffer_types[] = {vec(f16, 4), f16, bf16, i16, i32, f32, i8, vec(i16, 2), vec(f16, 2), vec(bf16, 2), vec(i16, 4),
                                 vec(bf16, 4), vec(i16, 8), vec(f16, 8), vec(bf16, 8), vec(i32, 2), vec(f32, 2),
                                 vec(i32, 3), vec(f32, 3), vec(i32, 4), vec(f32, 4)};

using Samples = std::vector<Sample>;

Samples same_types(std::span<const Type> elements, std::size_t operands) {
  Samples out;
  for (const int lanes : lane_counts)
    for (const Type t : elements) out.push_back({vec(t, lanes), std::vector<Type>(operands, vec(t, lanes))});
  return out;
}

Samples float_to_int() {
  Samples out;
  for (const int lanes : lane_counts)
    for (const Type f : floats)
      for (const Type i : ints) out.push_back({vec(i, lanes), {vec(f, lanes)}});
  return out;
}

Samples per_float(bool classify) {
  Samples out;
  for (const int lanes : lane_counts)
    for (const Type f : floats)
      out.push_back(classify ? Sample{vec(i1, lanes), {vec(f, lanes)}} : Sample{vec(f, lanes), {vec(f, lanes), vec(i32, lanes)}});
  return out;
}

Samples buffers(bool load) {
  Samples out;
  const Type p8{Scalar::p8};
  for (const Type t : buffer_types) out.push_back(load ? Sample{t, {p8, i32, i32}} : Sample{void_type, {t, p8, i32, i32}});
  return out;
}

Samples matrix(Op op) {
  const auto& m = matrix_op(op);
  return {{m.sums(), {m.fragment, m.fragment, m.sums()}}};
}

/// Every kind of types that the rule of the operation allows; one sample: the types are always these.
Samples samples(Op op) {
  switch (info(op).rule) {
  case TypeRule::int_binary: return same_types(ints, 2);
  case TypeRule::int_unary: return same_types(ints, 1);
  case TypeRule::float_binary: return same_types(floats, 2);
  case TypeRule::float_ternary: return same_types(floats, 3);
  case TypeRule::float_unary: return same_types(floats, 1);
  case TypeRule::hw_float_unary: return {{f64, {f64}}, {f32, {f32}}, {f16, {f16}}};
  case TypeRule::frexp_exp: return {{i32, {f64}}, {i32, {f32}}, {i16, {f16}}};
  case TypeRule::ldexp: return per_float(false);
  case TypeRule::classify: return per_float(true);
  case TypeRule::float_to_int: return float_to_int();
  case TypeRule::buffer_load: return buffers(true);
  case TypeRule::buffer_store: return buffers(false);
  case TypeRule::readfirstlane: return {{f32, {f32}}, {i32, {i32}}};
  case TypeRule::readlane: return {{f32, {f32, i32}}, {i32, {i32, i32}}};
  case TypeRule::bpermute: return {{i32, {i32, i32}}};
  case TypeRule::ballot: return {{op == Op::ballot_b64 ? i64 : i32, {i1}}};
  case TypeRule::matrix: return matrix(op);
  case TypeRule::rsrc: return {{Type{Scalar::p8}, {Type{Scalar::p1}, i32}}};
  case TypeRule::id: return {{i32, {}}};
  case TypeRule::mbcnt: return {{i32, {i32, i32}}};
  case TypeRule::implicit_args: return {{Type{Scalar::p4}, {}}};
  case TypeRule::fp8_unpack: return {{f32, {i32}}};
  case TypeRule::fp8_pack: return {{i32, {f32, f32, i32}}};
  case TypeRule::async_load: return {{void_type, {Type{Scalar::p1}, Type{Scalar::p3}}}};
  case TypeRule::assert_: return {{void_type, {i1}}};
  case TypeRule::no_operands: return {{void_type, {}}};
  default: throw InternalError("no sample types for '" + std::string(info(op).name) + "'");
  }
}

/// One declaration as LLVM prints it, with the texts its placeholders stand for.
struct Instance {
  PrintedFunction text;
  std::string symbol, ret;
  std::vector<std::string> params;
  std::vector<bool> immediate;
  std::vector<std::pair<std::string, std::string>> types; ///< "{t0}" and its text, longest meaning first
  std::vector<std::pair<std::string, std::string>> names; ///< "{m0}" and its text
};

std::string printed(const llvm::Type& type) {
  std::string text;
  llvm::raw_string_ostream out(text);
  type.print(out);
  return out.str();
}

Stmt statement(Op op, const Sample& sample) {
  Stmt s;
  s.op = op;
  s.type = sample.result;
  for (const Type t : sample.args) s.args.push_back({"x", t, {}, false});
  return s;
}

void name_types(Instance& out, Emitter& emitter, const Stmt& s, const IntrinsicInfo& intrinsic) {
  for (std::size_t i = 0; i < intrinsic.overloads.size(); ++i) {
    const auto& word = intrinsic.overloads[i];
    const Type t = word.kind == IntrinsicWord::Kind::operand ? s.args[static_cast<std::size_t>(word.value)].type : s.type;
    const auto number = std::to_string(i);
    out.types.emplace_back("{t" + number + "}", printed(*emitter.type(t)));
    out.names.emplace_back("{m" + number + "}", to_string(t));
    out.types.emplace_back("{b" + number + "}", printed(*emitter.type(t.with(Scalar::i1))));
  }
}

Instance instantiate(Op op, const Sample& sample) {
  llvm::LLVMContext context;
  llvm::Module module("m", context);
  const KernelDef kernel;
  Emitter emitter(module, kernel);
  const auto s = statement(op, sample);
  const auto& intrinsic = *find_intrinsic(op);
  const auto& function = *emitter.declaration(s, intrinsic);
  Instance out;
  out.text = print_function(module);
  out.symbol = function.getName().str();
  out.ret = printed(*function.getReturnType());
  for (const auto& param : function.args()) {
    out.params.push_back(printed(*param.getType()));
    out.immediate.push_back(param.hasAttribute(llvm::Attribute::ImmArg));
  }
  name_types(out, emitter, s, intrinsic);
  return out;
}

using Texts = std::vector<std::pair<std::string, std::string>>;

std::string with_placeholders(std::string text, const Texts& texts) {
  for (const auto& [placeholder, meaning] : texts) text = replaced(std::move(text), meaning, placeholder);
  return text;
}

std::string expanded(std::string text, const Texts& texts) {
  for (const auto& [placeholder, meaning] : texts) text = replaced(std::move(text), placeholder, meaning);
  return text;
}

/// The symbol as base name and placeholders.
std::string symbol_template(const Instance& first, std::string_view base) {
  std::string plain(base), symbol(base);
  for (const auto& [placeholder, meaning] : first.names) plain += "." + meaning, symbol += "." + placeholder;
  if (plain != first.symbol) throw InternalError("unexpected symbol " + first.symbol + " instead of " + plain);
  return symbol;
}

Instance make_template(Instance first, std::string_view base) {
  const auto symbol = symbol_template(first, base);
  auto line = replaced(first.text.line, "@" + first.symbol + "(", "@(");
  first.text.line = replaced(with_placeholders(std::move(line), first.types), "@(", "@" + symbol + "(");
  first.symbol = symbol;
  first.ret = with_placeholders(first.ret, first.types);
  for (auto& param : first.params) param = with_placeholders(param, first.types);
  return first;
}

void check(const Instance& form, const Instance& actual) {
  Texts all = actual.types;
  all.insert(all.end(), actual.names.begin(), actual.names.end());
  bool fits = expanded(form.text.line, all) == actual.text.line && expanded(form.symbol, all) == actual.symbol &&
              expanded(form.ret, all) == actual.ret && form.text.comment == actual.text.comment &&
              form.text.group == actual.text.group && form.immediate == actual.immediate;
  for (std::size_t i = 0; fits && i < form.params.size(); ++i) fits = expanded(form.params[i], all) == actual.params[i];
  if (!fits) throw InternalError("the template '" + form.text.line + "' does not fit '" + actual.text.line + "'");
}

Json overload_words(const IntrinsicInfo& intrinsic) {
  Json words = Json::array();
  for (const auto& word : intrinsic.overloads)
    words.push_back(word.kind == IntrinsicWord::Kind::result ? "r" : std::to_string(word.value));
  return words;
}

} // namespace

nlohmann::ordered_json record_intrinsic(Op op) {
  if (!has_operation(op)) return nullptr;
  const auto& intrinsic = *find_intrinsic(op);
  if (llvm::Intrinsic::isOverloaded(intrinsic.id) == intrinsic.overloads.empty())
    throw InternalError("intrinsics.def is wrong about the overloads of " + std::string(intrinsic.name));
  const auto list = samples(op);
  auto form = instantiate(op, list.front());
  const bool fixed = list.size() == 1;
  if (!fixed) form = make_template(std::move(form), intrinsic.name);
  for (const auto& sample : list) check(form, instantiate(op, sample));
  Json entry = {{"symbol", form.symbol},       {"declare", form.text.line},
                {"ret", form.ret},             {"params", form.params},
                {"immediate", form.immediate}, {"overloads", fixed ? Json::array() : overload_words(intrinsic)},
                {"comment", form.text.comment}, {"group", form.text.group}};
  if (auto comments = record_comments(statement(op, list.front())); !comments.is_null()) entry["immediate_comment"] = comments;
  return entry;
}

} // namespace twinir
