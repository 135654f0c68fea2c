// SPDX-License-Identifier: MIT
// Which LLVM intrinsic stands behind an operation, and what this LLVM has of it.
#pragma once
// Read by the emitter and by the recorder, so a flavor file cannot disagree with the emitter.
#include "dsl/op.hpp"

#include <cstdint>
#include <llvm/IR/Intrinsics.h>
#include <string>
#include <string_view>
#include <vector>

namespace twinir {

/// One word of an operand or overload list of intrinsics.def.
struct IntrinsicWord {
  enum class Kind : std::uint8_t { result, operand, attribute, integer, type } kind;
  std::int64_t value = 0; ///< number of the operand, or the integer
  std::string_view text;  ///< attribute or type
};

struct IntrinsicInfo {
  std::string_view name;
  llvm::Intrinsic::ID id = llvm::Intrinsic::not_intrinsic; ///< not_intrinsic: this LLVM has none
  std::vector<IntrinsicWord> overloads, operands;
};

/// Null for an operation that is a plain instruction.
[[nodiscard]] const IntrinsicInfo* find_intrinsic(Op op);
/// Has this LLVM what the operation needs?
[[nodiscard]] bool has_operation(Op op);

} // namespace twinir
