// SPDX-License-Identifier: MIT
#include "emit/cpp/emit.hpp"

#include "dsl/error.hpp"
#include "emit/cpp/emitter.hpp"
#include "emit/cpp/llvm_target.hpp"

#include <llvm/IR/Verifier.h>

namespace twinir {
namespace {

/// The first operation in statement order that this LLVM lacks.
const Stmt* first_missing(const std::vector<Stmt>& list) {
  for (const auto& stmt : list) {
    if (!has_operation(stmt.op)) return &stmt;
    for (const auto* inner : {&stmt.body, &stmt.otherwise})
      if (const auto* missing = first_missing(*inner)) return missing;
  }
  return nullptr;
}

void refuse_missing(const KernelDef& kernel) {
  const auto* missing = first_missing(kernel.body);
  if (missing == nullptr) return;
  throw UserError({Code::op_not_in_flavor,
                   "operation '" + std::string(info(missing->op).name) + "' in kernel '" + kernel.name + "'",
                   "an operation that flavor " + flavor_name() + " has",
                   "choose a flavor that has it (docs/flavors.md), or a spec that does not need it", {}});
}

void check(const llvm::Module& module) {
  std::string why;
  llvm::raw_string_ostream out(why);
  if (llvm::verifyModule(module, &out)) throw InternalError("the emitted module is not valid: " + out.str());
}

} // namespace

std::string emit_text(const KernelDef& kernel) {
  refuse_missing(kernel);
  llvm::LLVMContext context;
  llvm::Module module(kernel.name, context);
  compat::set_triple(module, compat::triple(kernel.target));
  module.setDataLayout(data_layout());
  Emitter(module, kernel).run();
  check(module);
  constexpr std::size_t usual_size = 64 * 1024;
  return compat::print(module, usual_size);
}

} // namespace twinir
