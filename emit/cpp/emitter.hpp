// SPDX-License-Identifier: MIT
// Builds the LLVM module of one kernel, statement by statement.
#pragma once
// Guarantees: one statement makes one instruction (rsrc: one more where the flavor counts records in i64); nothing is
// folded, reordered or renamed. Expects a verified kernel whose operations this LLVM has.
#include "dsl/kernel_def.hpp"
#include "emit/cpp/compat.hpp"
#include "emit/cpp/intrinsics.hpp"

#include <llvm/ADT/DenseMap.h>

namespace twinir {

class Emitter {
public:
  Emitter(llvm::Module& module, const KernelDef& kernel);

  /// Fills the module.
  void run();

  // What handlers build with.
  [[nodiscard]] llvm::LLVMContext& context() { return context_; }
  [[nodiscard]] llvm::Function& function() { return *function_; }
  [[nodiscard]] compat::Builder& builder() { return builder_; }
  [[nodiscard]] llvm::Type* type(Type type);
  [[nodiscard]] llvm::Value* value(const Operand& operand);
  [[nodiscard]] llvm::Value* arg(const Stmt& stmt, std::size_t index) { return value(stmt.args[index]); }
  /// The declaration that the statement calls.
  [[nodiscard]] llvm::Function* declaration(const Stmt& stmt, const IntrinsicInfo& intrinsic);
  /// Puts the instruction at the insertion point and gives it exactly this name.
  void insert(llvm::Instruction* instruction, llvm::StringRef name);
  void statements(const std::vector<Stmt>& list);
  /// A block without a place yet; enter() puts it at the end of the function and builds there.
  [[nodiscard]] llvm::BasicBlock* block(const std::string& name);
  void enter(llvm::BasicBlock* block);

private:
  void make_lds();
  void make_function();
  void make_constants();
  [[nodiscard]] llvm::Constant* constant(const Operand& operand);
  [[nodiscard]] llvm::Constant* scalar(Type type, std::uint64_t bits);
  [[nodiscard]] llvm::Value* named(const std::string& name);
  [[nodiscard]] llvm::Type* overload(const Stmt& stmt, const IntrinsicWord& word);

  llvm::LLVMContext& context_;
  llvm::Module& module_;
  const KernelDef& kernel_;
  compat::Builder builder_;
  llvm::Function* function_ = nullptr;
  std::vector<llvm::GlobalVariable*> lds_;          // in the order of kernel_.lds
  llvm::Type* scalars_[scalar_table.size()];        // in the order of Scalar
  llvm::DenseMap<std::uint64_t, llvm::Function*> declarations_; // by operation and types; only looked up
};

} // namespace twinir
