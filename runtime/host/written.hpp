// SPDX-License-Identifier: MIT
// Marks of written bytes, one byte a byte; most accesses have 4 to 32 bytes, so no library call.
#pragma once
#include <cstdint>
#include <cstring>

namespace twinir::exec {

inline constexpr std::uint64_t all_written_word = 0x0101010101010101;

/// Whether all marks are set.
[[nodiscard]] inline bool all_written(const std::uint8_t* marks, std::uint64_t count) {
  for (; count >= 8; marks += 8, count -= 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, marks, 8);
    if (word != all_written_word) return false;
  }
  for (; count != 0; ++marks, --count)
    if (*marks == 0) return false;
  return true;
}

/// Sets marks.
inline void set_written(std::uint8_t* marks, std::uint64_t count) {
  if (count > 64) {
    std::memset(marks, 1, count);
    return;
  }
  for (; count >= 8; marks += 8, count -= 8) std::memcpy(marks, &all_written_word, 8);
  for (; count != 0; ++marks, --count) *marks = 1;
}

} // namespace twinir::exec
