// SPDX-License-Identifier: MIT
// Division by a run-time constant: multiply and shift, with the multiplier computed on the host.
#pragma once
// Exact for every dividend 0 <= n < 2^31 and divisor 1 <= d < 2^31 (docs/magic_division.md has the proof).
// Refuses other divisors and dividends with index_overflow, on the host: a kernel cannot.
#include "dsl/builder.hpp"

#include <cstdint>

namespace twinir {

/// n / d == umulh(2 * n, multiplier) >> shift.
struct Magic {
  std::uint32_t multiplier, shift;
};
[[nodiscard]] Magic magic_divisor(std::int64_t divisor);
/// What the device computes; for tests and for the host.
[[nodiscard]] std::uint32_t magic_quotient(std::int64_t dividend, Magic magic);
/// Throws UserError index_overflow unless 0 <= dividend < 2^31.
void check_dividend(std::int64_t dividend);

/// The divisor of a kernel: two arguments "<name>_m" and "<name>_s".
class MagicArg {
public:
  MagicArg(KernelBuilder& k, const std::string& name)
      : multiplier_(k.arg(name + "_m", i32)), shift_(k.arg(name + "_s", i32)) {}
  /// dividend / divisor, for 0 <= dividend < 2^31.
  [[nodiscard]] Value quotient(Value dividend) const {
    return lshr(umulh(dividend << 1, multiplier_), shift_);
  }

private:
  Value multiplier_, shift_;
};

} // namespace twinir
