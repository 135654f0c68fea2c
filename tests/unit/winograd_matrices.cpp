// SPDX-License-Identifier: MIT
#include "instances/winograd/linear.hpp"

#include <catch2/catch.hpp>

using namespace twinir::winograd;

namespace {
std::vector<Rational> row(const Matrix& m, int r) {
  std::vector<Rational> out;
  for (int c = 0; c < m.columns; ++c) out.push_back(m.at(r, c));
  return out;
}
using Row = std::vector<Rational>;
} // namespace

TEST_CASE("F(4,3) has the published matrices of the points 0, +-2/3, +-3/2") {
  const auto& m = matrices(4);
  CHECK(row(m.bt, 0) == Row{1, 0, {-97, 36}, 0, 1, 0});
  CHECK(row(m.bt, 1) == Row{0, {-3, 2}, {-9, 4}, {2, 3}, 1, 0});
  CHECK(row(m.bt, 4) == Row{0, {2, 3}, {-4, 9}, {-3, 2}, 1, 0});
  CHECK(row(m.bt, 5) == Row{0, 1, 0, {-97, 36}, 0, 1});
  CHECK(m.bt_exponent == std::vector<int>{-3, -3, -3, -2, -2, -3});
  CHECK(row(m.g, 0) == Row{1, 0, 0});
  CHECK(row(m.g, 1) == Row{{-81, 260}, {-27, 130}, {-9, 65}}); // with its exponent -1
}

TEST_CASE("normalised rows of BT keep fp16 inputs in fp16") {
  for (int size : {2, 4, 6}) {
    const auto& m = matrices(size);
    for (int r = 0; r < m.bt.rows; ++r) {
      Rational sum = 0;
      for (const auto& entry : row(m.bt, r)) sum += boost::abs(entry);
      const int e = m.bt_exponent[static_cast<std::size_t>(r)];
      const Rational scaled = e < 0 ? sum / Rational(1 << -e) : sum * Rational(1 << e);
      CHECK(scaled <= Rational(1));
      CHECK(scaled > Rational(1, 2));
    }
  }
}

TEST_CASE("rows and columns pair up") {
  for (int size : {2, 4, 6}) {
    const auto& m = matrices(size);
    CHECK(row_groups(m.bt).size() == static_cast<std::size_t>(size / 2 + 2));
    CHECK(row_groups(m.g).size() == static_cast<std::size_t>(size / 2 + 2));
    CHECK(column_groups(m.at).size() == static_cast<std::size_t>(size / 2 + 2));
  }
}

TEST_CASE("other sizes have no matrices") { CHECK_THROWS((void)matrices(3)); }
