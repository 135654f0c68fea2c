// SPDX-License-Identifier: MIT
// Rows of lanes: a work-group in which 2^shift neighbouring items work on one row (a tile, a pixel, an output
// channel) and find the largest of their values together.
#pragma once
#include "dsl/builder.hpp"

namespace twinir::winograd {

class LaneRows {
public:
  /// The block must be a power of two; `shift` (i32) is uniform, 2^shift at most the block.
  LaneRows(KernelBuilder& k, int block, Value rows, Value shift);

  [[nodiscard]] Value row() const { return row_; }
  [[nodiscard]] Value lane() const { return lane_; }
  [[nodiscard]] Value count() const { return count_; } ///< lanes of a row
  [[nodiscard]] Value valid() const { return valid_; } ///< is there such a row
  [[nodiscard]] Value first() const { return valid_ & (lane_ == 0); }
  /// The largest `mine` (i32) of the row's lanes. Every item of the group must call it, once.
  [[nodiscard]] Value largest(Value mine) const;

private:
  KernelBuilder& k_;
  int block_;
  Value shift_, count_, lane_, row_, valid_;
};

/// LDS in which element i, for every multiple i of 2^shift below `block`, is the largest `mine` (i32) of
/// items i to i + 2^shift - 1. Every item of the group must call it, once; what the group wrote to LDS before
/// is visible afterwards.
[[nodiscard]] Pointer largest_of_lanes(KernelBuilder& k, int block, const Value& shift, const Value& mine);

/// The larger of each element of two vectors of magnitude bits.
[[nodiscard]] Value magnitude_max(const Value& bits, const Value& largest);

} // namespace twinir::winograd
