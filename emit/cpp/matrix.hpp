// SPDX-License-Identifier: MIT
// Which matrix intrinsics each target has: the generations share names and differ in the shape of the fragments.
#pragma once
#include <llvm/ADT/StringRef.h>
#include <string_view>

namespace twinir {

/// Is this an intrinsic of a matrix instruction (wmma, swmmac, mfma, smfmac)?
[[nodiscard]] bool is_matrix_symbol(llvm::StringRef symbol);
/// Can it be compiled for the target? Only what was tried is said to be so.
[[nodiscard]] bool has_matrix_symbol(std::string_view target, llvm::StringRef symbol);

} // namespace twinir
