// SPDX-License-Identifier: MIT
// UserError as twinir.Error. The Python side adds the author's own line.
#include "dsl/error.hpp"
#include "python/bind/handles.hpp"

namespace twinir::python {
namespace {

/// Raises what twinir._errors makes of it.
void raise(const char* maker, const py::tuple& arguments) {
  try {
    const py::object error = py::module_::import("twinir._errors").attr(maker)(*arguments);
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
  } catch (py::error_already_set& e) {
    e.restore();
  }
}

} // namespace

void raise_at(const Diagnostic& d, const py::object& file, int line) {
  raise("make_error_at", py::make_tuple(to_string(d.code), d.found, d.expected, d.action, file, line));
  throw py::error_already_set();
}

void bind_errors(py::module_& m) {
  py::register_local_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const UserError& e) {
      const auto& d = e.diagnostic();
      raise("make_error", py::make_tuple(to_string(d.code), d.found, d.expected, d.action));
    } catch (const InternalError& e) {
      raise("make_internal_error", py::make_tuple(e.what()));
    }
  });
  m.def("summary", [](const std::string& code) {
    const int number = code.starts_with("TIR") ? std::atoi(code.c_str() + 3) : 0;
    return std::string(summary(static_cast<Code>(number)));
  });
  m.def("refuse_host_control", [](const std::string& found, const std::string& action) {
    throw UserError({Code::host_control, found, "a Python value", action, {}});
  });
}

} // namespace twinir::python
