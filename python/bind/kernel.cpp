// SPDX-License-Identifier: MIT
// KernelDef: a finished kernel.
#include "dsl/json.hpp"
#include "dsl/pretty.hpp"
#include "python/bind/handles.hpp"

namespace twinir::python {
namespace {

py::dict describe(const Param& p) {
  py::dict out;
  out["name"] = p.name;
  out["type"] = to_string(p.type);
  out["kind"] = std::string(to_string(p.kind));
  return out;
}

py::list params(const KernelDef& k) {
  py::list out;
  for (const auto& p : k.params) out.append(describe(p));
  return out;
}

} // namespace

void bind_kernel(py::module_& m) {
  py::class_<KernelDef, std::shared_ptr<KernelDef>>(m, "KernelDef", "A finished kernel, immutable.")
      .def_static("from_json", [](const std::string& text) { return std::make_shared<KernelDef>(read_json(text)); }, py::arg("text"), "Reads and verifies kernel JSON.")
      .def_property_readonly("name", [](const KernelDef& k) { return k.name; })
      .def_property_readonly("target", [](const KernelDef& k) { return k.target; })
      .def_property_readonly("block", [](const KernelDef& k) { return py::make_tuple(k.block[0], k.block[1], k.block[2]); })
      .def_property_readonly("params", &params)
      .def_property_readonly("json", [](const KernelDef& k) { return write_json(k); })
      .def_property_readonly("text", [](const KernelDef& k) { return pretty(k); })
      .def("__eq__", [](const KernelDef& a, const KernelDef& b) { return a == b; }, py::is_operator());
}

} // namespace twinir::python
