// SPDX-License-Identifier: MIT
// What the lanes of a wave do together (dsl/wave.hpp), and atomics (dsl/memory.hpp).
#include "dsl/wave.hpp"

#include "dsl/error.hpp"
#include "python/bind/handles.hpp"

namespace twinir::python {
namespace {

/// The place of a word in a list; refused when it is not there.
template <class Enum> Enum word(const char* what, const std::string& name, std::initializer_list<const char*> words) {
  int i = 0;
  std::string known;
  for (const char* w : words) {
    if (name == w) return static_cast<Enum>(i);
    ++i;
    known += (known.empty() ? "" : ", ") + std::string(w);
  }
  throw UserError({Code::bad_attribute, std::string(what) + " '" + name + "'", "one of " + known, "choose one of these", {}});
}

Scope scope_of(const std::string& name) { return word<Scope>("scope", name, {"wavefront", "workgroup", "agent", "system"}); }
Order order_of(const std::string& name) { return word<Order>("order", name, {"monotonic", "acquire", "release", "acq_rel"}); }
Combine how_of(const std::string& name) { return word<Combine>("combination", name, {"add", "min", "max"}); }

void bind_votes_and_shuffles(py::module_& m) {
  m.def("wave_any", [](py::handle c) { return PyValue(wave_any(to_arg(c))); }, py::arg("condition"), "i1, uniform: does the condition hold in any active lane?");
  m.def("wave_all", [](py::handle c) { return PyValue(wave_all(to_arg(c))); }, py::arg("condition"), "i1, uniform: does the condition hold in all active lanes?");
  m.def("wave_shuffle", [](py::handle v, py::handle lane) { return PyValue(wave_shuffle(to_arg(v), to_arg(lane))); }, py::arg("value"), py::arg("lane"),
        "The value of lane `lane`, modulo the wave; each lane may ask for another one.");
  using Shuffle = Value (*)(Arg, int);
  const std::tuple<const char*, Shuffle, const char*, const char*> shuffles[] = {
      {"wave_shuffle_xor", wave_shuffle_xor, "mask", "The value of the lane whose number differs in the bits of `mask`."},
      {"wave_shuffle_up", wave_shuffle_up, "distance", "The value of the lane `distance` below; the lane's own where there is none."},
      {"wave_shuffle_down", wave_shuffle_down, "distance", "The value of the lane `distance` above; the lane's own where there is none."}};
  for (const auto& [name, f, argument, help] : shuffles)
    m.def(name, [f = f](py::handle v, int n) { return PyValue(f(to_arg(v), n)); }, py::arg("value"), py::arg(argument), help);
}

void bind_reductions(py::module_& m) {
  using Reduce = Value (*)(Arg, Combine);
  const std::tuple<const char*, Reduce, const char*> rows[] = {
      {"wave_reduce", wave_reduce, "All lanes' values as one, in every lane; how: add, min or max. Every lane must be active."},
      {"wave_inclusive_scan", wave_inclusive_scan, "The values of the lanes up to and with this one as one; how: add, min or max."},
      {"wave_exclusive_scan", wave_exclusive_scan, "The values of the lanes below this one as one; the first lane has the neutral value."}};
  for (const auto& [name, f, help] : rows)
    m.def(name, [f = f](py::handle v, const std::string& how) { return PyValue(f(to_arg(v), how_of(how))); }, py::arg("value"), py::arg("how") = "add", help);
}

} // namespace

void bind_wave(py::module_& m) {
  bind_votes_and_shuffles(m);
  bind_reductions(m);
}

void bind_atomics(py::class_<PyPointer>& c) {
  using Atomic = Value (Pointer::*)(Arg, Arg, Scope, Order) const;
  const std::tuple<const char*, Atomic, const char*> rows[] = {
      {"atomic_add", &Pointer::atomic_add, "element += value"},
      {"atomic_sub", &Pointer::atomic_sub, "element -= value"},
      {"atomic_umin", &Pointer::atomic_umin, "element = unsigned minimum"},
      {"atomic_umax", &Pointer::atomic_umax, "element = unsigned maximum"},
      {"atomic_smin", &Pointer::atomic_smin, "element = signed minimum"},
      {"atomic_smax", &Pointer::atomic_smax, "element = signed maximum"},
      {"atomic_and", &Pointer::atomic_and, "element &= value"},
      {"atomic_or", &Pointer::atomic_or, "element |= value"},
      {"atomic_xor", &Pointer::atomic_xor, "element ^= value"},
      {"atomic_exchange", &Pointer::atomic_exchange, "element = value"}};
  for (const auto& [name, f, what] : rows)
    c.def(name, [f = f](const PyPointer& p, py::handle i, py::handle v, const std::string& scope, const std::string& order) {
      return PyValue((p.pointer.*f)(to_arg(i), to_arg(v), scope_of(scope), order_of(order)));
    }, py::arg("index"), py::arg("value"), py::arg("scope") = "agent", py::arg("order") = "monotonic",
          (std::string(what) + ", in one step among `scope` (wavefront workgroup agent system); gives the old value.").c_str());
  using Float = Value (Pointer::*)(Arg, Arg, Scope, Order, Grain) const;
  const std::tuple<const char*, Float, const char*> floats[] = {{"atomic_fadd", &Pointer::atomic_fadd, "element += value"},
                                                                {"atomic_fmin", &Pointer::atomic_fmin, "element = minimum"},
                                                                {"atomic_fmax", &Pointer::atomic_fmax, "element = maximum"}};
  for (const auto& [name, f, what] : floats)
    c.def(name, [f = f](const PyPointer& p, py::handle i, py::handle v, const std::string& scope, const std::string& order, bool coarse) {
      return PyValue((p.pointer.*f)(to_arg(i), to_arg(v), scope_of(scope), order_of(order), coarse ? Grain::coarse : Grain::any));
    }, py::arg("index"), py::arg("value"), py::arg("scope") = "agent", py::arg("order") = "monotonic", py::kw_only(), py::arg("coarse") = false,
          (std::string(what) + " for floats; coarse: the host did not allocate the memory fine-grained. Gives the old value.").c_str());
  c.def("atomic_compare", [](const PyPointer& p, py::handle i, py::handle expected, py::handle desired, const std::string& scope, const std::string& order) {
    return PyValue(p.pointer.atomic_compare(to_arg(i), to_arg(expected), to_arg(desired), scope_of(scope), order_of(order)));
  }, py::arg("index"), py::arg("expected"), py::arg("desired"), py::arg("scope") = "agent", py::arg("order") = "monotonic",
        "Stores `desired` where the element equals `expected`; gives the old value.");
}

} // namespace twinir::python
