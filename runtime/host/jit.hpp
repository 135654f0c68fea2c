// SPDX-License-Identifier: MIT
// The host's code generator: one fixed processor model, so that results do not depend on the machine.
#pragma once
#include <memory>

#include "runtime/host/image.hpp"
#include "runtime/host/llvm.hpp"

namespace twinir::exec {

/// A target machine for x86-64-v3; throws Refusal when this processor is older.
[[nodiscard]] std::unique_ptr<llvm::TargetMachine> host_machine();
/// Runs the pipeline that `make` builds.
void run_pipeline(llvm::Module& module, llvm::TargetMachine* machine,
                  llvm::function_ref<llvm::ModulePassManager(llvm::PassBuilder&)> make);
/// LLVM's pipeline of that level, without the vectorisers: the kernels are wide already.
void optimise(llvm::Module& module, llvm::TargetMachine& machine, unsigned level);
/// Compiles and links the module; finds "twinir.run" and the constant tables. Throws Refusal (TIR4003,
/// TIR5001).
[[nodiscard]] std::unique_ptr<llvm::orc::LLJIT>
compile(std::unique_ptr<llvm::Module> module, std::unique_ptr<llvm::LLVMContext> context, KernelImage& image);

} // namespace twinir::exec
