// SPDX-License-Identifier: MIT
// Attributes of kernels and of their parameters (clauses C4 and C5 of the text contract).
#pragma once
// Read by the emitter with a kernel's values and by the recorder with placeholders.
#include "dsl/kernel_def.hpp"

#include <llvm/IR/Function.h>
#include <string>
#include <string_view>

namespace twinir {

/// The values of a kernel's attributes as they are printed.
struct KernelAttributes {
  std::string items, target, waves; ///< waves empty: not set
};

void set_kernel_attributes(llvm::Function& function, const KernelAttributes& values);
/// `align` and `dereferenceable` count for pointers; 0: none.
void set_param_attributes(llvm::Function& function, unsigned index, ParamKind kind, std::uint64_t align,
                          std::uint64_t dereferenceable);

} // namespace twinir
