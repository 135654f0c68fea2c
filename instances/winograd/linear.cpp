// SPDX-License-Identifier: MIT
#include "instances/winograd/linear.hpp"

#include <algorithm>

namespace twinir::winograd {
namespace {

double number(Rational r) {
  return static_cast<double>(r.numerator()) / static_cast<double>(r.denominator());
}

/// Do rows a and b agree up to the sign of some entries, with at least one entry of either kind?
bool rows_pair(const Matrix& m, int a, int b) {
  bool even = false, odd = false;
  for (int c = 0; c < m.columns; ++c) {
    const auto x = m.at(a, c), y = m.at(b, c);
    if (x != y && x != -y) return false;
    if (x != Rational(0)) (x == y ? even : odd) = true;
  }
  return even && odd;
}

Matrix transposed(const Matrix& m) {
  Matrix t(m.columns, m.rows);
  for (int r = 0; r < m.rows; ++r)
    for (int c = 0; c < m.columns; ++c) t.at(c, r) = m.at(r, c);
  return t;
}

Value times(Value x, Rational factor) {
  return factor == Rational(1) ? x : factor == Rational(-1) ? -x : x * number(factor);
}
/// x * factor + y in one instruction; a factor of -1 stays an fma, which the code generator folds better than
/// fsub.
Value plus(Value x, Rational factor, Value y) { return fma(x, number(factor), y); }

} // namespace

std::vector<int> RowGroup::inputs() const {
  std::vector<int> out;
  for (const auto& t : even) out.push_back(t.index);
  for (const auto& t : odd) out.push_back(t.index);
  std::ranges::sort(out);
  return out;
}

std::vector<RowGroup> row_groups(const Matrix& m) {
  std::vector<RowGroup> out;
  for (int r = 0; r < m.rows; ++r) {
    const bool pair = r + 1 < m.rows && rows_pair(m, r, r + 1);
    RowGroup group;
    group.rows = pair ? std::vector{r, r + 1} : std::vector{r};
    for (int c = 0; c < m.columns; ++c) {
      if (m.at(r, c) == Rational(0)) continue;
      const bool is_odd = pair && m.at(r, c) != m.at(r + 1, c);
      (is_odd ? group.odd : group.even).push_back({c, m.at(r, c)});
    }
    out.push_back(std::move(group));
    if (pair) ++r;
  }
  return out;
}

Value combine(const std::vector<Term>& terms, const Input& input, Rational scale) {
  // Start with a term that needs no multiplication, if there is one. The order of the terms does not depend
  // on the scale: scaled by a power of two, the sum has the same digits.
  auto first = std::ranges::find_if(terms, [&](const Term& t) { return t.coefficient == Rational(1); });
  if (first == terms.end()) first = terms.end() - 1;
  Value sum = times(input(first->index), first->coefficient * scale);
  for (auto t = terms.begin(); t != terms.end(); ++t)
    if (t != first) sum = plus(input(t->index), t->coefficient * scale, sum);
  return sum;
}

std::vector<Value> apply(const RowGroup& group, const Input& input,
                         const std::function<Rational(int)>& scale) {
  const auto s = scale(group.rows[0]);
  const Value even = combine(group.even, input, s);
  if (group.odd.empty()) return {even};
  const auto lead = group.odd.back().coefficient;
  auto terms = group.odd;
  for (auto& t : terms) t.coefficient /= lead; // the leading odd term needs no multiplication
  const Value odd = combine(terms, input);
  return {plus(odd, lead * s, even), plus(odd, -lead * s, even)};
}

std::vector<ColumnGroup> column_groups(const Matrix& m) {
  std::vector<ColumnGroup> out;
  const auto t = transposed(m);
  for (const auto& rows : row_groups(t)) {
    ColumnGroup group{rows.rows, {}, {}};
    for (int r = 0; r < m.rows; ++r) {
      group.coefficients.push_back(m.at(r, rows.rows[0]));
      group.negated.push_back(rows.rows.size() == 2 && m.at(r, rows.rows[0]) != m.at(r, rows.rows[1]));
    }
    out.push_back(std::move(group));
  }
  return out;
}

void accumulate(const ColumnGroup& group, const std::vector<Value>& inputs, std::vector<Value>& sums) {
  Value sum = inputs[0], difference;
  if (inputs.size() == 2) sum = inputs[0] + inputs[1], difference = plus(inputs[1], -1, inputs[0]);
  for (std::size_t r = 0; r < sums.size(); ++r) {
    const auto coefficient = group.coefficients[r];
    if (coefficient == Rational(0)) continue;
    const Value x = group.negated[r] ? difference : sum;
    sums[r] = sums[r].node() ? plus(x, coefficient, sums[r]) : times(x, coefficient);
  }
}

} // namespace twinir::winograd
