// SPDX-License-Identifier: MIT
// Magic division, by the complete boundary criterion: a multiplier that is right for {d, the largest n = d-1 mod d below
// 2^31, 2^31 - 1} is right for every n (docs/magic_division.md; shown below by trying everything at a smaller scale).
#include "dsl/error.hpp"
#include "instances/magic.hpp"

#include <bit>
#include <catch2/catch.hpp>
#include <random>

using namespace twinir;

namespace {
constexpr std::int64_t limit = std::int64_t{1} << 31;

/// The points that decide a divisor d for the dividends below n: see docs/magic_division.md.
template <class Check> bool at_boundary(std::int64_t d, std::int64_t n, Check&& right) {
  return (d >= n || right(d)) && right(n / d * d - 1) && right(n - 1);
}

/// 0 <= m d - 2^(31 + l) <= 2^l, which the proof needs.
bool multiplier_in_bounds(std::int64_t d, Magic magic) {
  const auto power = std::uint64_t{1} << (31 + magic.shift), product = std::uint64_t{magic.multiplier} * static_cast<std::uint64_t>(d);
  return product >= power && product - power <= std::uint64_t{1} << magic.shift;
}

bool exact(std::int64_t d) {
  const auto magic = magic_divisor(d);
  return multiplier_in_bounds(d, magic) && at_boundary(d, limit, [&](std::int64_t n) { return magic_quotient(n, magic) == n / d; });
}
} // namespace

TEST_CASE("trial 14: exact for every divisor below 200000") {
  for (std::int64_t d = 1; d < 200000; ++d) REQUIRE(exact(d));
}

TEST_CASE("trial 14: exact for every divisor near a power of two") {
  for (int bit = 0; bit <= 31; ++bit)
    for (std::int64_t near = -50; near <= 50; ++near)
      if (const auto d = (std::int64_t{1} << bit) + near; d >= 1 && d < limit) REQUIRE(exact(d));
}

TEST_CASE("trial 14: exact for random divisors") {
  std::mt19937_64 generator(11);
  for (int i = 0; i < 200000; ++i) REQUIRE(exact(static_cast<std::int64_t>(1 + generator() % (limit - 1))));
}

TEST_CASE("the boundary decides as trying everything does, for right and wrong multipliers") {
  constexpr int bits = 7;
  constexpr std::int64_t n = 1 << bits; // in place of 2^31
  std::size_t good = 0, bad = 0;
  for (std::int64_t d = 1; d < n; ++d) {
    const auto shift = static_cast<unsigned>(bits + std::bit_width(static_cast<unsigned>(d - 1)));
    for (std::int64_t m = 0; m <= 2 * n; ++m) {
      const auto right = [&](std::int64_t x) { return (x * m) >> shift == x / d; };
      bool all = true;
      for (std::int64_t x = 0; x < n && all; ++x) all = right(x);
      REQUIRE(at_boundary(d, n, right) == all);
      ++(all ? good : bad);
    }
  }
  CHECK(good > 127); // at least the one multiplier of each divisor
  CHECK(bad > good);
}

TEST_CASE("reported pairs") {
  struct Row {
    std::uint32_t n, d, q;
  };
  for (const auto& r : {Row{109226, 320, 341}, Row{98304, 192, 512}, Row{67109119, 320, 209715}, Row{33554495, 192, 174762}, Row{1073741824, 25, 42949672},
                        Row{1073741824, 5, 214748364}, Row{858993461, 9, 95443717}, Row{1431655770, 7, 204522252}, Row{2147483647, 1, 2147483647},
                        Row{2147483647, 641, 3350208}, Row{2147483647, 6700417, 320}, Row{2147483647, 1073741825, 1}, Row{2147483647, 2147483646, 1},
                        Row{2147483647, 2147483647, 1}, Row{0, 77, 0}})
    CHECK(magic_quotient(r.n, magic_divisor(r.d)) == r.q);
}

TEST_CASE("the criterion can fail") {
  for (std::int64_t d : {7, 641}) {
    auto magic = magic_divisor(d);
    const auto right = [&](std::int64_t n) { return magic_quotient(n, magic) == n / d; };
    CHECK(at_boundary(d, limit, right));
    ++magic.multiplier;
    CHECK(!at_boundary(d, limit, right));
    magic.multiplier -= 2;
    CHECK(!at_boundary(d, limit, right));
    CHECK(!multiplier_in_bounds(d, magic));
  }
}

TEST_CASE("other divisors and dividends are refused") {
  for (std::int64_t d : {std::int64_t{0}, std::int64_t{-1}, limit}) CHECK_THROWS_AS((void)magic_divisor(d), UserError);
  for (std::int64_t n : {std::int64_t{-1}, limit, limit * 2}) CHECK_THROWS_AS((void)magic_quotient(n, magic_divisor(3)), UserError);
}
