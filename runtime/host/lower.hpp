// SPDX-License-Identifier: MIT
// Lowering: turns an AMDGPU kernel into a function for the host, in place.
#pragma once
// The kernel gets one more parameter, the item's LaneContext. Everything x86 does not know becomes plain IR
// or a call of an entry point with that context, so generated code touches no global state.
#include <cstdint>

#include "runtime/host/image.hpp"
#include "runtime/host/llvm.hpp"

namespace twinir::exec {

class Lowering {
public:
  Lowering(llvm::Module& module, llvm::Function& kernel, KernelImage& image);

  llvm::Module& module;
  llvm::LLVMContext& context;
  KernelImage& image;
  llvm::Function* kernel; ///< the function that is being changed

  llvm::IntegerType* i16;
  llvm::IntegerType* i32;
  llvm::IntegerType* i64;
  llvm::PointerType* ptr;
  llvm::Type* f32;
  llvm::Type* f64;

  /// Arguments that are passed as a pointer into the kernarg bytes.
  llvm::SmallSet<unsigned, 4> by_reference;
  /// Where each LDS array lies in the group's block.
  llvm::MapVector<const llvm::GlobalVariable*, std::uint64_t> lds_offsets;

  /// Numbers the instructions; must come before any of them changes.
  void number_sites();
  /// Gives the kernel its context parameter.
  void add_context_parameter();

  /// The place of an instruction of the original text.
  [[nodiscard]] llvm::ConstantInt* site(const llvm::Instruction& instruction) const;
  /// Carries an instruction's place over to its replacement.
  void same_site(const llvm::Instruction& original, const llvm::Instruction& replacement);
  /// A field of the context, read once at the kernel's start; it never changes while the item runs.
  [[nodiscard]] llvm::Value* lane_field(unsigned offset, llvm::Type* type);
  [[nodiscard]] llvm::Argument* lane() const { return std::prev(kernel->arg_end()); }
  /// Calls an entry point; the context is passed first.
  llvm::CallInst* call(llvm::IRBuilder<>& builder, llvm::StringRef name, llvm::Type* result,
                       llvm::ArrayRef<llvm::Value*> arguments);
  /// A pointer of any address space as an ordinary one.
  [[nodiscard]] llvm::Value* plain(llvm::IRBuilder<>& builder, llvm::Value* pointer) const {
    return builder.CreateAddrSpaceCast(pointer, ptr);
  }
  /// Space for `type` in the kernel's frame; one for each type and role.
  [[nodiscard]] llvm::AllocaInst* frame_slot(llvm::Type* type, llvm::StringRef role);

private:
  llvm::DenseMap<const llvm::Instruction*, std::uint32_t> ordinals_;
  std::map<std::pair<unsigned, llvm::Type*>, llvm::Value*> fields_;
  std::map<std::pair<llvm::Type*, std::string>, llvm::AllocaInst*> slots_;
};

// The steps, in the order in which load.cpp takes them.

/// Refuses what has no meaning here: flat pointers, foreign inline assembly, indirect calls, layouts that
/// differ.
void validate(const llvm::Module& module, const llvm::Function& kernel, const llvm::DataLayout& host);
/// Stack slots in the host's stack address space.
void lower_allocas(Lowering& lowering);
/// Drops metadata, flags and attributes whose violation would be undefined behaviour on the host.
void strip_promises(Lowering& lowering);
/// Decides where the LDS arrays lie, with the device's data layout.
void place_lds(Lowering& lowering);
/// LDS arrays become offsets in the group's block.
void lower_lds(Lowering& lowering);
/// Checks on loads, stores and atomics.
void instrument_memory(Lowering& lowering);
/// Checks on shifts, wraps, divisions.
void instrument_poison(Lowering& lowering);
/// Float atomics as loops of compare-exchange.
void lower_atomics(Lowering& lowering);
/// llvm.amdgcn.*, inline assembly, fences, traps.
void lower_intrinsics(Lowering& lowering);
/// After lower_intrinsics: lanes that may have skipped an operation of the wave in a round of a loop, or have
/// done it more than once, wait at the end of the round, so that they do not meet the others' operation in
/// the next one.
void meet_in_loops(Lowering& lowering);
/// 16-bit floats, exactly rounded; other floating-point operations with one result on every machine.
void lower_floats(Lowering& lowering);
/// Divisions that cannot trap, alignments and metadata that the host must not rely on.
void lower_traps(Lowering& lowering);

} // namespace twinir::exec
