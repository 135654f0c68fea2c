// SPDX-License-Identifier: MIT
// How a wave holds the operands and the sums of a matrix instruction: five numbers each (docs/matrix.md).
#pragma once
// A lane belongs to group lane / side and has index lane % side: a row of A, a column of B and of the sums. A
// piece is 8 consecutive k.

namespace twinir {

struct MatrixLayout {
  int wave;         ///< lanes
  int side;         ///< rows of A and of the sums, columns of B
  int pieces;       ///< of a row that one lane holds, in its slots one after the other
  int piece_groups; ///< groups that share a row; groups beyond them hold copies
  int run;          ///< consecutive rows of the sums that one lane holds

  [[nodiscard]] constexpr int groups() const { return wave / side; }
  [[nodiscard]] constexpr int depth() const { return 8 * pieces * piece_groups; }
  [[nodiscard]] constexpr int fragment_values() const { return 8 * pieces; }
  [[nodiscard]] constexpr int sums() const { return side * side / wave; } ///< of a lane

  /// The group that holds k in its slots, among those whose sums `group` holds.
  [[nodiscard]] constexpr int group_of_k(int k, int group) const {
    return k / 8 % piece_groups + group / piece_groups * piece_groups;
  }
  [[nodiscard]] constexpr int slot_of_k(int k) const { return k / 8 / piece_groups * 8 + k % 8; }
  /// The row of the sum in slot `slot` of a lane of group `group`.
  [[nodiscard]] constexpr int row_of_slot(int group, int slot) const {
    return slot / run * run * groups() + group * run + slot % run;
  }
  friend constexpr bool operator==(const MatrixLayout&, const MatrixLayout&) = default;
};

inline constexpr MatrixLayout wmma_16x16x32{32, 16, 2, 2, 8}; ///< gfx1250
inline constexpr MatrixLayout wmma_16x16x16{32, 16, 2, 1,
                                            1}; ///< gfx1150: lanes 16 to 31 repeat lanes 0 to 15
inline constexpr MatrixLayout mfma_32x32x16{64, 32, 1, 2, 4}; ///< gfx950

} // namespace twinir
