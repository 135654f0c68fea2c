// SPDX-License-Identifier: MIT
// Atomics on the elements of a pointer.
#include "dsl/build_internal.hpp"

namespace twinir {

struct Pointer::Atomic {
  Op op;
  Scope scope;
  Order order;
  Grain grain = Grain::any;
};

namespace {

const char* word(Scope scope) {
  constexpr const char* words[] = {"wavefront", "workgroup", "agent", "system"};
  return words[static_cast<std::size_t>(scope)];
}
const char* word(Order order) {
  constexpr const char* words[] = {"monotonic", "acquire", "release", "acq_rel"};
  return words[static_cast<std::size_t>(order)];
}

/// Another type would be another size, and the address of another element.
void check_type(Type value, Type element, const std::source_location& where) {
  if (value != element)
    throw UserError(
        {Code::type_mismatch,
         "an atomic with a value of type " + to_string(value) + " on elements of type " + to_string(element),
         "the type of the elements", "convert the value, or view the pointer with as()", place(where)});
}

} // namespace

Value Pointer::atomic(const Atomic& how, const Arg& index, std::initializer_list<Arg> values) const {
  if (kind_ != ParamKind::inout)
    throw UserError({Code::type_mismatch,
                     "an atomic through a pointer that may only be " +
                         std::string(kind_ == ParamKind::in ? "read" : "written"),
                     "a pointer that may be read and written", "declare the parameter with global()",
                     place(index.where)});
  const auto at = (*this + index).address();
  auto& k = *address_.kernel();
  std::vector<graph::Node*> args{at.node()};
  for (const auto& value : values) {
    args.push_back(k.node(value, element_));
    check_type(args.back()->type, element_, value.where);
  }
  std::vector<std::string> flags;
  if (how.grain == Grain::coarse) flags.emplace_back("coarse");
  return k.act_for(how.op, element_, std::move(args), index.where,
                   {{"order", 0, word(how.order)}, {"scope", 0, word(how.scope)}}, std::move(flags));
}

#define TWINIR_ATOMIC(name)                                                                                  \
  Value Pointer::name(Arg index, Arg value, Scope scope, Order order) const {                                \
    return atomic({Op::name, scope, order}, index, {value});                                                 \
  }
TWINIR_ATOMIC(atomic_add)
TWINIR_ATOMIC(atomic_sub)
TWINIR_ATOMIC(atomic_umin)
TWINIR_ATOMIC(atomic_umax)
TWINIR_ATOMIC(atomic_smin)
TWINIR_ATOMIC(atomic_smax)
TWINIR_ATOMIC(atomic_and)
TWINIR_ATOMIC(atomic_or)
TWINIR_ATOMIC(atomic_xor)
TWINIR_ATOMIC(atomic_exchange)
#undef TWINIR_ATOMIC

#define TWINIR_ATOMIC(name)                                                                                  \
  Value Pointer::name(Arg index, Arg value, Scope scope, Order order, Grain grain) const {                   \
    return atomic({Op::name, scope, order, grain}, index, {value});                                          \
  }
TWINIR_ATOMIC(atomic_fadd)
TWINIR_ATOMIC(atomic_fmin)
TWINIR_ATOMIC(atomic_fmax)
#undef TWINIR_ATOMIC

Value Pointer::atomic_compare(Arg index, Arg expected, Arg desired, Scope scope, Order order) const {
  return atomic({Op::atomic_compare, scope, order}, index, {expected, desired});
}

} // namespace twinir
