// SPDX-License-Identifier: MIT
// Handlers: barriers of a group, asynchronous copies and direct loads to LDS.
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

void together(Lowering& lowering, CallInst& call, IRBuilder<>& builder, WaveOp operation,
              ArrayRef<Value*> operands) {
  lowering.image.fibers = true;
  auto* type = ArrayType::get(lowering.i64, sizeof(WaveOperands) / 8);
  AllocaInst* input = lowering.frame_slot(type, "input");
  AllocaInst* output = lowering.frame_slot(lowering.i64, "output");
  for (unsigned i = 0; i < operands.size(); ++i)
    builder.CreateStore(operands[i], builder.CreateConstInBoundsGEP2_32(type, input, 0, i));
  lowering.call(builder, "collective", builder.getVoidTy(),
                {builder.getInt32(static_cast<unsigned>(operation)), lowering.site(call), input, output});
}

// The counter belongs to the wave, so its lanes wait together.
Value* async_wait(Lowering& lowering, CallInst& call, IRBuilder<>& builder) {
  Value* count = builder.CreateZExt(call.getArgOperand(0), lowering.i64);
  together(lowering, call, builder, WaveOp::async_wait, {count});
  return nullptr;
}

std::uint64_t immediate(const CallInst& call, unsigned index) {
  return cast<ConstantInt>(call.getArgOperand(index))->getZExtValue();
}

// (pointer, LDS base, bytes, offset, cache policy); the offset goes to both addresses. gfx950 alone has all
// sizes.
Value* load_lds(Lowering& lowering, CallInst& call, IRBuilder<>& builder) {
  const std::uint64_t bytes = immediate(call, 2);
  if (lowering.image.wave != 64 || (bytes != 4 && bytes != 12 && bytes != 16))
    refuse_unsupported("llvm.amdgcn.global.load.lds of " + std::to_string(bytes) + " bytes in a wave of " +
                       std::to_string(lowering.image.wave));
  Value* offset = builder.CreateSExt(call.getArgOperand(3), lowering.i64);
  const auto address = [&](unsigned index) {
    Value* plain = builder.CreatePtrAdd(lowering.plain(builder, call.getArgOperand(index)), offset);
    return builder.CreatePtrToInt(plain, lowering.i64);
  };
  together(lowering, call, builder, WaveOp::load_lds, {address(0), address(1), builder.getInt64(bytes)});
  return nullptr;
}

// The counters of gfx9: vmcnt in bits 0 to 3 and 14 to 15. Other vector loads are counted by it too, which
// can only make the hardware wait for more; here it counts the loads into LDS alone. Other targets have no
// such loads.
Value* wait_counters(Lowering& lowering, CallInst& call, IRBuilder<>& builder) {
  const std::uint64_t packed = immediate(call, 0), count = (packed & 15) | (packed >> 14 & 3) << 4;
  if (lowering.image.wave == 64)
    together(lowering, call, builder, WaveOp::async_wait, {builder.getInt64(count)});
  return nullptr;
}

constexpr IntrinsicEntry entries[] = {
    {"s.barrier", barrier},
    {"s.barrier.signal", signal},
    {"s.barrier.wait", wait},
    {"s.wait.asynccnt", async_wait},
    {"s.waitcnt", wait_counters},
    {"global.load.lds", load_lds},
    {"global.load.async.to.lds.b32", async_copy<4>},
    {"global.load.async.to.lds.b64", async_copy<8>},
    {"global.load.async.to.lds.b128", async_copy<16>},
};

} // namespace

ArrayRef<IntrinsicEntry> sync_intrinsics() { return entries; }

} // namespace twinir::exec
