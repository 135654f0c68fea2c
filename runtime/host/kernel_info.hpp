// SPDX-License-Identifier: MIT
// What a kernel's text says about it: arguments, group, wave, LDS limit.
#pragma once
#include "runtime/host/image.hpp"
#include "runtime/host/llvm.hpp"

namespace twinir::exec {

/// The module's one amdgpu_kernel; throws TIR5001 when there is none or there are several.
[[nodiscard]] llvm::Function& only_kernel(llvm::Module& module);
/// Fills in name, arguments, shape and wave, with the module's own data layout.
void describe_kernel(const llvm::Function& kernel, KernelImage& image);
/// Bytes of LDS a group may have on the kernel's target.
[[nodiscard]] std::uint64_t lds_limit(const llvm::Function& kernel);
/// Throws TIR1005 when the LDS arrays exceed `limit`.
void check_lds_size(const KernelImage& image, std::uint64_t limit);

} // namespace twinir::exec
