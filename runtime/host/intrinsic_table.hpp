// SPDX-License-Identifier: MIT
// The table of llvm.amdgcn.* intrinsics: one handler each.
#pragma once
#include <string>

#include "runtime/host/lower.hpp"

namespace twinir::exec {

/// Builds the replacement of a call in front of it. Returns the result's replacement; null for a call without
/// one.
using IntrinsicHandler = llvm::Value* (*)(Lowering&, llvm::CallInst&, llvm::IRBuilder<>&);

struct IntrinsicEntry {
  llvm::StringRef name; ///< without "llvm.amdgcn." and without type suffixes
  IntrinsicHandler handler;
};

// One group of handlers a file.
[[nodiscard]] llvm::ArrayRef<IntrinsicEntry> id_intrinsics();
[[nodiscard]] llvm::ArrayRef<IntrinsicEntry> wave_intrinsics();
[[nodiscard]] llvm::ArrayRef<IntrinsicEntry> sync_intrinsics();
[[nodiscard]] llvm::ArrayRef<IntrinsicEntry> buffer_intrinsics();
[[nodiscard]] llvm::ArrayRef<IntrinsicEntry> math_intrinsics();
[[nodiscard]] llvm::ArrayRef<IntrinsicEntry> matrix_intrinsics();

/// The handler for a full name ("readlane.i32"), or null. Trailing components are dropped only when they are
/// types, so "s.barrier.signal.var" never finds "s.barrier.signal".
[[nodiscard]] IntrinsicHandler find_intrinsic(llvm::StringRef name);

/// Intrinsics whose operands changed between LLVM versions get names of their own ("twinir.foreign." + name),
/// so that this LLVM's verifier accepts the module.
void rename_foreign_forms(llvm::Module& module);

} // namespace twinir::exec
