// SPDX-License-Identifier: MIT
#include "instances/magic.hpp"

#include "dsl/error.hpp"

#include <bit>

namespace twinir {

Magic magic_divisor(std::int64_t divisor) {
  if (divisor < 1 || divisor > 0x7FFFFFFF)
    throw UserError({Code::index_overflow,
                     "a divisor of " + std::to_string(divisor),
                     "1 to 2147483647",
                     "split the problem",
                     {}});
  const auto d = static_cast<std::uint64_t>(divisor);
  const auto shift = static_cast<unsigned>(std::bit_width(d - 1)); // ceil(log2 d)
  // ceil(2^(31 + shift) / d) without leaving 64 bits: 31 + shift <= 62
  const std::uint64_t power = std::uint64_t{1} << (31 + shift);
  return {static_cast<std::uint32_t>((power + d - 1) / d), shift};
}

void check_dividend(std::int64_t dividend) {
  if (dividend < 0 || dividend > 0x7FFFFFFF)
    throw UserError({Code::index_overflow,
                     "a dividend of " + std::to_string(dividend),
                     "0 to 2147483647",
                     "split the problem",
                     {}});
}

std::uint32_t magic_quotient(std::int64_t dividend, Magic magic) {
  check_dividend(dividend);
  const auto high = (std::uint64_t{2} * static_cast<std::uint64_t>(dividend) * magic.multiplier) >> 32;
  return static_cast<std::uint32_t>(high >> magic.shift);
}

} // namespace twinir
