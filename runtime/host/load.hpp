// SPDX-License-Identifier: MIT
// Loading: from IR text to a function of the host.
#pragma once
#include "runtime/host/image.hpp"
#include "runtime/host/llvm.hpp"

#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <memory>
#include <string_view>

/// The handle of the C interface.
struct twinir_exec_kernel {
  twinir::exec::KernelImage image;
  std::unique_ptr<llvm::orc::LLJIT> jit; ///< owns the code
};

namespace twinir::exec {

struct LoadOptions {
  bool checked = false;
  unsigned opt_level = 2;
};

/// Parses, lowers and compiles; throws Refusal.
[[nodiscard]] std::unique_ptr<twinir_exec_kernel> load_kernel(std::string_view ir,
                                                              const LoadOptions& options);

} // namespace twinir::exec
