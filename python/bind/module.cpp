// SPDX-License-Identifier: MIT
// The module twinir._core.
#include "python/bind/handles.hpp"

PYBIND11_MODULE(_core, m) {
  using namespace twinir::python;
  m.doc() = "The compiled part of twinir; use the package.";
  m.attr("version") = TWINIR_VERSION;
  bind_errors(m);
  bind_types(m);
  bind_values(m);
  bind_functions(m);
  bind_memory(m);
  bind_kernel(m);
  bind_builder(m);
  bind_toolchain(m);
  bind_executor(m);
  bind_families(m);
  bind_conv(m);
  bind_wave(m);
}
