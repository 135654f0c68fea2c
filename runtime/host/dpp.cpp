// SPDX-License-Identifier: MIT
#include "runtime/host/dpp.hpp"

namespace twinir::exec {
namespace {

// One kind of lane movement: controls first..last, and where a lane reads (place in its row of 16, amount).
struct Movement {
  std::uint32_t first;
  std::uint32_t last;
  int (*source)(int lane, int amount, int wave_size);
};

int in_row(int lane, int place) { return (lane & ~15) + place; }

int quad_permute(int lane, int control, int) { return (lane & ~3) + (control >> 2 * (lane & 3) & 3); }
int row_shift_left(int lane, int amount, int) {
  const int place = (lane & 15) + amount;
  return place < 16 ? in_row(lane, place) : -1;
}
int row_shift_right(int lane, int amount, int) {
  const int place = (lane & 15) - amount;
  return place >= 0 ? in_row(lane, place) : -1;
}
int row_rotate_right(int lane, int amount, int) { return in_row(lane, (lane - amount) & 15); }
int wave_shift_left(int lane, int, int size) { return lane + 1 < size ? lane + 1 : -1; }
int wave_rotate_left(int lane, int, int size) { return (lane + 1) & (size - 1); }
int wave_shift_right(int lane, int, int) { return lane - 1; }
int wave_rotate_right(int lane, int, int size) { return (lane - 1) & (size - 1); }
int row_mirror(int lane, int, int) { return in_row(lane, 15 - (lane & 15)); }
int row_half_mirror(int lane, int, int) { return (lane & ~7) + 7 - (lane & 7); }
int row_broadcast_15(int lane, int, int) { return (lane & ~15) - 1; }
int row_broadcast_31(int lane, int, int) { return lane >= 32 ? 31 : -1; }
int row_share(int lane, int amount, int) { return in_row(lane, amount); }
int row_xor(int lane, int amount, int) { return in_row(lane, (lane & 15) ^ amount); }

constexpr Movement movements[] = {
    {0x000, 0x0ff, quad_permute},     {0x101, 0x10f, row_shift_left},    {0x111, 0x11f, row_shift_right},
    {0x121, 0x12f, row_rotate_right}, {0x130, 0x130, wave_shift_left},   {0x134, 0x134, wave_rotate_left},
    {0x138, 0x138, wave_shift_right}, {0x13c, 0x13c, wave_rotate_right}, {0x140, 0x140, row_mirror},
    {0x141, 0x141, row_half_mirror},  {0x142, 0x142, row_broadcast_15},  {0x143, 0x143, row_broadcast_31},
    {0x150, 0x15f, row_share},        {0x160, 0x16f, row_xor},
};

const Movement* find(std::uint32_t control) {
  for (const Movement& movement : movements)
    if (control >= movement.first && control <= movement.last) return &movement;
  return nullptr;
}

} // namespace

DppControl unpack_dpp(std::uint64_t packed) {
  return {static_cast<std::uint32_t>(packed & 0xffff), static_cast<std::uint32_t>(packed >> 16 & 15),
          static_cast<std::uint32_t>(packed >> 20 & 15), (packed >> 24 & 1) != 0};
}

std::uint64_t pack_dpp(const DppControl& control) {
  return std::uint64_t{control.control} | std::uint64_t{control.row_mask} << 16 |
         std::uint64_t{control.bank_mask} << 20 | std::uint64_t{control.bound_control} << 24;
}

int dpp_source(std::uint32_t control, std::uint32_t lane, std::uint32_t wave_size) {
  const Movement* movement = find(control);
  if (movement == nullptr) return -1;
  const std::uint32_t amount = control < 0x100 ? control : control & 15;
  return movement->source(static_cast<int>(lane), static_cast<int>(amount), static_cast<int>(wave_size));
}

bool dpp_enabled(const DppControl& control, std::uint32_t lane) {
  return (control.row_mask >> lane / 16 & 1) != 0 && (control.bank_mask >> lane % 16 / 4 & 1) != 0;
}

bool dpp_known(std::uint32_t control) { return find(control) != nullptr; }

} // namespace twinir::exec
