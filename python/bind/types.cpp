// SPDX-License-Identifier: MIT
// Types and targets.
#include "dsl/error.hpp"
#include "dsl/target.hpp"
#include "python/bind/handles.hpp"

namespace twinir::python {
namespace {

Type read_type(const std::string& text) {
  if (const auto type = parse_type(text)) return *type;
  throw UserError({Code::type_mismatch, "type '" + text + "'", "a type such as f32, v8f16 or i32", "correct it", {}});
}

std::size_t hash(const Type& t) { return static_cast<std::size_t>(t.scalar) * 64 + t.lanes; }

Type vector_type(const Type& t, int lanes) {
  if (!t.is_vector() && lanes >= 1 && lanes <= 32) return vec(t, lanes);
  throw UserError({Code::type_mismatch, std::to_string(lanes) + " lanes of " + to_string(t), "1 to 32 lanes of a scalar", "correct it", {}});
}

} // namespace

void bind_types(py::module_& m) {
  py::class_<Type>(m, "Type", "Type of a kernel value: a scalar, or a vector of 2 to 32 of them.")
      .def(py::init(&read_type), py::arg("name"))
      .def("__repr__", [](const Type& t) { return to_string(t); })
      .def(
          "__eq__", [](const Type& a, const Type& b) { return a == b; }, py::is_operator())
      .def("__hash__", &hash)
      .def("vec", &vector_type, py::arg("lanes"), "The vector type of so many elements.")
      .def_property_readonly(
          "scalar", [](const Type& t) { return t.element(); }, "Type of an element.")
      .def_property_readonly(
          "lanes", [](const Type& t) { return static_cast<int>(t.lanes); },
          "Elements of a vector; 1 for a scalar.")
      .def_property_readonly("bits", &Type::bits, "Bits of the whole type.")
      .def_property_readonly("bytes", &Type::bytes, "Bytes in memory.")
      .def_property_readonly("is_float", &Type::is_float, "Is it a float, or a vector of floats?")
      .def_property_readonly("is_int", &Type::is_int, "Is it an integer, or a vector of integers?");
  for (const char* name : {"i1", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"}) m.attr(name) = read_type(name);
  m.def("vec", &vector_type, py::arg("type"), py::arg("lanes"), "The vector type of `lanes` elements of `type`.");
  m.def("targets", [] {
    std::vector<std::string> out;
    for (const auto& t : all_targets()) out.emplace_back(t.name);
    return out;
  }, "Names of the GPUs that kernels can be written for.");
}

} // namespace twinir::python
