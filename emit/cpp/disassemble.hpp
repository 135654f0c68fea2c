// SPDX-License-Identifier: MIT
// Counts instructions by disassembling.
#pragma once
#include <cstdint>
#include <llvm/ADT/ArrayRef.h>
#include <string>

namespace twinir {

struct InstructionCounts {
  std::uint64_t all = 0, flat = 0, scratch = 0, matrix = 0;
};
/// All zero for a processor that this LLVM cannot disassemble. Words that are no instruction are skipped.
[[nodiscard]] InstructionCounts count_instructions(const std::string& arch, llvm::ArrayRef<std::uint8_t> code);

} // namespace twinir
