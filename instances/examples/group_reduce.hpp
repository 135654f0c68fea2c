// SPDX-License-Identifier: MIT
// One value from all items of a group, in every item: each wave by shuffles, then the waves through LDS.
#pragma once
// Every item of the group must come here, in whole waves. An array of waves_of(k) elements serves one
// reduction.
#include "dsl/wave.hpp"

namespace twinir::examples {

[[nodiscard]] inline int waves_of(const KernelBuilder& k) {
  return k.block().x * k.block().y * k.block().z / k.target().wave;
}

[[nodiscard]] inline Value group_reduce(KernelBuilder& k, const Pointer& of_waves, const Value& value,
                                        Combine how) {
  const auto own = wave_reduce(value, how), number = k.wave();
  k.if_(k.lane() == 0, [&] { of_waves[number] = own; });
  k.barrier();
  Value all = of_waves[0];
  for (int wave = 1; wave < waves_of(k); ++wave) all = combine(all, Value(of_waves[wave]), how);
  return all;
}

} // namespace twinir::examples
