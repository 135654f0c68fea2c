// SPDX-License-Identifier: MIT
// Stack slots, LDS arrays, and the promises about memory and control flow that the host must not rely on.
#include "runtime/host/lower.hpp"
#include "runtime/host/refusal.hpp"

namespace twinir::exec {

using namespace llvm;

namespace {

// A stack slot has AMDGPU's private address space; the host's stack is address space 0.
void move_to_host_stack(AllocaInst& slot) {
  if (slot.getAddressSpace() == 0) return;
  auto* moved = new AllocaInst(slot.getAllocatedType(), 0, slot.getArraySize(), slot.getAlign(), "",
                               slot.getIterator());
  moved->takeName(&slot);
  IRBuilder<> builder(&slot);
  slot.replaceAllUsesWith(builder.CreateAddrSpaceCast(moved, slot.getType()));
  slot.eraseFromParent();
}

// The stack-slot markers name a slot directly, which the cast above hides; they are only hints.
bool is_marker(const Instruction& instruction) {
  const auto* call = dyn_cast<IntrinsicInst>(&instruction);
  return call != nullptr &&
         (call->isLifetimeStartOrEnd() ||
          is_contained({Intrinsic::invariant_start, Intrinsic::invariant_end}, call->getIntrinsicID()));
}

Value* lds_address(Lowering& lowering, std::uint64_t offset, Type* type) {
  auto* base = cast<Instruction>(lowering.lane_field(offsetof(LaneContext, lds), lowering.i64));
  IRBuilder<> builder(base->getNextNode());
  return builder.CreateIntToPtr(builder.CreateAdd(base, builder.getInt64(offset)), type);
}

// Promises of the instruction that the executor checks or does not want to depend on.
void drop_promises(Instruction& instruction, bool checked) {
  if (isa<FPMathOperator>(instruction)) instruction.setFastMathFlags(FastMathFlags());
  if (checked)
    instruction.dropUnknownNonDebugMetadata();
  else
    instruction.dropUnknownNonDebugMetadata(
        {LLVMContext::MD_noalias, LLVMContext::MD_alias_scope, LLVMContext::MD_invariant_load});
  if (auto* call = dyn_cast<CallBase>(&instruction)) call->setAttributes(AttributeList());
}

void end_at_unreachable(Function& kernel) {
  for (BasicBlock& block : kernel)
    if (isa<UnreachableInst>(block.getTerminator())) {
      block.getTerminator()->eraseFromParent();
      ReturnInst::Create(kernel.getContext(), &block);
    }
}

// x86 traps on a division by zero and on the one quotient that does not fit.
void guard_division(BinaryOperator& division) {
  Value* divisor = division.getOperand(1);
  if (const auto* constant = dyn_cast<ConstantInt>(divisor);
      constant != nullptr && constant->getValue().ugt(1) && !constant->isMinusOne())
    return;
  IRBuilder<> builder(&division);
  Type* type = division.getType();
  Value* bad = builder.CreateICmpEQ(divisor, Constant::getNullValue(type));
  if (division.getOpcode() == Instruction::SDiv || division.getOpcode() == Instruction::SRem) {
    const APInt least = APInt::getSignedMinValue(type->getScalarSizeInBits());
    Value* wraps =
        builder.CreateAnd(builder.CreateICmpEQ(divisor, Constant::getAllOnesValue(type)),
                          builder.CreateICmpEQ(division.getOperand(0), ConstantInt::get(type, least)));
    bad = builder.CreateOr(bad, wraps);
  }
  division.setOperand(1, builder.CreateSelect(bad, ConstantInt::get(type, 1), divisor));
}

// A wrong alignment would make an aligned vector move trap; unaligned moves cost the same.
void forget_alignment(Instruction& instruction) {
  if (auto* load = dyn_cast<LoadInst>(&instruction); load != nullptr && !load->isAtomic())
    load->setAlignment(Align(1));
  if (auto* store = dyn_cast<StoreInst>(&instruction); store != nullptr && !store->isAtomic())
    store->setAlignment(Align(1));
}

} // namespace

void strip_promises(Lowering& lowering) {
  for (Instruction& instruction : instructions(*lowering.kernel))
    drop_promises(instruction, lowering.image.checked);
  end_at_unreachable(*lowering.kernel);
}

void lower_allocas(Lowering& lowering) {
  SmallVector<AllocaInst*> slots;
  for (Instruction& instruction : make_early_inc_range(instructions(*lowering.kernel))) {
    if (auto* slot = dyn_cast<AllocaInst>(&instruction))
      slots.push_back(slot);
    else if (is_marker(instruction))
      instruction.eraseFromParent();
  }
  for (AllocaInst* slot : slots) move_to_host_stack(*slot);
}

void place_lds(Lowering& lowering) {
  std::uint64_t& end = lowering.image.lds_bytes;
  const DataLayout& layout = lowering.module.getDataLayout();
  for (const GlobalVariable& global : lowering.module.globals()) {
    if (global.getAddressSpace() != 3) continue;
    const Align natural = layout.getABITypeAlign(global.getValueType());
    const std::uint64_t offset = alignTo(end, std::max(global.getAlign().value_or(natural), Align(4)));
    lowering.lds_offsets[&global] = offset;
    end = offset + layout.getTypeAllocSize(global.getValueType());
  }
}

void lower_lds(Lowering& lowering) {
  for (const auto& [global, offset] : lowering.lds_offsets) {
    auto* array = const_cast<GlobalVariable*>(global);
    convertUsersOfConstantsToInstructions({array});
    if (!array->use_empty()) array->replaceAllUsesWith(lds_address(lowering, offset, array->getType()));
    array->eraseFromParent();
  }
  lowering.lds_offsets.clear();
}

void lower_traps(Lowering& lowering) {
  for (Instruction& instruction : make_early_inc_range(instructions(*lowering.kernel))) {
    if (instruction.isIntDivRem()) guard_division(cast<BinaryOperator>(instruction));
    forget_alignment(instruction);
  }
}

} // namespace twinir::exec
