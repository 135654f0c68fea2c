// SPDX-License-Identifier: MIT
// IR text to a verified module.
#pragma once
// Refuses with verify_failed what LLVM's parser or verifier refuses; nothing is printed.
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <memory>
#include <string>
#include <string_view>

namespace twinir {

[[nodiscard]] std::unique_ptr<llvm::Module> parse_text(std::string_view text, llvm::LLVMContext& context);
/// Prints what parse_text gave, which stays as it was; `size` is about the length.
[[nodiscard]] std::string print_text(llvm::Module& module, std::size_t size);
/// Parses, verifies and prints again.
[[nodiscard]] std::string reprint_text(std::string_view text);

} // namespace twinir
