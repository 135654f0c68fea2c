// SPDX-License-Identifier: MIT
// Rows of the tables in cpp_ops.cpp and cpp_rows.cpp: a statement and the exact IR it becomes.
#pragma once
#include <span>

namespace twinir::lowering {

/// `llvm19` empty: as `llvm22`; "-": that LLVM has no such operation.
struct Row {
  const char *statement, *llvm22, *llvm19;
};

/// Matrix operations beyond those of cpp_ops.cpp, and the loads into LDS.
[[nodiscard]] std::span<const Row> more_rows();

} // namespace twinir::lowering
