// SPDX-License-Identifier: MIT
// The host's code generator: one fixed processor model, so that results do not depend on the machine.
#pragma once
// Only jit.cpp and load.cpp include this: its headers cost more than the rest of LLVM together.
#include "runtime/host/image.hpp"
#include "runtime/host/llvm.hpp"

#include <llvm/ExecutionEngine/Orc/AbsoluteSymbols.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <memory>

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
