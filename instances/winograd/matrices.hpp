// SPDX-License-Identifier: MIT
// The matrices of Winograd's minimal filtering F(m,3), generated from their points and checked exactly.
#pragma once
// y = AT [(G g) * (BT d)]: m outputs of a 3-tap filter g over n = m + 2 inputs d.
// Sources: A. Toom, S. Cook; S. Winograd, Arithmetic Complexity of Computations (1980); A. Lavin and S. Gray
// (2016); the points 0, +-2/3, +-3/2 for F(4,3) follow S. A. Alam et al., Winograd Convolution for Deep
// Neural Networks: Efficient Point Selection (2022).
#include <boost/rational.hpp>
#include <cstdint>
#include <vector>

namespace twinir::winograd {

/// Compare Rationals with Rationals only: mixed comparisons of Boost 1.74 recurse for ever in C++20.
using Rational = boost::rational<std::int64_t>;

struct Matrix {
  int rows = 0, columns = 0;
  std::vector<Rational> entries; ///< row by row

  Matrix(int r, int c) : rows(r), columns(c), entries(static_cast<std::size_t>(r * c)) {}
  Rational& at(int r, int c) { return entries[static_cast<std::size_t>(r * columns + c)]; }
  [[nodiscard]] const Rational& at(int r, int c) const {
    return entries[static_cast<std::size_t>(r * columns + c)];
  }
};

/// The 1-D matrices of F(m,3). Bin i of the transformed data is BT[i] * 2^bt_exponent[i], so that the
/// absolute values of a row add up to at most 1 and no fp16 input overflows fp16 storage; G carries its own
/// exponents, and AT undoes both.
struct Matrices {
  Matrix bt;                    ///< n x n, not scaled
  std::vector<int> bt_exponent; ///< per row of bt
  Matrix g;                     ///< n x 3, scaled
  Matrix at;                    ///< m x n, scaled
};

/// m is 2, 4 or 6; InternalError otherwise, or when the exact check fails.
[[nodiscard]] const Matrices& matrices(int m);

} // namespace twinir::winograd
