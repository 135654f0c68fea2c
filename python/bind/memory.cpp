// SPDX-License-Identifier: MIT
// Pointers and buffer resources.
#include "python/bind/handles.hpp"

namespace twinir::python {
namespace {

/// Stores, and notes the line for the address: a store has no value of its own.
template <class Store> void noted(const PyPointer& p, const Arg& index, Store store) {
  store();
  p.owner->note((p.pointer + index).address());
}

Cache cache_of(bool non_temporal) { return non_temporal ? Cache::non_temporal : Cache::normal; }
Type or_element(const std::optional<Type>& type, const PyPointer& p) { return type.value_or(p.pointer.element()); }

void bind_pointer(py::module_& m) {
  py::class_<PyPointer> pointer(
      m, "Pointer",
      "A pointer to elements of one type in global, LDS or constant memory; offsets count elements.");
  bind_atomics(pointer);
  pointer
      .def(
          "__getitem__",
          [](const PyPointer& p, py::handle i) {
            return PyValue(p.pointer.load(p.pointer.element(), to_arg(i)));
          },
          py::arg("index"), "Loads an element.")
      .def(
          "__setitem__",
          [](const PyPointer& p, py::handle i, py::handle v) {
            noted(p, to_arg(i), [&] { p.pointer.store(to_arg(i), to_arg(v)); });
          },
          py::arg("index"), py::arg("value"), "Stores an element, or a vector from there on.")
      .def(
          "__add__",
          [](const PyPointer& p, py::handle i) {
            return PyPointer{p.pointer + to_arg(i), p.owner};
          },
          py::arg("index"), "The pointer so many elements on.")
      .def(
          "shifted",
          [](const PyPointer& p, py::handle i) {
            return PyPointer{p.pointer.shifted(to_arg(i)), p.owner};
          },
          py::arg("index"),
          "As +, but the address may lie outside the object until a further offset brings it back.")
      .def(
          "as_type",
          [](const PyPointer& p, const Type& t) {
            return PyPointer{p.pointer.as(t), p.owner};
          },
          py::arg("type"), "The same address as a pointer to another type.")
      .def(
          "load",
          [](const PyPointer& p, py::handle i, const std::optional<Type>& t, int align, bool nt) {
            return PyValue(p.pointer.load(or_element(t, p), to_arg(i), align, cache_of(nt)));
          },
          py::arg("index"), py::arg("type") = py::none(), py::kw_only(), py::arg("align") = 0,
          py::arg("non_temporal") = false,
          "A value of `type` (default: the element's) at element `index`; align in bytes, 0: the size of a "
          "scalar of `type`.")
      .def(
          "store",
          [](const PyPointer& p, py::handle i, py::handle v, int align, bool nt) {
            noted(p, to_arg(i), [&] { p.pointer.store(to_arg(i), to_arg(v), align, cache_of(nt)); });
          },
          py::arg("index"), py::arg("value"), py::kw_only(), py::arg("align") = 0,
          py::arg("non_temporal") = false, "Writes a value at element `index`.")
      .def(
          "load_if",
          [](const PyPointer& p, py::handle c, py::handle i, py::handle otherwise,
             const std::optional<Type>& t, int align) {
            return PyValue(
                p.pointer.load_if(to_arg(c), or_element(t, p), to_arg(i), to_arg(otherwise), align));
          },
          py::arg("condition"), py::arg("index"), py::arg("otherwise"), py::arg("type") = py::none(),
          py::kw_only(), py::arg("align") = 0,
          "As load; `otherwise` where the condition does not hold, and nothing is read there.")
      .def(
          "store_if",
          [](const PyPointer& p, py::handle c, py::handle i, py::handle v, int align) {
            p.pointer.store_if(to_arg(c), to_arg(i), to_arg(v), align);
          },
          py::arg("condition"), py::arg("index"), py::arg("value"), py::kw_only(), py::arg("align") = 0,
          "Stores where the condition holds.")
      .def_property_readonly(
          "address", [](const PyPointer& p) { return PyValue(p.pointer.address()); },
          "The address, as a value.")
      .def_property_readonly(
          "element", [](const PyPointer& p) { return p.pointer.element(); }, "Type of the elements.")
      .def("__repr__",
           [](const PyPointer& p) { return "<pointer to " + to_string(p.pointer.element()) + ">"; });
}

void bind_buffer(py::module_& m) {
  py::class_<PyBuffer>(m, "Buffer", "A raw buffer resource: the hardware checks every access against its size. Offsets count bytes.")
      .def("load", [](const PyBuffer& b, const Type& t, py::handle o, py::handle u) { return PyValue(b.buffer.load(t, to_arg(o), to_arg(u))); }, py::arg("type"),
           py::arg("offset"), py::arg("uniform") = 0, "A value at byte `offset` plus the wave-uniform byte offset `uniform`; zeros when out of range.")
      .def("store", [](const PyBuffer& b, py::handle o, py::handle v, py::handle u) { b.buffer.store(to_arg(o), to_arg(v), to_arg(u)); }, py::arg("offset"),
           py::arg("value"), py::arg("uniform") = 0, "Writes nothing when out of range.");
}

} // namespace

void bind_memory(py::module_& m) {
  bind_pointer(m);
  bind_buffer(m);
}

} // namespace twinir::python
