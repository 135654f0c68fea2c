// SPDX-License-Identifier: MIT
// The 16x16x32 matrix multiply of one wave, eight rows at a time in AVX registers (built with AVX2, FMA and
// F16C).
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

// The operands of a wave as plain matrices: a row of A and a column of B each hold their 32 values of k.
struct Tiles {
  alignas(32) float a_by_k[32][16]; // [k][row]
  alignas(32) float b[16][32];      // [column][k]
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

// Lane group*16 + i holds k = 8*group .. +7 in slots 0 to 7 and k = 16 + 8*group .. +7 in slots 8 to 15.
template <class Kind> void gather(const MatrixOperands* const operands[32], Tiles& tiles) {
  for (int group = 0; group < 2; ++group)
    for (int piece = 0; piece < 2; ++piece) {
      const int k = 16 * piece + 8 * group;
      for (int i = 0; i < 16; ++i)
        _mm256_store_ps(&tiles.b[i][k], Kind::widen(operands[16 * group + i]->b + 8 * piece));
      for (int rows = 0; rows < 16; rows += 8) {
        __m256 block[8];
        for (int i = 0; i < 8; ++i) block[i] = Kind::widen(operands[16 * group + rows + i]->a + 8 * piece);
        transpose8(block);
        for (int i = 0; i < 8; ++i) _mm256_store_ps(&tiles.a_by_k[k + i][rows], block[i]);
      }
    }
}

// Eight columns at once: eight independent chains hide the latency of the fused multiply-add.
void multiply_columns(const Tiles& tiles, int group, int column, const MatrixOperands* const operands[32],
                      float* const results[32]) {
  __m256 sums[8];
  const int lane = 16 * group + column;
  for (int i = 0; i < 8; ++i) sums[i] = _mm256_load_ps(operands[lane + i]->c);
  for (int k = 0; k < 32; ++k) {
    const __m256 a = _mm256_load_ps(&tiles.a_by_k[k][8 * group]);
    for (int i = 0; i < 8; ++i)
      sums[i] = _mm256_fmadd_ps(a, _mm256_broadcast_ss(&tiles.b[column + i][k]), sums[i]);
  }
  for (int i = 0; i < 8; ++i) _mm256_storeu_ps(results[lane + i], sums[i]);
}

template <class Kind> void multiply(const MatrixOperands* const operands[32], float* const results[32]) {
  Tiles tiles;
  gather<Kind>(operands, tiles);
  for (int group = 0; group < 2; ++group)
    for (int column = 0; column < 16; column += 8) multiply_columns(tiles, group, column, operands, results);
}

} // namespace

void matrix_f16(const MatrixOperands* const operands[32], float* const results[32]) {
  multiply<Half>(operands, results);
}

void matrix_bf16(const MatrixOperands* const operands[32], float* const results[32]) {
  multiply<Bfloat>(operands, results);
}

} // namespace twinir::exec
