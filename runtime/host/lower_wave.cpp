// SPDX-License-Identifier: MIT
// Handlers: operations of a whole wave.
#include "dsl/matrix_layout.hpp"
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

// The modifiers of the C operand: 1 negates, 2 takes the magnitude, 3 both.
Value* modified(IRBuilder<>& builder, Value* value, std::uint32_t modifier) {
  if ((modifier & 2) != 0) value = builder.CreateUnaryIntrinsic(Intrinsic::fabs, value);
  if ((modifier & 1) != 0) value = builder.CreateFNeg(value);
  return value;
}

[[noreturn]] void refuse_form(const CallInst& call) {
  refuse_unsupported(printed([&](raw_ostream& out) { call.print(out); }));
}

struct MatrixCall {
  Value* a;
  Value* b;
  Value* c;
};

// wmma 16x16x32: LLVM 22 (i1 neg, A, i1 neg, B, i16 mod, C, i1, i1); later (A, B, i16 mod, C, i1, i1).
MatrixCall wmma_with_modifiers(CallInst& call, IRBuilder<>& builder) {
  const bool with_negation = call.arg_size() == 8;
  if (!with_negation && call.arg_size() != 6) refuse_form(call);
  const unsigned c = with_negation ? 5 : 3;
  MatrixCall operands{call.getArgOperand(with_negation ? 1 : 0), call.getArgOperand(with_negation ? 3 : 1),
                      call.getArgOperand(c)};
  if (with_negation) {
    operands.a = modified(builder, operands.a, immediate(call, 0));
    operands.b = modified(builder, operands.b, immediate(call, 2));
  }
  operands.c = modified(builder, operands.c, immediate(call, c - 1));
  return operands;
}

// wmma 16x16x16: (A, B, C); the same name has other fragments on later targets.
MatrixCall plain_wmma(CallInst& call, IRBuilder<>&) {
  if (call.arg_size() != 3) refuse_form(call);
  return {call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2)};
}

// mfma: (A, B, C, i32 cbsz, i32 abid, i32 blgp); only without broadcasts and permutations.
MatrixCall plain_mfma(CallInst& call, IRBuilder<>&) {
  if (call.arg_size() != 6) refuse_form(call);
  for (const unsigned i : {3U, 4U, 5U})
    if (immediate(call, i) != 0) refuse_form(call);
  return {call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2)};
}

using MatrixForm = MatrixCall (*)(CallInst&, IRBuilder<>&);

void check_matrix_form(const Lowering& lowering, const CallInst& call, const MatrixCall& operands,
                       const MatrixLayout& layout) {
  if (static_cast<int>(lowering.image.wave) != layout.wave)
    refuse_unsupported(call.getCalledFunction()->getName().str() + " in a wave of " +
                       std::to_string(lowering.image.wave));
  const auto bits = [](const Value* value) {
    return static_cast<int>(value->getType()->getPrimitiveSizeInBits());
  };
  const bool good = bits(operands.a) == 16 * layout.fragment_values() &&
                    bits(operands.b) == 16 * layout.fragment_values() &&
                    bits(operands.c) == 32 * layout.sums();
  if (!good) refuse_form(call);
}

template <WaveOp operation, MatrixForm form, MatrixLayout layout>
Value* matrix(Lowering& lowering, CallInst& call, IRBuilder<>& builder) {
  lowering.image.fibers = true;
  const MatrixCall operands = form(call, builder);
  check_matrix_form(lowering, call, operands, layout);
  auto* type = ArrayType::get(builder.getInt8Ty(), sizeof(MatrixOperands));
  AllocaInst* input = lowering.frame_slot(type, "matrix.input");
  AllocaInst* output = lowering.frame_slot(call.getType(), "matrix.output");
  const auto put = [&](Value* value, std::size_t offset) {
    builder.CreateAlignedStore(value, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), input, offset),
                               Align(32));
  };
  put(operands.a, offsetof(MatrixOperands, a));
  put(operands.b, offsetof(MatrixOperands, b));
  put(operands.c, offsetof(MatrixOperands, c));
  lowering.call(builder, "collective", builder.getVoidTy(),
                {builder.getInt32(static_cast<unsigned>(operation)), lowering.site(call), input, output});
  return builder.CreateAlignedLoad(call.getType(), output, Align(32));
}

constexpr IntrinsicEntry entries[] = {
    {"readfirstlane", read_first},
    {"readlane", read_lane},
    {"ballot", ballot},
    {"ds.bpermute", permute},
    {"update.dpp", dpp},
    {"wave.barrier", wave_barrier},
    {"mfma.f32.32x32x16.bf16", matrix<WaveOp::mfma_32x32x16_bf16, plain_mfma, mfma_32x32x16>},
    {"mfma.f32.32x32x16.f16", matrix<WaveOp::mfma_32x32x16_f16, plain_mfma, mfma_32x32x16>},
    {"wmma.f32.16x16x16.bf16", matrix<WaveOp::wmma_16x16x16_bf16, plain_wmma, wmma_16x16x16>},
    {"wmma.f32.16x16x16.f16", matrix<WaveOp::wmma_16x16x16_f16, plain_wmma, wmma_16x16x16>},
    {"wmma.f32.16x16x32.bf16", matrix<WaveOp::wmma_16x16x32_bf16, wmma_with_modifiers, wmma_16x16x32>},
    {"wmma.f32.16x16x32.f16", matrix<WaveOp::wmma_16x16x32_f16, wmma_with_modifiers, wmma_16x16x32>},
};

} // namespace

ArrayRef<IntrinsicEntry> wave_intrinsics() { return entries; }

} // namespace twinir::exec
