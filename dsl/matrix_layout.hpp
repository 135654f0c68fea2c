// SPDX-License-Identifier: MIT
// How a wave holds the operands and the sums of a matrix instruction: six numbers each (docs/matrix.md).
#pragma once
// A lane belongs to group lane / side and has index lane % side: a row of A, a column of B and of the sums. A
// piece is 8 or 16 consecutive k. Rows and columns of the sums are those of AMD's public documents; k may lie
// in any order that A and B share, and is taken in pieces that are loaded as they lie.

namespace twinir {

struct MatrixLayout {
  int wave;         ///< lanes
  int side;         ///< rows of A and of the sums, columns of B
  int pieces;       ///< of a row that one lane holds, in its slots one after the other
  int piece_groups; ///< groups that share a row; groups beyond them hold copies
  int run;          ///< consecutive rows of the sums that one lane holds
  int piece = 8;    ///< consecutive k of a piece

  [[nodiscard]] constexpr int groups() const { return wave / side; }
  [[nodiscard]] constexpr int depth() const { return piece * pieces * piece_groups; }
  [[nodiscard]] constexpr int fragment_values() const { return piece * pieces; }
  [[nodiscard]] constexpr int sums() const { return side * side / wave; } ///< of a lane

  /// The group that holds k in its slots, among those whose sums `group` holds.
  [[nodiscard]] constexpr int group_of_k(int k, int group) const {
    return k / piece % piece_groups + group / piece_groups * piece_groups;
  }
  [[nodiscard]] constexpr int slot_of_k(int k) const { return k / piece / piece_groups * piece + k % piece; }
  /// The row of the sum in slot `slot` of a lane of group `group`.
  [[nodiscard]] constexpr int row_of_slot(int group, int slot) const {
    return slot / run * run * groups() + group * run + slot % run;
  }
  friend constexpr bool operator==(const MatrixLayout&, const MatrixLayout&) = default;
};

inline constexpr MatrixLayout wmma_16x16x32{32, 16, 2, 2, 8}; ///< gfx1250
inline constexpr MatrixLayout wmma_16x16x16{32, 16, 2, 1,
                                            1}; ///< gfx1150: lanes 16 to 31 repeat lanes 0 to 15
inline constexpr MatrixLayout wmma_gfx12{32, 16, 1, 2, 8};        ///< gfx1201, 16x16x16
inline constexpr MatrixLayout wmma_16x16x64{32, 16, 2, 2, 8, 16}; ///< gfx1250, 8 bits
inline constexpr MatrixLayout mfma_32x32x16{64, 32, 1, 2, 4};     ///< gfx950
inline constexpr MatrixLayout mfma_16x16x32{64, 16, 1, 4, 4};     ///< gfx950
inline constexpr MatrixLayout mfma_32x32x32{64, 32, 1, 2, 4, 16}; ///< gfx950, 8 bits

} // namespace twinir
