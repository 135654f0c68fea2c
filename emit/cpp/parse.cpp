// SPDX-License-Identifier: MIT
#include "emit/cpp/parse.hpp"

#include "dsl/error.hpp"
#include "emit/cpp/compat.hpp"
#include "emit/cpp/llvm_target.hpp"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>

namespace twinir {
namespace {

constexpr std::size_t longest_reason = 400;

[[noreturn]] void refuse(std::string why) {
  while (!why.empty() && why.back() == '\n') why.pop_back();
  if (why.size() > longest_reason) why = why.substr(0, longest_reason) + " ...";
  throw UserError({Code::verify_failed, why, "IR text that " + flavor_name() + " parses and verifies",
                   "emit the text for this flavor, or correct it", {}});
}

std::string describe(const llvm::SMDiagnostic& error) {
  return "line " + std::to_string(error.getLineNo()) + ": " + error.getMessage().str() + ": " +
         error.getLineContents().trim().str();
}

} // namespace

std::unique_ptr<llvm::Module> parse_text(std::string_view text, llvm::LLVMContext& context) {
  const auto buffer = llvm::MemoryBuffer::getMemBufferCopy(llvm::StringRef(text), "text");
  llvm::SMDiagnostic error;
  auto module = llvm::parseAssembly(*buffer, error, context);
  if (!module) refuse(describe(error));
  std::string why;
  llvm::raw_string_ostream out(why);
  if (llvm::verifyModule(*module, &out)) refuse(out.str());
  return module;
}

std::string print_text(llvm::Module& module, std::size_t size) {
  // The parser names the module after its buffer; the text names it after its kernel.
  const auto name = module.getModuleIdentifier();
  module.setModuleIdentifier(module.getSourceFileName());
  auto text = compat::print(module, size + 1024);
  module.setModuleIdentifier(name);
  return text;
}

std::string reprint_text(std::string_view text) {
  llvm::LLVMContext context;
  return print_text(*parse_text(text, context), text.size());
}

} // namespace twinir
