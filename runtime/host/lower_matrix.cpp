// SPDX-License-Identifier: MIT
// Handlers: matrix multiplies of a wave.
#include "dsl/matrix_layout.hpp"
#include "runtime/host/intrinsic_table.hpp"
#include "runtime/host/refusal.hpp"

namespace twinir::exec {

using namespace llvm;

namespace {

std::uint32_t immediate(const CallInst& call, unsigned index) {
  return static_cast<std::uint32_t>(cast<ConstantInt>(call.getArgOperand(index))->getZExtValue());
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
  std::uint32_t signs = 0; ///< of integers: bit 0 of A, bit 1 of B
};

// wmma of gfx1250: LLVM 22's 16-bit forms (i1 neg, A, i1 neg, B, i16 mod, C, i1, i1); others and later
// (A, B, i16 mod, C, i1, i1).
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

// wmma 16x16x16: (A, B, C).
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

// wmma of integers: (i1 sign of A, A, i1 sign of B, B, C, ...), where the last is the clamp; the others are
// hints.
MatrixCall wmma_of_integers(CallInst& call, IRBuilder<>&) {
  if (call.arg_size() != 6 && call.arg_size() != 8) refuse_form(call);
  if (immediate(call, call.arg_size() - 1) != 0) refuse_form(call);
  const std::uint32_t signs = immediate(call, 0) | immediate(call, 2) << 1;
  return {call.getArgOperand(1), call.getArgOperand(3), call.getArgOperand(4), signs};
}

// mfma of bytes: both have signs.
MatrixCall mfma_of_integers(CallInst& call, IRBuilder<>& builder) {
  MatrixCall operands = plain_mfma(call, builder);
  operands.signs = 3;
  return operands;
}

using MatrixForm = MatrixCall (*)(CallInst&, IRBuilder<>&);

int bits_of(const Value* value) { return static_cast<int>(value->getType()->getPrimitiveSizeInBits()); }

void check_matrix_form(const Lowering& lowering, const CallInst& call, const MatrixCall& operands,
                       const MatrixLayout& layout, int number_bits) {
  if (static_cast<int>(lowering.image.wave) != layout.wave)
    refuse_unsupported(call.getCalledFunction()->getName().str() + " in a wave of " +
                       std::to_string(lowering.image.wave));
  const bool good = bits_of(operands.a) == number_bits * layout.fragment_values() &&
                    bits_of(operands.b) == number_bits * layout.fragment_values() &&
                    bits_of(operands.c) == 32 * layout.sums();
  if (!good) refuse_form(call);
}

// Stores the operands into the frame, waits for the wave, reads the sums.
Value* multiply(Lowering& lowering, CallInst& call, IRBuilder<>& builder, WaveOp operation,
                const MatrixCall& operands) {
  lowering.image.fibers = true;
  auto* type = ArrayType::get(builder.getInt8Ty(), sizeof(MatrixOperands));
  AllocaInst* input = lowering.frame_slot(type, "matrix.input");
  AllocaInst* output = lowering.frame_slot(call.getType(), "matrix.output");
  const auto put = [&](Value* value, std::size_t offset, Align align = Align(32)) {
    builder.CreateAlignedStore(value, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), input, offset),
                               align);
  };
  put(operands.a, offsetof(MatrixOperands, a));
  put(operands.b, offsetof(MatrixOperands, b));
  put(operands.c, offsetof(MatrixOperands, c));
  put(builder.getInt32(operands.signs & 1), offsetof(MatrixOperands, is_signed));
  put(builder.getInt32(operands.signs >> 1), offsetof(MatrixOperands, is_signed) + 4, Align(4));
  lowering.call(builder, "collective", builder.getVoidTy(),
                {builder.getInt32(static_cast<unsigned>(operation)), lowering.site(call), input, output});
  return builder.CreateAlignedLoad(call.getType(), output, Align(32));
}

template <WaveOp operation, MatrixForm form, MatrixLayout layout, int number_bits = 16>
Value* matrix(Lowering& lowering, CallInst& call, IRBuilder<>& builder) {
  const MatrixCall operands = form(call, builder);
  check_matrix_form(lowering, call, operands, layout, number_bits);
  return multiply(lowering, call, builder, operation, operands);
}

// gfx11 and gfx12 have this name, with fragments of different sizes.
template <WaveOp of_gfx11, WaveOp of_gfx12, MatrixForm form, int number_bits>
Value* of_either(Lowering& lowering, CallInst& call, IRBuilder<>& builder) {
  const bool gfx12 = bits_of(form(call, builder).a) == number_bits * wmma_gfx12.fragment_values();
  return gfx12 ? matrix<of_gfx12, form, wmma_gfx12, number_bits>(lowering, call, builder)
               : matrix<of_gfx11, form, wmma_16x16x16, number_bits>(lowering, call, builder);
}

constexpr IntrinsicEntry entries[] = {
    {"mfma.f32.16x16x32.bf16", matrix<WaveOp::mfma_16x16x32_bf16, plain_mfma, mfma_16x16x32>},
    {"mfma.f32.16x16x32.f16", matrix<WaveOp::mfma_16x16x32_f16, plain_mfma, mfma_16x16x32>},
    {"mfma.f32.32x32x16.bf16", matrix<WaveOp::mfma_32x32x16_bf16, plain_mfma, mfma_32x32x16>},
    {"mfma.f32.32x32x16.f16", matrix<WaveOp::mfma_32x32x16_f16, plain_mfma, mfma_32x32x16>},
    {"mfma.f32.32x32x16.fp8.fp8", matrix<WaveOp::mfma_32x32x16_fp8_fp8, plain_mfma, mfma_32x32x16, 8>},
    {"mfma.f32.32x32x16.fp8.bf8", matrix<WaveOp::mfma_32x32x16_fp8_bf8, plain_mfma, mfma_32x32x16, 8>},
    {"mfma.f32.32x32x16.bf8.fp8", matrix<WaveOp::mfma_32x32x16_bf8_fp8, plain_mfma, mfma_32x32x16, 8>},
    {"mfma.f32.32x32x16.bf8.bf8", matrix<WaveOp::mfma_32x32x16_bf8_bf8, plain_mfma, mfma_32x32x16, 8>},
    {"mfma.i32.32x32x32.i8", matrix<WaveOp::mfma_32x32x32_i8, mfma_of_integers, mfma_32x32x32, 8>},
    {"wmma.f32.16x16x16.bf16",
     of_either<WaveOp::wmma_16x16x16_bf16, WaveOp::wmma_gfx12_bf16, plain_wmma, 16>},
    {"wmma.f32.16x16x16.f16", of_either<WaveOp::wmma_16x16x16_f16, WaveOp::wmma_gfx12_f16, plain_wmma, 16>},
    {"wmma.f32.16x16x16.fp8.fp8", matrix<WaveOp::wmma_gfx12_fp8_fp8, plain_wmma, wmma_gfx12, 8>},
    {"wmma.f32.16x16x16.fp8.bf8", matrix<WaveOp::wmma_gfx12_fp8_bf8, plain_wmma, wmma_gfx12, 8>},
    {"wmma.f32.16x16x16.bf8.fp8", matrix<WaveOp::wmma_gfx12_bf8_fp8, plain_wmma, wmma_gfx12, 8>},
    {"wmma.f32.16x16x16.bf8.bf8", matrix<WaveOp::wmma_gfx12_bf8_bf8, plain_wmma, wmma_gfx12, 8>},
    {"wmma.i32.16x16x16.iu8",
     of_either<WaveOp::wmma_16x16x16_iu8, WaveOp::wmma_gfx12_iu8, wmma_of_integers, 8>},
    {"wmma.f32.16x16x32.bf16", matrix<WaveOp::wmma_16x16x32_bf16, wmma_with_modifiers, wmma_16x16x32>},
    {"wmma.f32.16x16x32.f16", matrix<WaveOp::wmma_16x16x32_f16, wmma_with_modifiers, wmma_16x16x32>},
    {"wmma.f32.16x16x64.fp8.fp8",
     matrix<WaveOp::wmma_16x16x64_fp8_fp8, wmma_with_modifiers, wmma_16x16x64, 8>},
    {"wmma.f32.16x16x64.fp8.bf8",
     matrix<WaveOp::wmma_16x16x64_fp8_bf8, wmma_with_modifiers, wmma_16x16x64, 8>},
    {"wmma.f32.16x16x64.bf8.fp8",
     matrix<WaveOp::wmma_16x16x64_bf8_fp8, wmma_with_modifiers, wmma_16x16x64, 8>},
    {"wmma.f32.16x16x64.bf8.bf8",
     matrix<WaveOp::wmma_16x16x64_bf8_bf8, wmma_with_modifiers, wmma_16x16x64, 8>},
    {"wmma.i32.16x16x64.iu8", matrix<WaveOp::wmma_16x16x64_iu8, wmma_of_integers, wmma_16x16x64, 8>},
};

} // namespace

ArrayRef<IntrinsicEntry> matrix_intrinsics() { return entries; }

} // namespace twinir::exec
