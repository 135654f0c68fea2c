// SPDX-License-Identifier: MIT
// Lanes of a wave go round a loop together.
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>

#include "runtime/host/lower.hpp"

namespace twinir::exec {

using namespace llvm;

namespace {

/// Whether a lane may come to the end of a round without the call, or with it more than once.
bool may_skip(const CallBase& call, const Loop& loop, const LoopInfo& loops,
              const DominatorTree& dominators) {
  const BasicBlock* block = call.getParent();
  if (!loop.contains(block)) return false;
  return loops.getLoopFor(block) != &loop || !dominators.dominates(block, loop.getLoopLatch());
}

void meet_at_latch(Lowering& lowering, const Loop& loop) {
  Instruction* end = loop.getLoopLatch()->getTerminator();
  IRBuilder<> builder(end);
  Value* none = ConstantPointerNull::get(lowering.ptr);
  lowering.call(builder, "collective", builder.getVoidTy(),
                {builder.getInt32(static_cast<unsigned>(WaveOp::meet)), lowering.site(*end), none, none});
}

} // namespace

void meet_in_loops(Lowering& lowering) {
  const Function* collective = lowering.module.getFunction("twinir.collective");
  if (collective == nullptr) return;
  SmallVector<const CallBase*> calls;
  for (const User* user : collective->users()) calls.push_back(cast<CallBase>(user));
  const DominatorTree dominators(*lowering.kernel);
  const LoopInfo loops(dominators);
  for (const Loop* loop : loops.getLoopsInPreorder())
    if (loop->getLoopLatch() != nullptr &&
        any_of(calls, [&](const CallBase* call) { return may_skip(*call, *loop, loops, dominators); }))
      meet_at_latch(lowering, *loop);
}

} // namespace twinir::exec
