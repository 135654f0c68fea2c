// SPDX-License-Identifier: MIT
// Floats of every kind as doubles and back, for the interpreter.
#pragma once
// Every value of f16, bf16 and f32 is a double, and double has more than twice their digits: an exactly rounded double
// result of + - * / or a square root, rounded again, is the exactly rounded result.
#include "dsl/interpret_group.hpp"

namespace twinir::interp {

[[nodiscard]] double to_double(Scalar s, Word bits);
/// Rounded to nearest even; a NaN becomes the positive quiet one.
[[nodiscard]] Word from_double(Scalar s, double value);
/// The quiet bit of a NaN set; other values as they are.
[[nodiscard]] Word quiet(Scalar s, Word bits);
/// The smaller or larger of two numbers, -0 below +0; the other operand where one is NaN.
[[nodiscard]] double smaller(double a, double b);
[[nodiscard]] double larger(double a, double b);
/// Stored bits of the significand.
[[nodiscard]] unsigned mantissa_bits(Scalar s);
/// a * b + c with one rounding to `s`.
[[nodiscard]] Word fused(Scalar s, Word a, Word b, Word c);

// The small formats in memory: fp8 is OCP E4M3 (no infinities), bf8 OCP E5M2; nothing saturates.
[[nodiscard]] Word fp8_to_f32_bits(Word byte);
[[nodiscard]] Word bf8_to_f32_bits(Word byte);
[[nodiscard]] Word f32_bits_to_fp8(Word bits);
[[nodiscard]] Word f32_bits_to_bf8(Word bits);

} // namespace twinir::interp
