// SPDX-License-Identifier: MIT
// Handlers: barriers of a group and asynchronous copies to LDS.
#include "runtime/host/intrinsic_table.hpp"
#include "runtime/host/refusal.hpp"

namespace twinir::exec {

using namespace llvm;

namespace {

constexpr std::int64_t group_barrier = -1; // the only barrier that every kernel has

void require_group_barrier(const CallInst& call) {
  const auto* number = dyn_cast<ConstantInt>(call.getArgOperand(0));
  if (number == nullptr || number->getSExtValue() != group_barrier)
    refuse_unsupported(call.getCalledFunction()->getName().str() + " of a named barrier");
}

Value* barrier(Lowering& lowering, CallInst& call, IRBuilder<>& builder) {
  lowering.image.fibers = true;
  lowering.call(builder, "barrier", builder.getVoidTy(), {lowering.site(call)});
  return nullptr;
}

Value* signal(Lowering& lowering, CallInst& call, IRBuilder<>& builder) {
  require_group_barrier(call);
  lowering.image.fibers = true;
  lowering.call(builder, "signal", builder.getVoidTy(), {lowering.site(call)});
  return nullptr;
}

Value* wait(Lowering& lowering, CallInst& call, IRBuilder<>& builder) {
  require_group_barrier(call);
  lowering.image.fibers = true;
  lowering.call(builder, "wait", builder.getVoidTy(), {lowering.site(call)});
  return nullptr;
}

// The immediate offset goes to both addresses.
template <unsigned Bytes> Value* async_copy(Lowering& lowering, CallInst& call, IRBuilder<>& builder) {
  lowering.image.fibers = true;
  Value* offset = builder.CreateSExt(call.getArgOperand(2), lowering.i64);
  Value* source = builder.CreatePtrAdd(lowering.plain(builder, call.getArgOperand(0)), offset);
  Value* target = builder.CreatePtrAdd(lowering.plain(builder, call.getArgOperand(1)), offset);
  lowering.call(builder, "async_copy", builder.getVoidTy(),
                {source, target, builder.getInt32(Bytes), lowering.site(call)});
  return nullptr;
}

// The counter belongs to the wave, so its lanes wait together.
Value* async_wait(Lowering& lowering, CallInst& call, IRBuilder<>& builder) {
  lowering.image.fibers = true;
  AllocaInst* input = lowering.frame_slot(ArrayType::get(lowering.i64, sizeof(WaveOperands) / 8), "input");
  AllocaInst* output = lowering.frame_slot(lowering.i64, "output");
  builder.CreateStore(builder.CreateZExt(call.getArgOperand(0), lowering.i64), input);
  lowering.call(
      builder, "collective", builder.getVoidTy(),
      {builder.getInt32(static_cast<unsigned>(WaveOp::async_wait)), lowering.site(call), input, output});
  return nullptr;
}

constexpr IntrinsicEntry entries[] = {
    {"s.barrier", barrier},
    {"s.barrier.signal", signal},
    {"s.barrier.wait", wait},
    {"s.wait.asynccnt", async_wait},
    {"global.load.async.to.lds.b32", async_copy<4>},
    {"global.load.async.to.lds.b64", async_copy<8>},
    {"global.load.async.to.lds.b128", async_copy<16>},
};

} // namespace

ArrayRef<IntrinsicEntry> sync_intrinsics() { return entries; }

} // namespace twinir::exec
