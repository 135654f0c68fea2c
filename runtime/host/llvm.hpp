// SPDX-License-Identifier: MIT
// The gate to LLVM's headers for the host executor: IR. lower_loops.cpp adds loops, jit.hpp what it takes to
// run it.
#pragma once
#include <llvm/Config/llvm-config.h>
#if LLVM_VERSION_MAJOR < 22
#error "the host executor needs LLVM 22 or newer"
#endif

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ModuleSlotTracker.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace twinir::exec {

/// Whether `type` fits the intrinsic, and the types it is overloaded on (LLVM 23 renamed the function).
inline bool intrinsic_overloads(llvm::Intrinsic::ID id, llvm::FunctionType* type,
                                llvm::SmallVectorImpl<llvm::Type*>& overloads) {
#if LLVM_VERSION_MAJOR >= 23
  return llvm::Intrinsic::isSignatureValid(id, type, overloads);
#else
  return llvm::Intrinsic::getIntrinsicSignature(id, type, overloads);
#endif
}

/// What the verifier or a printer wrote, as a string.
template <class Print> std::string printed(Print&& print) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  print(stream);
  return text;
}

} // namespace twinir::exec
