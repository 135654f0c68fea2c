// SPDX-License-Identifier: MIT
// The matrix multiplies of 8-bit numbers, one sum at a time (built with FMA).
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "runtime/host/small_float.hpp"
#include "runtime/host/wave_ops.hpp"

namespace twinir::exec {
namespace {

using Table = std::array<float, 256>;

template <float (*decode)(std::uint32_t)> const Table& values() {
  static const Table table = [] {
    Table t{};
    for (std::uint32_t byte = 0; byte < t.size(); ++byte) t[byte] = decode(byte);
    return t;
  }();
  return table;
}

struct Fp8 {
  static float value(std::uint8_t byte) { return values<fp8_to_f32>()[byte]; }
};
struct Bf8 {
  static float value(std::uint8_t byte) { return values<bf8_to_f32>()[byte]; }
};

// Every product of two such numbers is a float, so a fused step rounds once.
template <class A, class B> struct Floats {
  using Number = float;
  using Sum = float;
  static float a(std::uint8_t byte, bool) { return A::value(byte); }
  static float b(std::uint8_t byte, bool) { return B::value(byte); }
  static float step(float a, float b, float sum) { return std::fma(a, b, sum); }
};
using Fp8Fp8 = Floats<Fp8, Fp8>;
using Fp8Bf8 = Floats<Fp8, Bf8>;
using Bf8Fp8 = Floats<Bf8, Fp8>;
using Bf8Bf8 = Floats<Bf8, Bf8>;

struct Bytes {
  using Number = std::int32_t;
  using Sum = std::uint32_t; // wraps
  static std::int32_t a(std::uint8_t byte, bool is_signed) {
    return is_signed ? static_cast<std::int8_t>(byte) : static_cast<std::int32_t>(byte);
  }
  static std::int32_t b(std::uint8_t byte, bool is_signed) { return a(byte, is_signed); }
  static Sum step(std::int32_t a, std::int32_t b, Sum sum) { return sum + static_cast<Sum>(a * b); }
};

// The operands that the groups of one copy share, as plain matrices.
template <class Kind, MatrixLayout layout> struct Tiles {
  typename Kind::Number a[layout.side][layout.depth()]; // [row][k]
  typename Kind::Number b[layout.side][layout.depth()]; // [column][k]

  Tiles(const MatrixOperands* const operands[], int copy) {
    for (int i = 0; i < layout.side; ++i)
      for (int k = 0; k < layout.depth(); ++k) {
        const int group = layout.group_of_k(k, copy * layout.piece_groups), slot = layout.slot_of_k(k);
        const MatrixOperands& lane = *operands[group * layout.side + i];
        a[i][k] = Kind::a(byte(lane.a, slot), lane.is_signed[0] != 0);
        b[i][k] = Kind::b(byte(lane.b, slot), lane.is_signed[1] != 0);
      }
  }
  [[nodiscard]] typename Kind::Sum sum(int row, int column, typename Kind::Sum from) const {
    for (int k = 0; k < layout.depth(); ++k) from = Kind::step(a[row][k], b[column][k], from);
    return from;
  }

private:
  static std::uint8_t byte(const std::uint16_t* fragment, int slot) {
    return reinterpret_cast<const std::uint8_t*>(fragment)[slot];
  }
};

template <class Kind, MatrixLayout layout>
void multiply(const MatrixOperands* const operands[], float* const results[]) {
  for (int copy = 0; copy < layout.groups() / layout.piece_groups; ++copy) {
    const Tiles<Kind, layout> tiles(operands, copy);
    for (int i = 0; i < layout.side * layout.piece_groups; ++i) {
      const int lane = copy * layout.piece_groups * layout.side + i;
      for (int slot = 0; slot < layout.sums(); ++slot) {
        const int row = layout.row_of_slot(lane / layout.side, slot);
        typename Kind::Sum sum;
        std::memcpy(&sum, &operands[lane]->c[slot], sizeof sum);
        sum = tiles.sum(row, lane % layout.side, sum);
        std::memcpy(&results[lane][slot], &sum, sizeof sum);
      }
    }
  }
}

} // namespace

#define TWINIR_MATRIX_OP(name, kind, layout)                                                                 \
  void matrix_##name(const MatrixOperands* const operands[], float* const results[]) {                       \
    multiply<kind, layout>(operands, results);                                                               \
  }
#include "runtime/host/matrix_byte_ops.def"
#undef TWINIR_MATRIX_OP

} // namespace twinir::exec
