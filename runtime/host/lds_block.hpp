// SPDX-License-Identifier: MIT
// LdsBlock: the LDS of one group at a time, below 2 GiB, between guard pages.
#pragma once
// LDS pointers go through 32-bit integers in AMDGPU IR, hence the low address.
#include <cstddef>
#include <cstdint>

namespace twinir::exec {

class LdsBlock {
public:
  static constexpr std::size_t capacity = 512 * 1024; ///< more than any target allows
  static constexpr std::size_t guard = 256 * 1024;    ///< unmapped on either side

  LdsBlock(); ///< throws Refusal (TIR5011)
  LdsBlock(const LdsBlock&) = delete;
  LdsBlock& operator=(const LdsBlock&) = delete;
  ~LdsBlock();

  [[nodiscard]] std::uint8_t* data() const { return base_ + guard; }

private:
  std::uint8_t* base_;
};

} // namespace twinir::exec
