// SPDX-License-Identifier: MIT
#include "instances/winograd/matrices.hpp"

#include "dsl/error.hpp"

#include <map>

namespace twinir::winograd {
namespace {

std::vector<Rational> points(int m) {
  switch (m) {
  case 2: return {0, 1, -1};
  case 4: return {0, {2, 3}, {-2, 3}, {3, 2}, {-3, 2}};
  case 6: return {0, 1, -1, 2, -2, {1, 2}, {-1, 2}};
  default: throw InternalError("no points for F(" + std::to_string(m) + ",3)");
  }
}

Rational power(Rational base, int exponent) {
  Rational out = 1;
  for (int i = 0; i < exponent; ++i) out *= base;
  for (int i = 0; i > exponent; --i) out /= base;
  return out;
}

/// Coefficients of the product of (x - p) over all points but number `left_out`, lowest power first.
std::vector<Rational> polynomial(const std::vector<Rational>& p, int left_out) {
  std::vector<Rational> out{1};
  for (int j = 0; j < static_cast<int>(p.size()); ++j) {
    if (j == left_out) continue;
    out.emplace_back(0);
    for (std::size_t i = out.size(); i-- > 0;)
      out[i] = (i ? out[i - 1] : Rational(0)) - p[static_cast<std::size_t>(j)] * out[i];
  }
  return out;
}

/// The largest e such that sum |row| * 2^e <= 1.
int normalising_exponent(const Matrix& m, int row) {
  Rational sum = 0;
  for (int c = 0; c < m.columns; ++c) sum += boost::abs(m.at(row, c));
  int e = 0;
  while (sum * power(2, e) > Rational(1)) --e;
  while (sum * power(2, e + 1) <= Rational(1)) ++e;
  return e;
}

Matrices generate(int m) {
  const auto p = points(m);
  const int n = m + 2;
  Matrices out{Matrix(n, n), std::vector<int>(static_cast<std::size_t>(n)), Matrix(n, 3), Matrix(m, n)};
  for (int i = 0; i < n - 1; ++i) {
    const auto pi = p[static_cast<std::size_t>(i)];
    Rational scale = 1;
    for (int j = 0; j < n - 1; ++j)
      if (j != i) scale *= pi - p[static_cast<std::size_t>(j)];
    for (int k = 0; k < m; ++k) out.at.at(k, i) = power(pi, k);
    for (int k = 0; k < 3; ++k) out.g.at(i, k) = power(pi, k) / scale;
  }
  out.at.at(m - 1, n - 1) = 1;
  out.g.at(n - 1, 2) = 1;
  for (int i = 0; i < n; ++i) {
    const auto row = polynomial(p, i < n - 1 ? i : -1);
    for (std::size_t c = 0; c < row.size(); ++c) out.bt.at(i, static_cast<int>(c)) = row[c];
  }
  return out;
}

void normalise(Matrices& m) {
  for (int i = 0; i < m.bt.rows; ++i) {
    const int eb = normalising_exponent(m.bt, i), eg = normalising_exponent(m.g, i);
    m.bt_exponent[static_cast<std::size_t>(i)] = eb;
    for (int k = 0; k < 3; ++k) m.g.at(i, k) *= power(2, eg);
    for (int k = 0; k < m.at.rows; ++k) m.at.at(k, i) *= power(2, -eb - eg);
  }
}

/// sum_j AT[i][j] G[j][k] BT[j][l] 2^e[j] == (l == i + k), exactly.
bool holds(const Matrices& m) {
  for (int i = 0; i < m.at.rows; ++i)
    for (int k = 0; k < 3; ++k)
      for (int l = 0; l < m.bt.columns; ++l) {
        Rational sum = 0;
        for (int j = 0; j < m.bt.rows; ++j)
          sum += m.at.at(i, j) * m.g.at(j, k) * m.bt.at(j, l) *
                 power(2, m.bt_exponent[static_cast<std::size_t>(j)]);
        if (sum != Rational(l == i + k ? 1 : 0)) return false;
      }
  return true;
}

} // namespace

const Matrices& matrices(int m) {
  static const auto all = [] {
    std::map<int, Matrices> made;
    for (int size : {2, 4, 6}) {
      auto generated = generate(size);
      normalise(generated);
      if (!holds(generated))
        throw InternalError("the matrices of F(" + std::to_string(size) + ",3) are wrong");
      made.emplace(size, std::move(generated));
    }
    return made;
  }();
  const auto it = all.find(m);
  if (it == all.end()) throw InternalError("no matrices for F(" + std::to_string(m) + ",3)");
  return it->second;
}

} // namespace twinir::winograd
