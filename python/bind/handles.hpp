// SPDX-License-Identifier: MIT
// Internal to the Python module: kernel values as Python holds them, and operands from Python objects.
#pragma once
// A value, pointer or buffer keeps its builder alive, so that no Python object can outlive what it refers to.
#include "dsl/builder.hpp"
#include "dsl/error.hpp"

#include <map>
#include <memory>
#include <optional>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <unordered_map>
#include <vector>

namespace twinir::python {
namespace py = pybind11;

/// The builder behind every value that Python sees.
class AuthoredKernel final : public KernelBuilder, public std::enable_shared_from_this<AuthoredKernel> {
public:
  using KernelBuilder::KernelBuilder;
  std::map<std::string, Type> elements; ///< of the pointer parameters
  /// Notes the author's line for a value that is new.
  void note(const Value& value);
  /// finish(), whose error for a value outside its region names the line that made the value.
  [[nodiscard]] KernelDef finish_authored();
  /// name -> (file, line) of every noted value that is part of the finished kernel.
  [[nodiscard]] py::dict lines() const;

private:
  struct Line {
    py::object file;
    int line;
  };
  std::unordered_map<const graph::Node*, Line> lines_; // looked up, and sorted by name when given out
};
using Owner = std::shared_ptr<AuthoredKernel>;

/// The owner of a value that came from a function of the DSL.
[[nodiscard]] Owner owner_of(const Value& value);

struct PyValue {
  Value value;
  Owner owner;
  explicit PyValue(const Value& v) : value(v), owner(owner_of(v)) {
    if (owner) owner->note(v);
  }
};
struct PyPointer {
  Pointer pointer;
  Owner owner;
};
struct PyBuffer {
  Buffer buffer;
  Owner owner;
};

/// A kernel value or a number; empty for anything else.
[[nodiscard]] std::optional<Arg> find_arg(py::handle object);
/// The same; UserError type_mismatch for anything else.
[[nodiscard]] Arg to_arg(py::handle object);
[[nodiscard]] KernelBuilder::Values to_values(const std::vector<PyValue>& values);
[[nodiscard]] std::vector<PyValue> from_values(const KernelBuilder::Values& values);

/// Raises twinir.Error with a line of the author that is not on the stack any more.
[[noreturn]] void raise_at(const Diagnostic& diagnostic, const py::object& file, int line);

// One function per file of this folder.
void bind_errors(py::module_& m);
void bind_types(py::module_& m);
void bind_values(py::module_& m);
void bind_functions(py::module_& m);
void bind_memory(py::module_& m);
void bind_kernel(py::module_& m);
void bind_builder(py::module_& m);
void bind_toolchain(py::module_& m);
void bind_executor(py::module_& m);
void bind_families(py::module_& m);
void bind_conv(py::module_& m);
void bind_wave(py::module_& m);
void bind_atomics(py::class_<PyPointer>& c);

} // namespace twinir::python
