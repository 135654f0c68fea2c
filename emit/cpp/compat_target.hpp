// SPDX-License-Identifier: MIT
// Every difference between the APIs of LLVM 19 to 24 that this room meets in targets, passes and code generation.
#pragma once
// Apart from compat.hpp, because these headers cost a file more than the rest of LLVM together.
#include "emit/cpp/compat.hpp"

#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CodeGen.h>
#include <llvm/Target/TargetMachine.h>
#include <memory>
#include <optional>
#include <string>

namespace twinir::compat {

inline const llvm::Target* lookup_target(const std::string& text) {
  std::string error;
#if LLVM_VERSION_MAJOR >= 22
  return llvm::TargetRegistry::lookupTarget(llvm::Triple(text), error);
#else
  return llvm::TargetRegistry::lookupTarget(text, error);
#endif
}

inline std::unique_ptr<llvm::TargetMachine> create_machine(const llvm::Target& target, const std::string& text,
                                                           llvm::StringRef cpu, llvm::CodeGenOptLevel level) {
#if LLVM_VERSION_MAJOR >= 21
  const llvm::Triple argument(text);
#else
  const std::string& argument = text;
#endif
  return std::unique_ptr<llvm::TargetMachine>(target.createTargetMachine(
      argument, cpu, "", llvm::TargetOptions(), llvm::Reloc::PIC_, std::nullopt, level));
}

#if LLVM_VERSION_MAJOR >= 22
using McTriple = llvm::Triple;
#else
using McTriple = std::string;
#endif

inline std::unique_ptr<llvm::MCSubtargetInfo> create_subtarget(const llvm::Target& target, const std::string& text,
                                                               llvm::StringRef cpu) {
  return std::unique_ptr<llvm::MCSubtargetInfo>(target.createMCSubtargetInfo(McTriple(text), cpu, ""));
}

inline std::string feature_name(const llvm::SubtargetFeatureKV& feature) {
#if LLVM_VERSION_MAJOR >= 23
  return std::string(feature.key());
#else
  return feature.Key;
#endif
}

inline std::unique_ptr<llvm::MCRegisterInfo> create_registers(const llvm::Target& target, const std::string& text) {
  return std::unique_ptr<llvm::MCRegisterInfo>(target.createMCRegInfo(McTriple(text)));
}

inline std::unique_ptr<llvm::MCAsmInfo> create_asm_info(const llvm::Target& target, const std::string& text,
                                                        const llvm::MCRegisterInfo& registers,
                                                        const llvm::MCTargetOptions& options) {
  return std::unique_ptr<llvm::MCAsmInfo>(target.createMCAsmInfo(registers, McTriple(text), options));
}

inline std::unique_ptr<llvm::MCContext> create_mc_context(const std::string& text, const llvm::MCAsmInfo& info,
                                                          const llvm::MCRegisterInfo& registers,
                                                          const llvm::MCSubtargetInfo& subtarget) {
#if LLVM_VERSION_MAJOR >= 23
  return std::make_unique<llvm::MCContext>(llvm::Triple(text), info, registers, subtarget);
#else
  return std::make_unique<llvm::MCContext>(llvm::Triple(text), &info, &registers, &subtarget);
#endif
}

inline std::unique_ptr<llvm::PassBuilder> create_pass_builder(llvm::LLVMContext& context, llvm::TargetMachine& machine) {
#if LLVM_VERSION_MAJOR >= 24
  return std::make_unique<llvm::PassBuilder>(context, &machine);
#else
  (void)context;
  return std::make_unique<llvm::PassBuilder>(&machine);
#endif
}

/// A target that this LLVM lists before it can generate code for it; empty: none. 21 dies at gfx1250's stores of four
/// or more bfloat that were rounded from float, has none of its own instructions, and marks its code objects as no
/// later LLVM does.
inline constexpr const char* unfinished_target = LLVM_VERSION_MAJOR == 21 ? "gfx1250" : "";

} // namespace twinir::compat
