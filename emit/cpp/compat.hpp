// SPDX-License-Identifier: MIT
// Every difference between the APIs of LLVM 19 to 24 that this room meets.
#pragma once
// Guarantees: no other file tests LLVM_VERSION_MAJOR; each function says what it does, not for which version.
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/NoFolder.h>
#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CodeGen.h>
#include <llvm/Support/ModRef.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Triple.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

static_assert(LLVM_VERSION_MAJOR >= 19 && LLVM_VERSION_MAJOR <= 24, "TwinIR knows LLVM 19 to 24");

namespace twinir::compat {

using Builder = llvm::IRBuilder<llvm::NoFolder>;

/// A builder without an insertion point.
inline Builder make_builder(llvm::Module& module) {
#if LLVM_VERSION_MAJOR >= 24
  return Builder(module);
#else
  return Builder(module.getContext());
#endif
}

/// The intrinsic of exactly this name, or not_intrinsic; LLVM's own lookup takes a prefix for the whole.
inline llvm::Intrinsic::ID lookup_intrinsic(llvm::StringRef name) {
#if LLVM_VERSION_MAJOR >= 20
  const auto id = llvm::Intrinsic::lookupIntrinsicID(name);
#else
  const auto id = llvm::Function::lookupIntrinsicID(name);
#endif
  const bool exact = id != llvm::Intrinsic::not_intrinsic && llvm::Intrinsic::getBaseName(id) == name;
  return exact ? id : llvm::Intrinsic::not_intrinsic;
}

inline llvm::Function* declare(llvm::Module& module, llvm::Intrinsic::ID id, llvm::ArrayRef<llvm::Type*> types) {
#if LLVM_VERSION_MAJOR >= 20
  return llvm::Intrinsic::getOrInsertDeclaration(&module, id, types);
#else
  return llvm::Intrinsic::getDeclaration(&module, id, types);
#endif
}

/// Marks a pointer parameter as one that does not escape.
inline void no_capture(llvm::Function& function, unsigned index) {
#if LLVM_VERSION_MAJOR >= 21
  function.addParamAttr(index, llvm::Attribute::getWithCaptureInfo(function.getContext(), llvm::CaptureInfo::none()));
#else
  function.addParamAttr(index, llvm::Attribute::NoCapture);
#endif
}

/// The triple that LLVM wants for code of `target`.
inline std::string triple(std::string_view target) {
#if LLVM_VERSION_MAJOR >= 24
  // gfx1250 is amdgpu12.50, gfx950 is amdgpu9.50: the last two digits are minor version and stepping.
  if (target.size() >= 6) {
    const auto digits = target.substr(3);
    const auto cut = digits.size() - 2;
    return "amdgpu" + std::string(digits.substr(0, cut)) + "." + std::string(digits.substr(cut)) + "-amd-amdhsa";
  }
#endif
  (void)target;
  return "amdgcn-amd-amdhsa";
}

inline void set_triple(llvm::Module& module, const std::string& text) {
#if LLVM_VERSION_MAJOR >= 21
  module.setTargetTriple(llvm::Triple(text));
#else
  module.setTargetTriple(text);
#endif
}

inline llvm::Triple triple_of(const llvm::Module& module) { return llvm::Triple(module.getTargetTriple()); }

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

/// Prints the module as the flavor's text, metadata numbered in the order of the text.
inline std::string print(llvm::Module& module, std::size_t reserve = 0) {
#if LLVM_VERSION_MAJOR >= 24
  // Without this the numbers are those of creation order.
  module.renumberMetadataForAssembly();
#endif
  std::string text;
  text.reserve(reserve);
  llvm::raw_string_ostream out(text);
  out.SetBufferSize(64 * 1024); // the printer's formatted stream takes the buffer over; unbuffered it is a call per token
  module.print(out, nullptr);
  out.flush();
  return text;
}

/// Types on which make.buffer.rsrc is overloaded, and whether it counts its records in i64 (intrinsics.def).
#if LLVM_VERSION_MAJOR >= 24
#define TWINIR_RSRC_OVERLOADS "r 0 i64"
#elif LLVM_VERSION_MAJOR >= 20
#define TWINIR_RSRC_OVERLOADS "r 0"
#else
#define TWINIR_RSRC_OVERLOADS "0"
#endif
inline constexpr bool rsrc_counts_in_i64 = LLVM_VERSION_MAJOR >= 22;

/// Operands of the 16x16x32 matrix products: with a negation bit before each fragment, or without.
#if LLVM_VERSION_MAJOR >= 23
#define TWINIR_WMMA_OPERANDS "0 1 #0 2 #0 #0"
#else
#define TWINIR_WMMA_OPERANDS "#0 0 #0 1 #0 2 #0 #0"
#endif

/// A target that this LLVM lists before it can generate code for it; empty: none. 21 dies at gfx1250's stores of four
/// or more bfloat that were rounded from float, has none of its own instructions, and marks its code objects as no
/// later LLVM does.
inline constexpr const char* unfinished_target = LLVM_VERSION_MAJOR == 21 ? "gfx1250" : "";

} // namespace twinir::compat
