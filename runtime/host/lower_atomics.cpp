// SPDX-License-Identifier: MIT
// Float atomics become loops of compare-exchange, so that their arithmetic is lowered as any other: x86's own
// expansion orders -0 and +0 otherwise than AMDGPU. Integer atomics are x86's.
#include "runtime/host/lower.hpp"

namespace twinir::exec {

using namespace llvm;

namespace {

bool computes_float(const AtomicRMWInst& update) {
  switch (update.getOperation()) {
  case AtomicRMWInst::FAdd:
  case AtomicRMWInst::FSub:
  case AtomicRMWInst::FMin:
  case AtomicRMWInst::FMax: return true;
  default: return false;
  }
}

Value* updated(IRBuilder<>& builder, const AtomicRMWInst& update, Value* old) {
  Value* value = const_cast<Value*>(update.getValOperand());
  switch (update.getOperation()) {
  case AtomicRMWInst::FAdd: return builder.CreateFAdd(old, value);
  case AtomicRMWInst::FSub: return builder.CreateFSub(old, value);
  case AtomicRMWInst::FMin: return builder.CreateBinaryIntrinsic(Intrinsic::minnum, old, value);
  default: return builder.CreateBinaryIntrinsic(Intrinsic::maxnum, old, value);
  }
}

// The first guess is an atomic load; every failure brings the value that stood in its way.
void expand(AtomicRMWInst& update) {
  BasicBlock* before = update.getParent();
  BasicBlock* after = before->splitBasicBlock(&update, "twinir.updated");
  BasicBlock* again = BasicBlock::Create(update.getContext(), "twinir.update", before->getParent(), after);
  before->getTerminator()->eraseFromParent();
  IRBuilder<> builder(before);
  Type* type = update.getType();
  Type* bits = builder.getIntNTy(static_cast<unsigned>(type->getPrimitiveSizeInBits().getFixedValue()));
  Value* pointer = update.getPointerOperand();
  LoadInst* first = builder.CreateAlignedLoad(bits, pointer, update.getAlign());
  first->setAtomic(AtomicOrdering::Monotonic);
  builder.CreateBr(again);
  builder.SetInsertPoint(again);
  PHINode* old = builder.CreatePHI(bits, 2);
  Value* number = builder.CreateBitCast(old, type);
  Value* next = builder.CreateBitCast(updated(builder, update, number), bits);
  const AtomicOrdering order = update.getOrdering();
  Value* pair = builder.CreateAtomicCmpXchg(pointer, old, next, update.getAlign(), order,
                                            AtomicCmpXchgInst::getStrongestFailureOrdering(order));
  old->addIncoming(first, before);
  old->addIncoming(builder.CreateExtractValue(pair, 0), again);
  builder.CreateCondBr(builder.CreateExtractValue(pair, 1), after, again);
  update.replaceAllUsesWith(number);
  update.eraseFromParent();
}

} // namespace

void lower_atomics(Lowering& lowering) {
  SmallVector<AtomicRMWInst*> updates;
  for (Instruction& instruction : instructions(*lowering.kernel))
    if (auto* update = dyn_cast<AtomicRMWInst>(&instruction); update != nullptr && computes_float(*update))
      updates.push_back(update);
  for (AtomicRMWInst* update : updates) expand(*update);
}

} // namespace twinir::exec
