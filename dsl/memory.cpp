// SPDX-License-Identifier: MIT
#include "dsl/memory.hpp"

#include "dsl/build_internal.hpp"

namespace twinir {
namespace {

graph::Space space_of(const Pointer& p) {
  if (p.address().type().scalar == Scalar::p3) return graph::Space::lds;
  const bool read_only = p.kind() == ParamKind::in;
  return read_only ? graph::Space::invariant : graph::Space::global;
}

void allow(bool ok, const char* what, const char* instead, const std::source_location& where) {
  if (!ok)
    throw UserError({Code::type_mismatch, what, instead,
                     "declare the parameter as one that is read and written: global(), in Python InOut",
                     place(where)});
}

int natural(Type type, int align) { return align ? align : static_cast<int>(byte_size(type.scalar)); }

std::vector<std::string> flags(bool invariant, Cache cache) {
  std::vector<std::string> out;
  if (invariant) out.emplace_back("invariant");
  if (cache == Cache::non_temporal) out.emplace_back("nontemporal");
  return out;
}

} // namespace

namespace {
/// The builder that a pointer or resource belongs to; an empty one belongs to none.
KernelBuilder& owner(const Value& v, const std::source_location& where) {
  if (v.kernel()) return *v.kernel();
  throw UserError({Code::foreign_value, "an empty pointer or buffer", "one that a kernel builder gave", "declare it with the builder", place(where)});
}
} // namespace

Value Pointer::element_address(Arg index, bool inbounds) const {
  auto& k = owner(address_, index.where);
  auto* at = index.value() ? k.node(index, i32) : k.node(index, address_.type().scalar == Scalar::p3 ? i32 : i64);
  return k.make(Op::gep, address_.type(), {address_.node(), at}, index.where,
                {inbounds ? std::vector<std::string>{"inbounds"} : std::vector<std::string>{}, {}, {}, element_});
}

namespace {
/// An index that always knows its builder.
Arg in_kernel(const Pointer& p, const Arg& index) {
  if (index.value()) return index;
  auto& k = owner(p.address(), index.where);
  return {Value(&k, k.node(index, p.address().type().scalar == Scalar::p3 ? i32 : i64)), index.where};
}
} // namespace

Ref Pointer::operator[](Arg index) const { return {*this, in_kernel(*this, index)}; }

Pointer Pointer::operator+(Arg index) const { return {element_address(in_kernel(*this, index)), element_, kind_}; }
Pointer Pointer::shifted(Arg index) const { return {element_address(in_kernel(*this, index), false), element_, kind_}; }

Value Pointer::load(Type type, Arg index, int align, Cache cache) const {
  allow(kind_ != ParamKind::out, "a load through a write-only pointer", "a pointer that may be read", index.where);
  const auto at = element_address(in_kernel(*this, index));
  const auto space = space_of(*this);
  return address_.kernel()->make(Op::load, type, {at.node()}, index.where,
                                 {flags(space == graph::Space::invariant, cache), {{"align", natural(type, align), {}}}, {}, {}, static_cast<int>(space)});
}

void Pointer::store(Arg index, Arg value, int align, Cache cache) const {
  allow(kind_ != ParamKind::in, "a store through a read-only pointer", "a pointer that may be written", index.where);
  auto& k = owner(address_, index.where);
  const auto at = element_address(in_kernel(*this, index));
  auto* node = k.node(value, element_);
  const bool bytes = element_.scalar == Scalar::i8; // raw memory, addressed by bytes
  if (node->type.scalar != element_.scalar && !bytes)
    throw UserError({Code::type_mismatch,
                     "a store of " + to_string(node->type) + " to elements of " + to_string(element_),
                     "elements of one type",
                     "convert the value (fpcast, trunc, bitcast), or the pointer (as)", place(value.where)});
  k.act(Op::store, {node, at.node()}, value.where, {{"align", natural(node->type, align), {}}}, flags(false, cache));
}

Value Pointer::load_if(Arg condition, Type type, Arg index, Arg otherwise, int align) const {
  auto& k = owner(address_, index.where);
  const Value other(&k, k.node(otherwise, type));
  return k.if_value(condition, [&] { return load(type, index, align); }, [&] { return other; });
}

void Pointer::store_if(Arg condition, Arg index, Arg value, int align) const {
  owner(address_, index.where).if_(condition, [&] { store(index, value, align); });
}

Value Buffer::load(Type type, Arg offset, Arg uniform) const {
  allow(kind_ != ParamKind::out, "a load through a write-only pointer", "a pointer that may be read", offset.where);
  auto& k = owner(resource_, offset.where);
  const auto space = kind_ == ParamKind::in ? graph::Space::invariant : graph::Space::global;
  return k.make(Op::buffer_load, type, {resource_.node(), k.node(offset, i32), k.node(uniform, i32)}, offset.where,
                {{}, {{"aux", 0, {}}}, {}, {}, static_cast<int>(space)});
}

void Buffer::store(Arg offset, Arg value, Arg uniform) const {
  allow(kind_ != ParamKind::in, "a store through a read-only pointer", "a pointer that may be written", offset.where);
  auto& k = owner(resource_, offset.where);
  k.act(Op::buffer_store, {value.value() ? value.value()->node() : k.node(value, i32), resource_.node(), k.node(offset, i32), k.node(uniform, i32)},
        value.where, {{"aux", 0, {}}});
}

} // namespace twinir
