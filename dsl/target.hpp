// SPDX-License-Identifier: MIT
// The GPUs that kernels are written for, and their limits.
#pragma once
// Source of the numbers: LLVM 22's AMDGPU backend (limits tried by compiling one more; what is resident from the
// occupancy that it prints into assembly); tests/aot compares them again.
#include <cstdint>
#include <span>
#include <string_view>

namespace twinir {

/// What a compiled kernel takes, for occupancy.
struct Resources {
  int items = 1;              ///< of its work-group
  int vgprs = 0, sgprs = 0;   ///< of a wave; accumulation registers count
  std::int64_t lds_bytes = 0; ///< of a work-group
};

/// What can be resident where a work-group runs: one WGP (gfx11 and later) or one CU.
struct Residency {
  int simds;              ///< that share the LDS
  int waves;              ///< of a SIMD
  int vgprs, granule;     ///< of a SIMD, for each lane; given in multiples of the granule
  int full_sgprs;         ///< above this a SIMD holds one wave less; 0: SGPRs never matter
  int groups;             ///< of two or more waves: they need a barrier each
  std::int64_t lds_bytes; ///< of all groups together
};

struct Target {
  std::string_view name;     ///< "gfx1250"
  int wave;                  ///< lanes of a wave
  std::int64_t lds_bytes;    ///< LDS a work-group may have
  int max_items;             ///< work-items of a work-group
  int max_vgprs;             ///< vector registers a work-item may have in the smallest work-group
  std::string_view features; ///< blank-separated, as named in ops.def
  Residency residency;

  [[nodiscard]] bool has(std::string_view feature) const;
  /// Vector registers a work-item may have in a work-group of `items`.
  [[nodiscard]] int vgpr_budget(int items) const;
  /// Waves that a SIMD holds at a time, at least 1: what LLVM prints as occupancy.
  [[nodiscard]] int occupancy(const Resources& kernel) const;
};

[[nodiscard]] std::span<const Target> all_targets();
/// Throws UserError unknown_target with the known names.
[[nodiscard]] const Target& find_target(std::string_view name);

} // namespace twinir
