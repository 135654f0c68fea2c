// SPDX-License-Identifier: MIT
// Conversions of small float formats, exactly rounded (to nearest, ties to even).
#pragma once
// fp8 is OCP E4M3 (no infinities, one NaN per sign), bf8 is OCP E5M2, as on gfx950 and gfx12. With FP16_OVFL
// = 0, the state in which kernels start, these targets do not saturate: a value that rounds past the greatest
// finite one becomes NaN in E4M3 and infinity in E5M2.
#include <emmintrin.h>

#include <cstdint>

namespace twinir::exec {

[[nodiscard]] float fp8_to_f32(std::uint32_t byte);
[[nodiscard]] float bf8_to_f32(std::uint32_t byte);
[[nodiscard]] std::uint32_t f32_to_fp8(float value);
[[nodiscard]] std::uint32_t f32_to_bf8(float value);

/// v_frexp_mant and v_frexp_exp: infinities and NaNs pass, their exponent is 0.
[[nodiscard]] double frexp_mant(double value);
[[nodiscard]] std::int32_t frexp_exp(double value);

// The compiler's own helper functions. The psABI returns 16-bit floats in xmm0, hence the return type.
[[nodiscard]] __m128i truncate_f32_to_f16(float value);
[[nodiscard]] __m128i truncate_f64_to_f16(double value);
[[nodiscard]] __m128i truncate_f32_to_bf16(float value);
[[nodiscard]] __m128i truncate_f64_to_bf16(double value);

} // namespace twinir::exec
