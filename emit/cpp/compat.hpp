// SPDX-License-Identifier: MIT
// Every difference between the APIs of LLVM 19 to 24 that this room meets in IR; compat_target.hpp has those
// of targets.
#pragma once
// Guarantees: no other file tests LLVM_VERSION_MAJOR; each function says what it does, not for which version.
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/NoFolder.h>
#include <llvm/Support/ModRef.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Triple.h>

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

} // namespace twinir::compat
