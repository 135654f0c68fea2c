// SPDX-License-Identifier: MIT
// The matrix multiply of 16-bit floats by one wave, eight rows at a time in AVX registers (built with AVX2,
// FMA and F16C).
#include <algorithm>
#include <immintrin.h>

#include "runtime/host/wave_ops.hpp"

namespace twinir::exec {
namespace {

// Eight 16-bit values as floats.
struct Half {
  static __m256 widen(const std::uint16_t* values) {
    return _mm256_cvtph_ps(_mm_load_si128(reinterpret_cast<const __m128i*>(values)));
  }
};
struct Bfloat {
  static __m256 widen(const std::uint16_t* values) {
    const __m128i bits = _mm_load_si128(reinterpret_cast<const __m128i*>(values));
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(bits), 16));
  }
};

// The operands of a wave as plain matrices: a row of A and a column of B each hold their values of k.
template <MatrixLayout layout> struct Tiles {
  alignas(32) float a_by_k[layout.depth()][layout.side]; // [k][row]
  alignas(32) float b[layout.side][layout.depth()];      // [column][k]
  alignas(32) float sums[layout.side][layout.side];      // [column][row]
};

void transpose8(__m256 rows[8]) {
  __m256 pairs[8];
  for (int i = 0; i < 8; i += 2) {
    pairs[i] = _mm256_unpacklo_ps(rows[i], rows[i + 1]);
    pairs[i + 1] = _mm256_unpackhi_ps(rows[i], rows[i + 1]);
  }
  __m256 quads[8];
  for (int i = 0; i < 8; i += 4)
    for (int half = 0; half < 2; ++half) {
      quads[i + 2 * half] = _mm256_shuffle_ps(pairs[i + half], pairs[i + half + 2], 0x44);
      quads[i + 2 * half + 1] = _mm256_shuffle_ps(pairs[i + half], pairs[i + half + 2], 0xee);
    }
  for (int i = 0; i < 4; ++i) {
    rows[i] = _mm256_permute2f128_ps(quads[i], quads[i + 4], 0x20);
    rows[i + 4] = _mm256_permute2f128_ps(quads[i], quads[i + 4], 0x31);
  }
}

// Groups of lanes that hold copies multiply their own copies: `copy` numbers them.
template <class Kind, MatrixLayout layout>
requires(layout.piece == 8) void gather(const MatrixOperands* const operands[], int copy,
                                        Tiles<layout>& tiles) {
  for (int part = 0; part < layout.piece_groups; ++part)
    for (int piece = 0; piece < layout.pieces; ++piece) {
      const int k = 8 * (layout.piece_groups * piece + part);
      const auto* lanes = operands + (copy * layout.piece_groups + part) * layout.side;
      for (int i = 0; i < layout.side; ++i)
        _mm256_store_ps(&tiles.b[i][k], Kind::widen(lanes[i]->b + 8 * piece));
      for (int rows = 0; rows < layout.side; rows += 8) {
        __m256 block[8];
        for (int i = 0; i < 8; ++i) block[i] = Kind::widen(lanes[rows + i]->a + 8 * piece);
        transpose8(block);
        for (int i = 0; i < 8; ++i) _mm256_store_ps(&tiles.a_by_k[k + i][rows], block[i]);
      }
    }
}

// Sums between the lanes and the plain matrix, `run` rows at a time.
template <MatrixLayout layout, class Move> void each_run(Tiles<layout>& tiles, Move&& move) {
  for (int group = 0; group < layout.groups(); ++group)
    for (int column = 0; column < layout.side; ++column)
      for (int slot = 0; slot < layout.sums(); slot += layout.run)
        move(group * layout.side + column, slot, &tiles.sums[column][layout.row_of_slot(group, slot)]);
}

// Eight columns at once: eight independent chains hide the latency of the fused multiply-add.
template <MatrixLayout layout> void multiply_block(Tiles<layout>& tiles, int row, int column) {
  __m256 sums[8];
  for (int i = 0; i < 8; ++i) sums[i] = _mm256_load_ps(&tiles.sums[column + i][row]);
  for (int k = 0; k < layout.depth(); ++k) {
    const __m256 a = _mm256_load_ps(&tiles.a_by_k[k][row]);
    for (int i = 0; i < 8; ++i)
      sums[i] = _mm256_fmadd_ps(a, _mm256_broadcast_ss(&tiles.b[column + i][k]), sums[i]);
  }
  for (int i = 0; i < 8; ++i) _mm256_store_ps(&tiles.sums[column + i][row], sums[i]);
}

// The sums of the groups that share copy `copy`; rows of the other groups are computed and left.
template <class Kind, MatrixLayout layout>
void multiply_copy(const MatrixOperands* const operands[], float* const results[], int copy) {
  Tiles<layout> tiles;
  gather<Kind>(operands, copy, tiles);
  each_run(tiles,
           [&](int lane, int slot, float* to) { std::copy_n(operands[lane]->c + slot, layout.run, to); });
  for (int row = 0; row < layout.side; row += 8)
    for (int column = 0; column < layout.side; column += 8) multiply_block(tiles, row, column);
  each_run(tiles, [&](int lane, int slot, const float* from) {
    if (lane / layout.side / layout.piece_groups == copy) std::copy_n(from, layout.run, results[lane] + slot);
  });
}

template <class Kind, MatrixLayout layout>
void multiply(const MatrixOperands* const operands[], float* const results[]) {
  for (int copy = 0; copy < layout.groups() / layout.piece_groups; ++copy)
    multiply_copy<Kind, layout>(operands, results, copy);
}

} // namespace

#define TWINIR_MATRIX_OP(name, kind, layout)                                                                 \
  void matrix_##name(const MatrixOperands* const operands[], float* const results[]) {                       \
    multiply<kind, layout>(operands, results);                                                               \
  }
#include "runtime/host/matrix_ops.def"
#undef TWINIR_MATRIX_OP

} // namespace twinir::exec
