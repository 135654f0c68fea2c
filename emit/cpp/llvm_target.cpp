// SPDX-License-Identifier: MIT
#include "emit/cpp/llvm_target.hpp"

#include "dsl/error.hpp"
#include "emit/cpp/build.hpp"
#include "emit/cpp/compat_target.hpp"

#include <llvm/Support/TargetSelect.h>
#include <set>

namespace twinir {
namespace {

const llvm::Target* register_backend() {
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTarget();
  LLVMInitializeAMDGPUTargetMC();
  LLVMInitializeAMDGPUAsmPrinter();
  LLVMInitializeAMDGPUAsmParser();
  LLVMInitializeAMDGPUDisassembler();
  return compat::lookup_target(compat::triple("gfx1250"));
}

/// A subtarget without a processor: naming one that LLVM does not know would print a warning.
const llvm::MCSubtargetInfo& neutral_subtarget() {
  static const auto subtarget = compat::create_subtarget(amdgpu_backend(), compat::triple(""), "");
  return *subtarget;
}

} // namespace

const std::string& flavor_name() {
  static const std::string name = build.flavor;
  return name;
}

const llvm::Target& amdgpu_backend() {
  static const auto* backend = register_backend();
  if (backend == nullptr) throw InternalError("this LLVM was built without the AMDGPU backend");
  return *backend;
}

const llvm::DataLayout& data_layout() {
  static const auto layout =
      compat::create_machine(amdgpu_backend(), compat::triple(""), "", llvm::CodeGenOptLevel::None)->createDataLayout();
  return layout;
}

bool knows_target(std::string_view target) {
  return target != compat::unfinished_target && neutral_subtarget().isCPUStringValid(llvm::StringRef(target));
}

bool knows_feature(std::string_view name) {
  static const auto names = [] {
    std::set<std::string, std::less<>> all;
    for (const auto& feature : neutral_subtarget().getAllProcessorFeatures()) all.insert(compat::feature_name(feature));
    return all;
  }();
  return names.contains(name);
}

} // namespace twinir
