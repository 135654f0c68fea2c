// SPDX-License-Identifier: MIT
// Which line of the author's Python a value came from; faults of launches name it.
#include "dsl/graph.hpp"
#include "python/bind/handles.hpp"

#include <set>

namespace twinir::python {
namespace {

/// The folder of this module, which is that of the package's Python files.
const std::string& package() {
  static const std::string folder = [] {
    const auto file = py::module_::import("twinir._core").attr("__file__").cast<std::string>();
    return file.substr(0, file.rfind('/') + 1);
  }();
  return folder;
}

py::object file_of(PyFrameObject* frame) {
  const auto code = py::reinterpret_steal<py::object>(reinterpret_cast<PyObject*>(PyFrame_GetCode(frame)));
  return code.attr("co_filename");
}

bool is_ours(const py::object& file) {
  const auto path = file.cast<std::string>();
  return path.starts_with(package()) || path.ends_with("/contextlib.py");
}

} // namespace

void AuthoredKernel::note(const Value& value) {
  if (value.node() == nullptr || lines_.contains(value.node())) return;
  auto frame = py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(PyEval_GetFrame()));
  while (frame) {
    auto* raw = reinterpret_cast<PyFrameObject*>(frame.ptr());
    auto file = file_of(raw);
    if (!is_ours(file)) {
      lines_.emplace(value.node(), Line{std::move(file), PyFrame_GetLineNumber(raw)});
      return;
    }
    frame = py::reinterpret_steal<py::object>(reinterpret_cast<PyObject*>(PyFrame_GetBack(raw)));
  }
}

KernelDef AuthoredKernel::finish_authored() {
  try {
    return finish();
  } catch (const graph::OutOfScope& e) {
    const auto line = lines_.find(e.node());
    if (line == lines_.end()) throw;
    raise_at(e.diagnostic(), line->second.file, line->second.line);
  }
}

py::dict AuthoredKernel::lines() const {
  std::map<std::string, const Line*> sorted;
  for (const auto& [node, line] : lines_)
    if (!node->name.empty()) sorted[node->name] = &line;
  py::dict out;
  for (const auto& [name, line] : sorted) out[name.c_str()] = py::make_tuple(line->file, line->line);
  return out;
}

} // namespace twinir::python
