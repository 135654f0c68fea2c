// SPDX-License-Identifier: MIT
// Magic division, by the complete boundary criterion: a multiplier that is right for {d, the largest n = d-1 mod d below
// 2^31, 2^31 - 1} is right for every n (docs/magic_division.md).
#include "dsl/error.hpp"
#include "instances/magic.hpp"

#include <catch2/catch.hpp>
#include <random>

using namespace twinir;

namespace {
constexpr std::uint64_t limit = std::uint64_t{1} << 31;

bool exact(std::uint64_t d) {
  const auto magic = magic_divisor(static_cast<std::int64_t>(d));
  const auto right = [&](std::uint64_t n) { return n >= limit || magic_quotient(static_cast<std::uint32_t>(n), magic) == n / d; };
  const auto last = limit / d * d;
  return right(0) && right(d - 1) && right(d) && (last == 0 || right(last - 1)) && right(limit - 1);
}
} // namespace

TEST_CASE("exact for every divisor of the boundary sets") {
  for (std::uint64_t d = 1; d < 100000; ++d) REQUIRE(exact(d));
  for (int bit = 1; bit < 31; ++bit)
    for (std::int64_t near = -50; near <= 50; ++near)
      if (const auto d = (std::int64_t{1} << bit) + near; d >= 1 && d < static_cast<std::int64_t>(limit)) REQUIRE(exact(static_cast<std::uint64_t>(d)));
  std::mt19937_64 generator(11);
  for (int i = 0; i < 200000; ++i) REQUIRE(exact(1 + generator() % (limit - 1)));
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
  const auto off_by_one = [](std::uint64_t d) {
    auto magic = magic_divisor(static_cast<std::int64_t>(d));
    ++magic.multiplier;
    return magic_quotient(static_cast<std::uint32_t>(limit / d * d - 1), magic) != (limit / d * d - 1) / d;
  };
  CHECK(off_by_one(7));
  CHECK(off_by_one(641));
}

TEST_CASE("other divisors are refused") {
  for (std::int64_t d : {std::int64_t{0}, std::int64_t{-1}, static_cast<std::int64_t>(limit)}) CHECK_THROWS_AS((void)magic_divisor(d), UserError);
}
