// SPDX-License-Identifier: MIT
// Flavors, emission by LLVM, and compiling in worker processes.
#include "emit/compile_pool.hpp"
#include "emit/files.hpp"
#include "emit/plugins.hpp"
#include "parity/flavors.hpp"
#include "python/bind/handles.hpp"

namespace twinir::python {
namespace {

py::dict describe(const FlavorInfo& f) {
  py::dict out;
  out["name"] = f.name;
  out["llvm"] = f.llvm;
  out["file"] = f.file.string();
  out["installed"] = f.installed;
  out["links"] = f.links;
  out["compiles"] = std::vector<std::string>(f.compiles.begin(), f.compiles.end());
  out["usual"] = f.usual;
  return out;
}

py::list flavors() {
  const auto found = [] {
    const py::gil_scoped_release release;
    return find_flavors(find_places());
  }();
  py::list out;
  for (const auto& f : found) out.append(describe(f));
  return out;
}

std::string emit(const std::string& flavor, const std::string& kernel_json) {
  const py::gil_scoped_release release; // LLVM may take milliseconds
  return plugin_of(flavor).emit(kernel_json);
}

Output output_of(const std::string& form) {
  if (form == "code-object") return Output::code_object;
  if (form == "object") return Output::object;
  if (form == "assembly") return Output::assembly;
  if (form == "ir") return Output::optimised_ir;
  throw UserError({Code::bad_usage, "form '" + form + "'", "code-object, object, assembly or ir", "choose one of them", {}});
}

py::tuple compile(CompilePool& pool, const std::string& flavor, const std::string& kernel, const std::string& text, const std::string& arch,
                  unsigned opt, const std::string& form) {
  const auto compiled = [&] {
    const py::gil_scoped_release release;
    return pool.compile({flavor, kernel, text, {arch, opt, output_of(form)}});
  }();
  return py::make_tuple(py::bytes(compiled.bytes), compiled.report.json);
}

py::dict places() {
  const auto p = find_places();
  py::dict out;
  out["flavors"] = p.flavors.string();
  out["python"] = p.python.string();
  out["program"] = worker_program().string();
  return out;
}

} // namespace

void bind_toolchain(py::module_& m) {
  m.def("flavors", &flavors);
  m.def("emit", &emit, py::arg("flavor"), py::arg("kernel_json"));
  m.def("places", &places);
  m.def("write_file", [](const std::string& path, const std::string& text) { write_file(path, text); }, py::arg("path"), py::arg("text"));
  py::class_<CompilePool>(m, "CompilePool", "Warm worker processes that compile; what LLVM does not survive ends a worker only.")
      .def(py::init<>())
      .def("compile", &compile, py::arg("flavor"), py::arg("kernel"), py::arg("text"), py::arg("arch"), py::arg("opt"), py::arg("form"));
}

} // namespace twinir::python
