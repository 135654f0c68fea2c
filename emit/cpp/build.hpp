// SPDX-License-Identifier: MIT
// Which build of LLVM this plugin belongs to; CMake writes the source (build.cpp.in).
#pragma once

namespace twinir {

struct Build {
  const char* flavor; ///< "llvm22", or the name of TWINIR_LLVM_EXTRA
  const char* llvm;   ///< "22.1.8"; of a development snapshot also which one: "24.0.0 (24~++2026...)"
  const char* from;   ///< the folder of TWINIR_LLVM_EXTRA; empty for the others
};

extern const Build build;

} // namespace twinir
