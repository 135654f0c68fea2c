// SPDX-License-Identifier: MIT
// The GPUs that kernels are written for, and their limits.
#pragma once
// Source of the numbers: LLVM 22's AMDGPU backend (limits tried by compiling one more); tests/link checks them again.
#include <cstdint>
#include <span>
#include <string_view>

namespace twinir {

struct Target {
  std::string_view name;     ///< "gfx1250"
  int wave;                  ///< lanes of a wave
  std::int64_t lds_bytes;    ///< LDS a work-group may have
  int max_items;             ///< work-items of a work-group
  int max_vgprs;             ///< vector registers a work-item may have in the smallest work-group
  std::string_view features; ///< blank-separated, as named in ops.def

  [[nodiscard]] bool has(std::string_view feature) const;
  /// Vector registers a work-item may have in a work-group of `items`.
  [[nodiscard]] int vgpr_budget(int items) const;
};

[[nodiscard]] std::span<const Target> all_targets();
/// Throws UserError unknown_target with the known names.
[[nodiscard]] const Target& find_target(std::string_view name);

} // namespace twinir
