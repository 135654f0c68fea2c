// SPDX-License-Identifier: MIT
// Parameters, constants, identity, memory and names; control flow is in control.cpp.
#include "dsl/builder.hpp"

#include "dsl/builder_state.hpp"
#include "dsl/constant.hpp"
#include "dsl/error.hpp"
#include "dsl/verify.hpp"

#include <algorithm>

namespace twinir {

KernelBuilder::KernelBuilder(KernelIdentity identity, const Target& target, Workgroup block, std::source_location where)
    : target_(target), block_(block), state_(std::make_unique<State>()) {
  auto& def = state_->def;
  def.name = std::move(identity.name);
  state_->bound = std::move(identity.bound);
  def.target = target.name;
  def.block[0] = block.x, def.block[1] = block.y, def.block[2] = block.z;
  state_->names.insert("entry");
  with_place(where, [&] {
    KernelDef head = def; // the limits of the work-group are known now: say so at the author's line
    verify(head);
  });
}

KernelBuilder::~KernelBuilder() = default;

void KernelBuilder::check_open(const std::source_location& where) const {
  if (!state_->finished) return;
  throw UserError({Code::builder_finished, "a call on the builder of '" + state_->def.name + "' after finish()",
                   "no calls after finish()", "make a new builder", place(where)});
}

std::string KernelBuilder::take_name(const std::string& name, const char* what) {
  check_open(std::source_location::current());
  if (!state_->names.insert(name).second)
    throw UserError({Code::duplicate_name, std::string(what) + " '" + name + "' of kernel '" + state_->def.name + "'",
                     "names that differ, and not 'entry'", "rename one of them", {}});
  return name;
}

// --- parameters

Pointer KernelBuilder::pointer(std::string name, Type element, ParamKind kind, Scalar space, PointerOptions options) {
  take_name(name, "parameter");
  const int align = options.align ? options.align : static_cast<int>(std::max(1u, byte_size(element.scalar)));
  state_->def.params.push_back({name, {space, 1}, kind, align, options.dereferenceable});
  return {Value(this, state_->named_leaf({space, 1}, name)), element, kind};
}

Pointer KernelBuilder::global_in(std::string name, Type element, PointerOptions options) {
  return pointer(std::move(name), element, ParamKind::in, Scalar::p1, options);
}
Pointer KernelBuilder::global_out(std::string name, Type element, PointerOptions options) {
  return pointer(std::move(name), element, ParamKind::out, Scalar::p1, options);
}
Pointer KernelBuilder::global(std::string name, Type element, PointerOptions options) {
  return pointer(std::move(name), element, ParamKind::inout, Scalar::p1, options);
}
Pointer KernelBuilder::constant_in(std::string name, Type element, PointerOptions options) {
  return pointer(std::move(name), element, ParamKind::in, Scalar::p4, options);
}

Value KernelBuilder::arg(std::string name, Type type) {
  take_name(name, "parameter");
  if (const auto it = state_->bound.find(name); it != state_->bound.end()) {
    const auto value = constant(type, it->second);
    state_->bound.erase(it);
    return value;
  }
  state_->def.params.push_back({name, type, ParamKind::value, 0, 0});
  return {this, state_->named_leaf(type, name)};
}

void KernelBuilder::waves_per_eu(int waves) { state_->def.waves_per_eu = waves; }

Pointer KernelBuilder::lds(std::string name, Type element, std::int64_t count, int align) {
  check_open(std::source_location::current());
  state_->def.lds.push_back({name, element, count, align});
  return {Value(this, state_->named_leaf({Scalar::p3, 1}, "@" + name)), element, ParamKind::inout};
}

Buffer KernelBuilder::buffer(const Pointer& pointer, Arg bytes) {
  // Word 3 of a raw buffer descriptor for 32-bit formats, as LLVM's own lowering of raw buffers sets it.
  constexpr std::int64_t raw_flags = 0x31004000;
  const auto resource = make(Op::rsrc, {Scalar::p8, 1}, {node(Arg(pointer.address(), bytes.where), {Scalar::p1, 1}), node(bytes, i32)}, bytes.where,
                             {{}, {{"flags", raw_flags, {}}}});
  return {resource, pointer.kind()};
}

// --- constants

graph::Node* KernelBuilder::node(const Arg& arg, Type like) {
  if (const auto* v = arg.value()) {
    if (v->kernel() == this && v->node()) return v->node();
    throw UserError({Code::foreign_value, v->node() ? "a value of another kernel" : "an empty value", "a value of kernel '" + state_->def.name + "'",
                     "use values of the same builder", place(arg.where)});
  }
  return constant(like, arg).node();
}

Value KernelBuilder::constant(Type type, Arg number) {
  if (const auto* v = number.value()) return *v;
  std::optional<std::uint64_t> bits;
  std::string shown = "a number";
  if (const auto* i = std::get_if<std::int64_t>(&number.what)) {
    bits = type.is_float() ? std::optional(float_bits(type.scalar, static_cast<double>(*i)))
           : type.is_int() ? int_bits(type.scalar, *i)
                           : std::nullopt;
    shown = std::to_string(*i);
  } else if (type.is_float()) {
    bits = float_bits(type.scalar, std::get<double>(number.what));
  } else {
    shown = "a floating-point number";
  }
  if (!bits)
    throw UserError({Code::bad_constant, shown + " for " + to_string(type),
                     "a number that " + to_string(type) + " can hold", "convert it, or use another type",
                     place(number.where)});
  return {this, state_->graph.constant(type, {*bits})};
}

Value KernelBuilder::constant(Type type, std::vector<std::uint64_t> bits) { return {this, state_->graph.constant(type, std::move(bits))}; }
Value KernelBuilder::zero(Type type) { return {this, state_->graph.constant(type, {0})}; }
Value KernelBuilder::poison(Type type) { return {this, state_->graph.poison(type)}; }

// --- identity

Value KernelBuilder::id(Op op, const char* hint) { return let(hint, make(op, i32, {}, std::source_location::current())); }

Value KernelBuilder::dimension(Op x, int dimension, const char* hint) {
  if (dimension < 0 || dimension > 2)
    throw UserError({Code::bad_index, "dimension " + std::to_string(dimension), "0, 1 or 2", "correct it", {}});
  const char axis[] = {static_cast<char>('x' + dimension), 0};
  return id(static_cast<Op>(static_cast<int>(x) + dimension), (std::string(hint) + axis).c_str());
}

Value KernelBuilder::workitem(int d) { return dimension(Op::workitem_x, d, "item_"); }
Value KernelBuilder::workgroup(int d) { return dimension(Op::workgroup_x, d, "group_"); }

Value KernelBuilder::num_groups(int d) {
  // The first three words of the hidden arguments of code object version 5 and later.
  const auto hidden = make(Op::implicit_args, {Scalar::p4, 1}, {}, std::source_location::current());
  return Pointer(hidden, i32, ParamKind::in).load(i32, d, 4);
}

Value KernelBuilder::global_id(int d) {
  const int extent[] = {block_.x, block_.y, block_.z};
  // Below 2^32 by the limits of a launch; not below 2^31, so no nsw.
  return add(mul(workgroup(d), extent[d], Wrap::nuw), workitem(d), Wrap::nuw);
}

Value KernelBuilder::global_size(int d) {
  const int extent[] = {block_.x, block_.y, block_.z};
  return num_groups(d) * extent[d];
}

Value KernelBuilder::flat_item() {
  auto flat = workitem(0);
  if (block_.y > 1) flat = workitem(1) * block_.x + flat;
  if (block_.z > 1) flat = workitem(2) * (block_.x * block_.y) + flat;
  return flat;
}

Value KernelBuilder::lane() {
  const auto here = std::source_location::current();
  const auto ones = constant(i32, -1);
  const auto low = make(Op::mbcnt_lo, i32, {ones.node(), zero(i32).node()}, here);
  return target_.wave == 32 ? low : make(Op::mbcnt_hi, i32, {ones.node(), low.node()}, here);
}

Value KernelBuilder::wave() { return readfirstlane(lshr(flat_item(), target_.wave == 32 ? 5 : 6)); }

// --- operations

void with_place(const std::source_location& where, const std::function<void()>& check) {
  try {
    check();
  } catch (const UserError& e) {
    auto d = e.diagnostic();
    if (d.where.empty()) d.where = place(where);
    throw UserError(std::move(d));
  }
}

namespace {
Operand described(const graph::Node& n) { return {n.is_constant() ? "" : "x", n.type, n.bits, n.poison}; }

/// Types and target are checked when the operation is made, so that the error names the author's line.
void check_operation(const Stmt& s, const Target& target, const std::string& kernel, const std::source_location& where) {
  with_place(where, [&] {
    verify_types(s, kernel);
    if (!target.has(info(s.op).feature))
      throw UserError({Code::op_not_on_target, "operation '" + std::string(info(s.op).name) + "' in kernel '" + kernel + "'",
                       "an operation that " + std::string(target.name) + " has", "choose another target or another way", {}});
  });
}
} // namespace

Value KernelBuilder::make(Op op, Type type, std::vector<graph::Node*> args, const std::source_location& where, OpExtra extra) {
  check_open(where);
  Stmt s;
  s.op = op, s.type = type, s.element = extra.element, s.mask = extra.mask;
  for (const auto* a : args) s.args.push_back(described(*a));
  check_operation(s, target_, state_->def.name, where);
  graph::Node n;
  n.op = op, n.type = type, n.args = std::move(args), n.element = extra.element;
  n.flags = std::move(extra.flags), n.attributes = std::move(extra.attributes), n.mask = std::move(extra.mask);
  if (extra.space >= 0) n.space = static_cast<graph::Space>(extra.space);
  if (auto* simpler = graph::fold(state_->graph, n)) return {this, simpler};
  return {this, state_->graph.intern(std::move(n))};
}

namespace {
using Writes = std::array<bool, graph::spaces>;
/// A monotonic atomic orders its own address space only; any other is a fence as well.
Writes writes_of_atomic(const graph::Node& pointer, const std::vector<Attribute>& attributes) {
  const bool fence = std::ranges::none_of(attributes, [](const auto& a) { return a.word == "monotonic"; });
  const bool lds = pointer.type.scalar == Scalar::p3;
  return {fence || !lds, fence || lds, false};
}

Writes writes(Op op, const std::vector<graph::Node*>& args) {
  switch (op) {
  case Op::store: {
    const bool lds = args[1]->type.scalar == Scalar::p3;
    return {!lds, lds, false};
  }
  case Op::buffer_store: return {true, false, false};
  case Op::assert_:
  case Op::trap: return {};
  case Op::async_load_b32:
  case Op::async_load_b64:
  case Op::async_load_b128:
  case Op::wait_async:
  case Op::load_lds_b32:
  case Op::load_lds_b96:
  case Op::load_lds_b128:
  case Op::wait_load_lds: return {false, true, false};
  case Op::sched_barrier: return {true, true, true};
  case Op::setprio: return {};
  default: return {true, true, false}; // barriers and fences
  }
}
} // namespace

void KernelBuilder::act(Op op, std::vector<graph::Node*> args, const std::source_location& where, std::vector<Attribute> attributes,
                        std::vector<std::string> flags) {
  check_open(where);
  Stmt s;
  s.op = op;
  for (const auto* a : args) s.args.push_back(described(*a));
  check_operation(s, target_, state_->def.name, where);
  graph::Action action;
  action.op = op, action.attributes = std::move(attributes), action.flags = std::move(flags);
  action.writes = writes(op, args);
  action.args = std::move(args);
  state_->graph.act(std::move(action));
}

Value KernelBuilder::act_for(Op op, Type type, std::vector<graph::Node*> args,
                             const std::source_location& where, std::vector<Attribute> attributes,
                             std::vector<std::string> flags) {
  check_open(where);
  Stmt s;
  s.op = op, s.type = type;
  for (const auto* a : args) s.args.push_back(described(*a));
  check_operation(s, target_, state_->def.name, where);
  auto& g = state_->graph;
  auto* result = g.leaf(type, "", g.current());
  result->effect = Effect::effect;
  graph::Action action;
  action.op = op, action.writes = writes_of_atomic(*args[0], attributes);
  action.args = std::move(args), action.attributes = std::move(attributes), action.flags = std::move(flags);
  action.results = {result};
  g.act(std::move(action));
  return {this, result};
}

void KernelBuilder::assert_that(Arg condition, const std::string& name) {
  check_open(condition.where);
  auto* c = node(condition, i1);
  Stmt s;
  s.op = Op::assert_, s.args = {described(*c)};
  check_operation(s, target_, state_->def.name, condition.where);
  if (c->is_uniform() && c->bits[0] == 1) return;
  graph::Action action;
  action.op = Op::assert_, action.args = {c}, action.hint = name;
  state_->graph.act(std::move(action));
}

void KernelBuilder::trap() { act(Op::trap, {}, std::source_location::current()); }

Value KernelBuilder::let(const std::string& name, Arg value) {
  auto* n = node(value, i32);
  // Equal values are one node: the smallest of its names is taken, whatever the order in which they were given.
  const bool nameable =
      n->kind == graph::Node::Kind::op || n->effect == Effect::effect; // an atomic's result is a leaf
  if (nameable && (n->hint.empty() || name < n->hint)) n->hint = name;
  return {this, n};
}

KernelDef KernelBuilder::finish() {
  const auto here = std::source_location::current();
  check_open(here);
  if (!state_->bound.empty())
    throw UserError({Code::unknown_binding, "a value for '" + state_->bound.begin()->first + "' of kernel '" + state_->def.name + "'",
                     "names of the kernel's integer arguments", "correct the name, or leave it out", {}});
  if (!state_->blocks.empty())
    throw UserError({Code::open_block,
                     std::string(state_->blocks.back().is_if() ? "an open if" : "an open loop") +
                         " at the end of kernel '" + state_->def.name + "'",
                     "blocks that have ended", "end it before finish()", place(state_->blocks.back().where)});
  while (state_->graph.current()->parent) state_->close_return(); // early returns
  state_->graph.leave({});
  state_->finished = true;
  auto def = std::move(state_->def);
  def.body = graph::schedule(state_->graph, state_->names);
  verify(def);
  return def;
}

} // namespace twinir
