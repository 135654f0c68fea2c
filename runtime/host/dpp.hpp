// SPDX-License-Identifier: MIT
// DPP: where the lanes of update.dpp read from.
#pragma once
#include <cstdint>

namespace twinir::exec {

/// The immediate operands of update.dpp.
struct DppControl {
  std::uint32_t control;
  std::uint32_t row_mask;
  std::uint32_t bank_mask;
  bool bound_control; ///< lanes without a source get 0 instead of the old value
};

[[nodiscard]] DppControl unpack_dpp(std::uint64_t packed);
[[nodiscard]] std::uint64_t pack_dpp(const DppControl& control);
/// The lane that `lane` reads, or -1: none.
[[nodiscard]] int dpp_source(std::uint32_t control, std::uint32_t lane, std::uint32_t wave_size);
/// Whether row and bank mask let the lane be written.
[[nodiscard]] bool dpp_enabled(const DppControl& control, std::uint32_t lane);
/// Whether the control value has a meaning here.
[[nodiscard]] bool dpp_known(std::uint32_t control);

} // namespace twinir::exec
