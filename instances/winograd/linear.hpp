// SPDX-License-Identifier: MIT
// Multiplying by a constant matrix with few instructions, in row groups or column groups.
#pragma once
// The points of F(m,3) come in pairs +-p, so two rows of BT and G (two columns of AT) differ only in the sign
// of their odd part: half of their work is shared.
#include "dsl/value.hpp"
#include "instances/winograd/matrices.hpp"

#include <functional>
#include <vector>

namespace twinir::winograd {

struct Term {
  int index; ///< of the input
  Rational coefficient;
};

/// One row, or two neighbouring rows that are even + odd and even - odd.
struct RowGroup {
  std::vector<int> rows;
  std::vector<Term> even, odd; ///< odd is empty for a single row

  /// Inputs it needs, ascending.
  [[nodiscard]] std::vector<int> inputs() const;
};
[[nodiscard]] std::vector<RowGroup> row_groups(const Matrix& matrix);

using Input = std::function<Value(int)>;
/// scale * sum of coefficient * input(index); no term with coefficient 0 costs anything.
[[nodiscard]] Value combine(const std::vector<Term>& terms, const Input& input, Rational scale = 1);
/// The rows of the group times the inputs; row i is scaled by scale(i).
[[nodiscard]] std::vector<Value> apply(const RowGroup& group, const Input& input,
                                       const std::function<Rational(int)>& scale);

/// One column of a matrix, or two neighbouring columns whose entries differ in sign in the odd rows.
struct ColumnGroup {
  std::vector<int> columns;
  std::vector<Rational> coefficients; ///< per row, of the first column
  std::vector<bool> negated;          ///< per row: the second column has the other sign
};
[[nodiscard]] std::vector<ColumnGroup> column_groups(const Matrix& matrix);

/// Adds a column group times its inputs to `sums` (one per row; an empty Value is zero).
void accumulate(const ColumnGroup& group, const std::vector<Value>& inputs, std::vector<Value>& sums);

} // namespace twinir::winograd
