// SPDX-License-Identifier: MIT
// What the lanes of a wave do together: votes, shuffles, reductions and scans.
#pragma once
// Example, the sum of a wave in every lane, and the sum of the lanes up to and with this one:
//   auto sum = wave_reduce(x, Combine::add);
//   auto before = wave_inclusive_scan(x, Combine::add);
// Values are i32, f32, or 16 bits wide (i16, f16, bf16); two halves (v2f16) travel as one word. Votes count
// the active lanes only. Shuffles give 0 bits from a lane that is off; so reductions and scans belong where
// every lane of the wave is active: outside divergent control flow, in groups of whole waves. All are built
// from KernelBuilder::ballot and bpermute, which every target has (docs/wave.md says why not from DPP or
// permlane).
#include "dsl/builder.hpp"

namespace twinir {

/// How two values become one. min and max are signed for integers; for floats the other value where one is
/// NaN.
enum class Combine : std::uint8_t { add, min, max };

/// Does the condition hold in any, in all of the active lanes? Uniform.
[[nodiscard]] Value wave_any(Arg condition);
[[nodiscard]] Value wave_all(Arg condition);

/// The value of lane `lane`, modulo the wave; each lane may ask for another one.
[[nodiscard]] Value wave_shuffle(Arg value, Arg lane);
/// The value of the lane whose number differs in the bits of `mask`.
[[nodiscard]] Value wave_shuffle_xor(Arg value, int mask);
/// The value of the lane `distance` below or above; the lane's own value where there is none.
[[nodiscard]] Value wave_shuffle_up(Arg value, int distance);
[[nodiscard]] Value wave_shuffle_down(Arg value, int distance);

/// All lanes' values as one, in every lane: the same bits everywhere, by the same tree of pairs for every
/// compiler.
[[nodiscard]] Value wave_reduce(Arg value, Combine how);
/// The values of the lanes up to this one, with it or without; without, the first lane has the neutral value.
[[nodiscard]] Value wave_inclusive_scan(Arg value, Combine how);
[[nodiscard]] Value wave_exclusive_scan(Arg value, Combine how);

/// Two values as one, and the value that changes nothing: 0, or the largest or smallest of the type.
[[nodiscard]] Value combine(Arg a, Arg b, Combine how);
[[nodiscard]] Value neutral(KernelBuilder& k, Type type, Combine how);

} // namespace twinir
