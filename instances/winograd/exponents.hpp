// SPDX-License-Identifier: MIT
// Powers of two that keep 16-bit workspaces in range: how an exponent follows from the largest magnitude.
#pragma once
// A scaled quantity d' = d * 2^s has |d'| < 2^(top + 1). With d of f16 or bf16, u = max of the bits of |d| as
// an integer (monotone for finite values) and e the exponent field of u without its bias:
//   s = clamp(top - e, -126, 127);  s = 0 when u is 0 (nothing to scale) or infinite or NaN (they pass
//   through).
// Subnormal u counts as e = -14 (f16) or -126 (bf16). All factors are powers of two: scaling is exact.
#include "dsl/builder.hpp"
#include "instances/spec.hpp"

namespace twinir::winograd {

inline constexpr int magnitude_bits = 0x7fff; ///< of a 16-bit float: all but the sign

/// The exponent s for the magnitude bits u (both i32).
[[nodiscard]] Value scale_exponent(KernelBuilder& k, DType io, const Value& magnitude, const Value& top);
/// 2^exponent as f32, for an exponent (i32) from -126 to 127.
[[nodiscard]] Value power_of_two(const Value& exponent);
/// The same on the host.
[[nodiscard]] int scale_exponent(DType io, int magnitude, int top);

/// U: |U| < 1 for |g| < 2^0, because rows of G add up to at most 1.
inline constexpr int filter_top = -1;
/// V: |V| < 2^15 < 65504 while M is f32. While M is f16, 2^15 must also bound the sum over c channels of |U|
/// |V|.
[[nodiscard]] int input_top(DType m, std::int64_t channels);

} // namespace twinir::winograd
