// SPDX-License-Identifier: MIT
// Value and its operators; operands from Python objects.
#include "dsl/error.hpp"
#include "python/bind/handles.hpp"

namespace twinir::python {
namespace {

std::string type_name(py::handle object) { return py::str(py::type::of(object).attr("__name__")); }

Arg integer(py::handle object) {
  const auto number = py::reinterpret_steal<py::object>(PyNumber_Index(object.ptr()));
  if (!number) throw py::error_already_set();
  int overflow = 0;
  const auto value = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  if (overflow != 0) throw UserError({Code::bad_constant, "the integer " + std::string(py::str(number)), "one of 64 bits", "use a smaller one", {}});
  return static_cast<std::int64_t>(value);
}

/// A binary operator; Python tries the other operand's when this is not one of ours.
template <class Function> auto binary(Function f) {
  return [f](const PyValue& a, py::handle b) -> py::object {
    const auto other = find_arg(b);
    if (!other) return py::reinterpret_borrow<py::object>(Py_NotImplemented);
    return py::cast(PyValue(f(Arg(a.value), *other)));
  };
}
template <class Function> auto reflected(Function f) {
  return binary([f](const Arg& a, const Arg& b) { return f(b, a); });
}

Value divide(const Arg& a, const Arg& b) {
  for (const auto* x : {&a, &b})
    if (x->value() && !x->value()->type().is_float())
      throw UserError({Code::type_mismatch, "a / b of " + to_string(x->value()->type()), "floats",
                       "use // (towards zero) or udiv for integers, or convert them first", {}});
  return a / b;
}

Value floor_divide(const Arg& a, const Arg& b) {
  for (const auto* x : {&a, &b})
    if (x->value() && !x->value()->type().is_int())
      throw UserError({Code::type_mismatch, "a // b of " + to_string(x->value()->type()), "integers", "use floor(a / b)", {}});
  return a / b;
}

[[noreturn]] void refuse(const char* what, const char* instead) {
  throw UserError({Code::host_control, std::string("a kernel value where Python needs ") + what, "a Python value", instead, {}});
}

void bind_operators(py::class_<PyValue>& c) {
#define TWINIR_BINARY(name, expression)                                                                               \
  c.def("__" name "__", binary([](const Arg& a, const Arg& b) { return expression; }), py::is_operator())             \
      .def("__r" name "__", reflected([](const Arg& a, const Arg& b) { return expression; }), py::is_operator())
  TWINIR_BINARY("add", a + b);
  TWINIR_BINARY("sub", a - b);
  TWINIR_BINARY("mul", a * b);
  TWINIR_BINARY("truediv", divide(a, b));
  TWINIR_BINARY("floordiv", floor_divide(a, b));
  TWINIR_BINARY("mod", a % b);
  TWINIR_BINARY("and", a & b);
  TWINIR_BINARY("or", a | b);
  TWINIR_BINARY("xor", a ^ b);
  TWINIR_BINARY("lshift", a << b);
  TWINIR_BINARY("rshift", a >> b);
#undef TWINIR_BINARY
  c.def("__lt__", binary([](const Arg& a, const Arg& b) { return a < b; }), py::is_operator())
      .def("__le__", binary([](const Arg& a, const Arg& b) { return a <= b; }), py::is_operator())
      .def("__gt__", binary([](const Arg& a, const Arg& b) { return a > b; }), py::is_operator())
      .def("__ge__", binary([](const Arg& a, const Arg& b) { return a >= b; }), py::is_operator())
      .def("__eq__", [](const PyValue& a, py::handle b) { return PyValue(Arg(a.value) == to_arg(b)); })
      .def("__ne__", [](const PyValue& a, py::handle b) { return PyValue(Arg(a.value) != to_arg(b)); })
      .def("__neg__", [](const PyValue& a) { return PyValue(-Arg(a.value)); })
      .def("__invert__",
           [](const PyValue& a) {
             return PyValue(a.value.type().scalar == Scalar::i1 ? !Arg(a.value) : ~Arg(a.value));
           })
      .def("__abs__", [](const PyValue& a) { return PyValue(fabs(a.value)); });
}

/// What Python would do with a value of its own.
void bind_refusals(py::class_<PyValue>& c) {
  c.def("__bool__", [](const PyValue&) -> bool {
    refuse("True or False", "write 'with k.if_(condition):' or select(condition, a, b); join conditions with "
                            "& | ~, not and, or, not; "
                            "max and min are maxnum, smax, minnum, smin");
  });
  c.def("__index__", [](const PyValue&) -> std::int64_t { refuse("an integer", "write 'with k.for_(low, high) as i:' instead of range()"); });
  c.def("__int__", [](const PyValue&) -> std::int64_t { refuse("an integer", "convert it with fptosi or fptoui"); });
  c.def("__float__", [](const PyValue&) -> double { refuse("a float", "convert it with sitofp, uitofp or fpcast"); });
  c.def("__iter__", [](const PyValue&) -> py::object { refuse("something to iterate over", "write v[0], v[1], ... up to v.type.lanes"); });
  c.attr("__hash__") = py::none();
}

} // namespace

Owner owner_of(const Value& value) {
  if (value.kernel() == nullptr) return nullptr;
  return static_cast<AuthoredKernel*>(value.kernel())->shared_from_this();
}

std::optional<Arg> find_arg(py::handle object) {
  if (py::isinstance<PyValue>(object)) return Arg(object.cast<const PyValue&>().value);
  if (PyFloat_Check(object.ptr())) return Arg(PyFloat_AS_DOUBLE(object.ptr()));
  if (PyIndex_Check(object.ptr())) return integer(object);
  if (!py::isinstance<py::str>(object) && py::hasattr(object, "__float__")) return Arg(object.cast<double>()); // numpy's floats
  return std::nullopt;
}

Arg to_arg(py::handle object) {
  if (const auto arg = find_arg(object)) return *arg;
  throw UserError({Code::type_mismatch, "an operand of Python type " + type_name(object), "a kernel value or a number",
                   py::isinstance<PyPointer>(object) ? "load an element: x[i]" : "convert it", {}});
}

KernelBuilder::Values to_values(const std::vector<PyValue>& values) {
  KernelBuilder::Values out;
  for (const auto& v : values) out.push_back(v.value);
  return out;
}

std::vector<PyValue> from_values(const KernelBuilder::Values& values) {
  std::vector<PyValue> out;
  for (const auto& v : values) out.emplace_back(v);
  return out;
}

void bind_values(py::module_& m) {
  py::class_<PyValue> c(m, "Value", "A value of one kernel. Python's operators describe operations on it.");
  c.def_property_readonly(
       "type", [](const PyValue& v) { return v.value.type(); }, "Type of the value.")
      .def(
          "__getitem__", [](const PyValue& v, int i) { return PyValue(v.value[i]); }, py::arg("index"),
          "Element of a vector.")
      .def("__repr__",
           [](const PyValue& v) { return "<kernel value of type " + to_string(v.value.type()) + ">"; });
  bind_operators(c);
  bind_refusals(c);
}

} // namespace twinir::python
