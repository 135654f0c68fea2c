// SPDX-License-Identifier: MIT
// Numbers to bit patterns, by integer arithmetic only: the same bits from every compiler.
#pragma once
#include "dsl/type.hpp"

#include <cstdint>
#include <optional>

namespace twinir {

/// The bits of `value` in float kind `s`, rounded to nearest even; overflow gives infinity, any NaN the
/// positive quiet one with an empty payload.
[[nodiscard]] std::uint64_t float_bits(Scalar s, double value);
/// Are these the bits of a NaN of float kind `s`, quiet or signalling?
[[nodiscard]] bool is_nan(Scalar s, std::uint64_t bits);
/// The bits of an integer in `s`; empty when it fits neither as signed nor as unsigned.
[[nodiscard]] std::optional<std::uint64_t> int_bits(Scalar s, std::int64_t value);
/// The low bit_width(s) bits.
[[nodiscard]] std::uint64_t truncated(Scalar s, std::uint64_t bits);
/// The value of `bits` as a signed integer of kind `s`.
[[nodiscard]] std::int64_t signed_value(Scalar s, std::uint64_t bits);

} // namespace twinir
