// SPDX-License-Identifier: MIT
// The loops over c: three ways to keep the matrix units fed. Each gives the sums of a wave.
#pragma once
#include "instances/gemm/parts.hpp"

namespace twinir::gemm {

/// What a loop carries: sums, offsets of the next copies, then single values.
struct Carried {
  Values sums, offsets, singles;

  [[nodiscard]] Values pack() const;
  /// `all` in the parts of `like`.
  [[nodiscard]] static Carried unpack(const Values& all, const Carried& like);
};

/// for (step = low; step < high; ++step) carried = body(carried).
[[nodiscard]] Carried loop(KernelBuilder& b, const Arg& low, const Value& high, const Carried& start,
                           const std::function<Carried(const Carried&)>& body);

/// The LDS buffer after `buffer`, both as byte offsets.
[[nodiscard]] Value next_buffer(const TileFacts& facts, const Value& buffer);
/// Copies of steps 0 to `count` - 1, those that there are, into buffers 0 to `count` - 1.
void fill_buffers(KernelBuilder& b, const GemmParts& parts, int count);

/// Global -> registers -> LDS, two buffers. While one is multiplied, the next step is on its way to
/// registers.
[[nodiscard]] Values through_registers(KernelBuilder& b, const GemmParts& parts);
/// Asynchronous copies run `stages` - 1 steps ahead; one barrier a step.
[[nodiscard]] Values through_async(KernelBuilder& b, const GemmSpec& spec, const GemmParts& parts);
/// The same, `stages` steps ahead, and the fragments of the next slice are read while the present one
/// multiplies.
[[nodiscard]] Values through_async_double(KernelBuilder& b, const GemmSpec& spec, const GemmParts& parts);

} // namespace twinir::gemm
