// SPDX-License-Identifier: MIT
// LdsView: an LDS array as a matrix whose columns lie in different banks, by padding or by swizzling.
#pragma once
// Guarantees: (row, column) -> element is one-to-one for 0 <= column < columns(). Refuses negative padding, and pieces
// that are no power of two or do not divide the row, with bad_lds_array.
#include "dsl/error.hpp"
#include "dsl/memory.hpp"

#include <bit>

namespace twinir {

class LdsView {
public:
  /// Rows of `columns` elements, each followed by `padding` unused ones.
  static LdsView padded(Pointer array, int columns, int padding) {
    require(columns > 0 && padding >= 0, "a padded view of " + std::to_string(columns) + " columns and padding " + std::to_string(padding));
    return {std::move(array), columns, columns + padding, 0};
  }
  /// Rows of `columns` elements without gaps; pieces of `piece` elements change places by the low bits of the row.
  static LdsView swizzled(Pointer array, int columns, int piece) {
    const bool ok = piece > 0 && columns > 0 && columns % piece == 0 && std::has_single_bit(static_cast<unsigned>(piece)) &&
                    std::has_single_bit(static_cast<unsigned>(columns / piece));
    require(ok, "a swizzled view of " + std::to_string(columns) + " columns in pieces of " + std::to_string(piece));
    return {std::move(array), columns, columns, piece};
  }

  [[nodiscard]] int columns() const { return columns_; }
  /// Elements that `rows` rows take: what to give to KernelBuilder::lds.
  [[nodiscard]] static std::int64_t elements(int rows, int columns, int padding = 0) { return std::int64_t{rows} * (columns + padding); }

  /// The element at (row, column), both i32: reading loads it, assigning stores it.
  [[nodiscard]] Ref operator()(const Value& row, const Value& column) const { return array_[row * pitch_ + place(row, column)]; }

private:
  LdsView(Pointer array, int columns, int pitch, int piece) : array_(std::move(array)), columns_(columns), pitch_(pitch), piece_(piece) {}
  static void require(bool ok, const std::string& found) {
    if (!ok) throw UserError({Code::bad_lds_array, found, "one column or more, padding of 0 or more, pieces of a power of two that divide the row into one", "correct the view", {}});
  }
  [[nodiscard]] Value place(const Value& row, const Value& column) const {
    if (piece_ == 0) return column;
    const int pieces = columns_ / piece_;
    return column ^ ((row & (pieces - 1)) * piece_);
  }

  Pointer array_;
  int columns_, pitch_, piece_;
};

} // namespace twinir
