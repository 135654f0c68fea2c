// SPDX-License-Identifier: MIT
#include "runtime/host/lds_shadow.hpp"

#include <algorithm>

#include "runtime/host/written.hpp"

namespace twinir::exec {
namespace {
constexpr std::uint16_t atomic_bit = 0x8000; // in Mark::item; items stay below 1024
constexpr std::uint16_t item_mask = 0x7fff;
constexpr std::uint16_t nobody = 0xffff;
} // namespace

void LdsShadow::begin_group(std::size_t bytes, std::uint32_t wave_size, std::uint32_t granule) {
  wave_size_ = wave_size;
  granule_ = granule;
  written_.assign(bytes, 0);
  base_ = last_ + 1;
  if (base_ > 0xf0000000u || cells_.size() != bytes / granule + 1) {
    cells_.assign(bytes / granule + 1, Cell{});
    base_ = 1;
  }
  last_ = base_;
}

bool LdsShadow::initialised(std::uint64_t offset, std::uint64_t size) const {
  return all_written(written_.data() + offset, size);
}

bool LdsShadow::unordered(const Mark& mark, const LdsClock& clock) const {
  if (mark.item == nobody || mark.epoch < base_ + clock.waits) return false;
  const std::uint32_t other = mark.item & item_mask;
  if (other == clock.item) return false;
  return other / wave_size_ != clock.item / wave_size_ || mark.wave_epoch == clock.wave_epoch;
}

void LdsShadow::check_cell(Cell& cell, std::uint64_t offset, Access kind, const LdsClock& clock,
                           LdsRace& race) const {
  const bool both_atomic = kind == Access::atomic && (cell.writer.item & atomic_bit) != 0;
  if (!both_atomic && unordered(cell.writer, clock)) {
    race = {true, true, std::uint32_t(cell.writer.item & item_mask), offset};
    return;
  }
  if (kind != Access::atomic && unordered(cell.atomic, clock)) {
    race = {true, true, std::uint32_t(cell.atomic.item & item_mask), offset};
    return;
  }
  if (kind == Access::load) return;
  for (const Mark& reader : cell.readers)
    if (unordered(reader, clock)) race = {true, false, std::uint32_t(reader.item & item_mask), offset};
}

// Two different readers are remembered, so that an item that reads last does not hide an earlier reader;
// likewise two items' atomics, for an item that reads or stores after its own.
void LdsShadow::record(Cell& cell, Access kind, const LdsClock& clock) const {
  Mark mark{base_ + clock.signals, clock.item, clock.wave_epoch};
  if (kind == Access::load) {
    if (cell.readers[0].item != mark.item) cell.readers[1] = cell.readers[0];
    cell.readers[0] = mark;
    return;
  }
  if (kind == Access::atomic) mark.item = std::uint16_t(mark.item | atomic_bit);
  if ((cell.writer.item & atomic_bit) != 0 && cell.writer.item != mark.item) cell.atomic = cell.writer;
  cell.writer = mark;
}

LdsRace LdsShadow::access(std::uint64_t offset, std::uint64_t size, Access kind, const LdsClock& clock) {
  last_ = std::max(last_, base_ + clock.signals);
  if (kind != Access::load) set_written(written_.data() + offset, size);
  LdsRace race;
  for (std::uint64_t i = offset / granule_; i <= (offset + size - 1) / granule_; ++i) {
    Cell& cell = cells_[i];
    if (!race.found) check_cell(cell, i * granule_, kind, clock, race);
    record(cell, kind, clock);
  }
  return race;
}

} // namespace twinir::exec
