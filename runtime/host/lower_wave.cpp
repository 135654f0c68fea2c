// SPDX-License-Identifier: MIT
// Handlers: operations of a whole wave.
#include "runtime/host/dpp.hpp"
#include "runtime/host/intrinsic_table.hpp"
#include "runtime/host/refusal.hpp"

namespace twinir::exec {

using namespace llvm;

namespace {

// A value of at most 64 bits as i64, and back.
Value* to_bits(Lowering& lowering, IRBuilder<>& builder, Value* value, const CallInst& call) {
  Type* type = value->getType();
  if (type->isPointerTy()) return builder.CreatePtrToInt(value, lowering.i64);
  const unsigned width = static_cast<unsigned>(type->getPrimitiveSizeInBits());
  if (width == 0 || width > 64) refuse_unsupported(call.getCalledFunction()->getName().str());
  return builder.CreateZExt(builder.CreateBitCast(value, builder.getIntNTy(width)), lowering.i64);
}

Value* from_bits(IRBuilder<>& builder, Value* bits, Type* type) {
  if (type->isPointerTy()) return builder.CreateIntToPtr(bits, type);
  const unsigned width = static_cast<unsigned>(type->getPrimitiveSizeInBits());
  return builder.CreateBitCast(builder.CreateTrunc(bits, builder.getIntNTy(width)), type);
}

// Stores the operands into the frame, waits for the wave, reads the result.
Value* collective(Lowering& lowering, CallInst& call, IRBuilder<>& builder, WaveOp operation,
                  ArrayRef<Value*> operands) {
  lowering.image.fibers = true;
  auto* type = ArrayType::get(lowering.i64, sizeof(WaveOperands) / 8);
  AllocaInst* input = lowering.frame_slot(type, "input");
  AllocaInst* output = lowering.frame_slot(lowering.i64, "output");
  for (unsigned i = 0; i < operands.size(); ++i)
    builder.CreateStore(operands[i], builder.CreateConstInBoundsGEP2_32(type, input, 0, i));
  lowering.call(builder, "collective", builder.getVoidTy(),
                {builder.getInt32(static_cast<unsigned>(operation)), lowering.site(call), input, output});
  return builder.CreateLoad(lowering.i64, output);
}

Value* read_first(Lowering& lowering, CallInst& call, IRBuilder<>& builder) {
  Value* value = to_bits(lowering, builder, call.getArgOperand(0), call);
  return from_bits(builder, collective(lowering, call, builder, WaveOp::read_first, {value}), call.getType());
}

Value* read_lane(Lowering& lowering, CallInst& call, IRBuilder<>& builder) {
  Value* value = to_bits(lowering, builder, call.getArgOperand(0), call);
  Value* lane = builder.CreateZExt(call.getArgOperand(1), lowering.i64);
  return from_bits(builder, collective(lowering, call, builder, WaveOp::read_lane, {value, lane}),
                   call.getType());
}

Value* ballot(Lowering& lowering, CallInst& call, IRBuilder<>& builder) {
  Value* vote = builder.CreateZExt(call.getArgOperand(0), lowering.i64);
  Value* votes = collective(lowering, call, builder, WaveOp::ballot, {vote});
  return builder.CreateZExtOrTrunc(votes, call.getType());
}

Value* permute(Lowering& lowering, CallInst& call, IRBuilder<>& builder) {
  Value* value = builder.CreateZExt(call.getArgOperand(1), lowering.i64);
  Value* address = builder.CreateZExt(call.getArgOperand(0), lowering.i64);
  return builder.CreateTrunc(collective(lowering, call, builder, WaveOp::permute, {value, address}),
                             lowering.i32);
}

std::uint32_t immediate(const CallInst& call, unsigned index) {
  return static_cast<std::uint32_t>(cast<ConstantInt>(call.getArgOperand(index))->getZExtValue());
}

Value* dpp(Lowering& lowering, CallInst& call, IRBuilder<>& builder) {
  const DppControl control{immediate(call, 2), immediate(call, 3), immediate(call, 4),
                           immediate(call, 5) != 0};
  if (!dpp_known(control.control))
    refuse_unsupported("llvm.amdgcn.update.dpp with control " + std::to_string(control.control));
  Value* old = to_bits(lowering, builder, call.getArgOperand(0), call);
  Value* value = to_bits(lowering, builder, call.getArgOperand(1), call);
  Value* packed = builder.getInt64(pack_dpp(control));
  return from_bits(builder, collective(lowering, call, builder, WaveOp::dpp, {value, old, packed}),
                   call.getType());
}

Value* wave_barrier(Lowering& lowering, CallInst& call, IRBuilder<>& builder) {
  collective(lowering, call, builder, WaveOp::wave_barrier, {});
  return nullptr;
}

constexpr IntrinsicEntry entries[] = {
    {"readfirstlane", read_first}, {"readlane", read_lane}, {"ballot", ballot},
    {"ds.bpermute", permute},      {"update.dpp", dpp},     {"wave.barrier", wave_barrier},
};

} // namespace

ArrayRef<IntrinsicEntry> wave_intrinsics() { return entries; }

} // namespace twinir::exec
