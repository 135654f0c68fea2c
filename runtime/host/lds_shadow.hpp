// SPDX-License-Identifier: MIT
// LdsShadow: which LDS bytes were written, and who touched them last: uninitialised reads and races.
#pragma once
// Order between items: a barrier phase orders what an item did before its arrival with what another does
// after its wait, so each access records how many phases its item had arrived at, and is ordered before an
// access of an item that has passed more phases than that. In one wave, a wave barrier (or a wait for
// asynchronous copies) orders too.
#include <cstddef>
#include <cstdint>
#include <vector>

namespace twinir::exec {

/// How memory is accessed.
enum class Access : std::uint32_t { load, store, atomic };

/// The accessing item's clock.
struct LdsClock {
  std::uint16_t item;
  std::uint16_t wave_epoch;
  std::uint32_t signals;
  std::uint32_t waits;
};

/// What a racing access collided with.
struct LdsRace {
  bool found = false;
  bool with_write = false;
  std::uint32_t other = 0;  ///< the other item
  std::uint64_t offset = 0; ///< byte in the block
};

class LdsShadow {
public:
  /// Starts a group with `bytes` of LDS; earlier records no longer count. `granule` is 2, or 1 for kernels
  /// that access single bytes.
  void begin_group(std::size_t bytes, std::uint32_t wave_size, std::uint32_t granule);
  /// True when all bytes were written.
  [[nodiscard]] bool initialised(std::uint64_t offset, std::uint64_t size) const;
  /// Records an access and returns the first race it is part of.
  LdsRace access(std::uint64_t offset, std::uint64_t size, Access kind, const LdsClock& clock);
  [[nodiscard]] std::uint64_t bytes() const { return written_.size(); }

private:
  struct Mark { // who, and when
    std::uint32_t epoch = 0;
    std::uint16_t item = 0xffff;
    std::uint16_t wave_epoch = 0;
  };
  struct Cell { // one granule of LDS
    Mark writer;
    Mark atomic; ///< an atomic of another item before the writer's, which was atomic too
    Mark readers[2];
  };
  [[nodiscard]] bool unordered(const Mark& mark, const LdsClock& clock) const;
  void check_cell(Cell& cell, std::uint64_t offset, Access kind, const LdsClock& clock, LdsRace& race) const;
  void record(Cell& cell, Access kind, const LdsClock& clock) const;

  std::vector<std::uint8_t> written_;
  std::vector<Cell> cells_;
  std::uint32_t base_ = 1; ///< first epoch of this group
  std::uint32_t last_ = 1; ///< greatest epoch used so far
  std::uint32_t wave_size_ = 32;
  std::uint32_t granule_ = 2;
};

} // namespace twinir::exec
