// SPDX-License-Identifier: MIT
// The interpreter's matrix multiplies.
#include "dsl/constant.hpp"
#include "dsl/interpret_float.hpp"
#include "dsl/matrix.hpp"

#include <algorithm>

namespace twinir::interp {
namespace {

/// The operands of a matrix multiply; docs/matrix.md has their layouts.
struct Fragments {
  View a, b, c;
};

/// Number `slot` of a lane's fragment; several in a word lie lowest first.
Word number_at(const Group& g, const MatrixOp& m, const View& v, std::size_t item, int slot) {
  const int bits = bit_width(m.a), in_word = static_cast<int>(bit_width(m.fragment.scalar)) / bits;
  const Word word = g.use(v, item, static_cast<std::size_t>(slot / in_word));
  return word >> (bits * (slot % in_word)) & ((Word{1} << bits) - 1);
}

/// A number's value in f32, exactly.
Word as_f32(MatrixNumber n, Word bits) {
  switch (n) {
  case MatrixNumber::fp8: return fp8_to_f32_bits(bits);
  case MatrixNumber::bf8: return bf8_to_f32_bits(bits);
  default:
    return from_double(Scalar::f32, to_double(n == MatrixNumber::half ? Scalar::f16 : Scalar::bf16, bits));
  }
}

/// How the numbers of one statement multiply and add.
struct Step {
  const MatrixOp& m;
  bool signed_a, signed_b;

  Step(const MatrixOp& op, const Stmt& s)
      : m(op), signed_a(has_sign(s, "signed_a")), signed_b(has_sign(s, "signed_b")) {}
  /// sum + a * b with one rounding; of integers modulo 2^32.
  [[nodiscard]] Word operator()(Word a, Word b, Word sum) const {
    if (!is_int(m.a)) return fused(Scalar::f32, as_f32(m.a, a), as_f32(m.b, b), sum);
    return truncated(Scalar::i32, sum + extended(a, signed_a) * extended(b, signed_b));
  }

private:
  [[nodiscard]] bool has_sign(const Stmt& s, std::string_view which) const {
    return !m.has_signs() || s.value(which) != 0;
  }
  static Word extended(Word byte, bool is_signed) {
    return is_signed ? static_cast<Word>(signed_value(Scalar::i8, byte)) : byte;
  }
};

/// The sum in slot `slot` of lane `lane` of the wave that starts at item `wave`.
Word element_of_product(const Group& g, const Step& step, const Fragments& f, std::size_t wave, int lane,
                        int slot) {
  const auto& layout = step.m.layout;
  const auto item = [&](int group, int index) {
    return wave + static_cast<std::size_t>(group * layout.side + index);
  };
  const int group = lane / layout.side, column = lane % layout.side, row = layout.row_of_slot(group, slot);
  Word sum = g.use(f.c, item(group, column), static_cast<std::size_t>(slot));
  for (int k = 0; k < layout.depth(); ++k) {
    const int from = layout.group_of_k(k, group), at = layout.slot_of_k(k);
    sum = step(number_at(g, step.m, f.a, item(from, row), at),
               number_at(g, step.m, f.b, item(from, column), at), sum);
  }
  return sum;
}

/// Refuses a wave of which some lanes are off.
void require_whole_wave(const Group& g, std::size_t item) {
  const std::size_t first = item / g.wave() * g.wave();
  std::size_t on = 0;
  for (std::size_t i = first; i < std::min(first + g.wave(), g.items()); ++i) on += g.mask()[i];
  if (on != g.wave())
    g.fault(Code::exec_partial_wave,
            "a matrix multiply with " + std::to_string(on) + " of " + std::to_string(g.wave()) + " lanes on",
            "every lane of the wave", "move it out of divergent control flow; use whole waves");
}

void matrix(Group& g, const Stmt& s) {
  const Step step(matrix_op(s.op), s);
  auto& out = g.place(s.name, s.type);
  const Fragments f{g.view(s.args[0]), g.view(s.args[1]), g.view(s.args[2])};
  g.each_item([&](std::size_t item) {
    const std::size_t wave = item / g.wave() * g.wave(), lane = item - wave;
    if (item == wave || !g.mask()[item - 1]) require_whole_wave(g, item);
    for (int slot = 0; slot < step.m.layout.sums(); ++slot)
      Group::put(out, item, static_cast<std::size_t>(slot),
                 element_of_product(g, step, f, wave, static_cast<int>(lane), slot));
  });
}

} // namespace

#define TWINIR_PERFORM(id)                                                                                   \
  template <> void perform<Op::id>(Group & g, const Stmt& s) { matrix(g, s); }
TWINIR_PERFORM(wmma_16x16x32_f16)
TWINIR_PERFORM(wmma_16x16x32_bf16)
TWINIR_PERFORM(wmma_16x16x16_f16)
TWINIR_PERFORM(wmma_16x16x16_bf16)
TWINIR_PERFORM(mfma_32x32x16_f16)
TWINIR_PERFORM(mfma_32x32x16_bf16)
TWINIR_PERFORM(mfma_32x32x16_fp8_fp8)
TWINIR_PERFORM(mfma_32x32x16_fp8_bf8)
TWINIR_PERFORM(mfma_32x32x16_bf8_fp8)
TWINIR_PERFORM(mfma_32x32x16_bf8_bf8)
TWINIR_PERFORM(mfma_16x16x32_f16)
TWINIR_PERFORM(mfma_16x16x32_bf16)
TWINIR_PERFORM(mfma_32x32x32_i8)
TWINIR_PERFORM(wmma_16x16x16_iu8)
TWINIR_PERFORM(wmma_gfx12_f16)
TWINIR_PERFORM(wmma_gfx12_bf16)
TWINIR_PERFORM(wmma_gfx12_fp8_fp8)
TWINIR_PERFORM(wmma_gfx12_fp8_bf8)
TWINIR_PERFORM(wmma_gfx12_bf8_fp8)
TWINIR_PERFORM(wmma_gfx12_bf8_bf8)
TWINIR_PERFORM(wmma_gfx12_iu8)
TWINIR_PERFORM(wmma_16x16x64_fp8_fp8)
TWINIR_PERFORM(wmma_16x16x64_fp8_bf8)
TWINIR_PERFORM(wmma_16x16x64_bf8_fp8)
TWINIR_PERFORM(wmma_16x16x64_bf8_bf8)
TWINIR_PERFORM(wmma_16x16x64_iu8)
#undef TWINIR_PERFORM

} // namespace twinir::interp
