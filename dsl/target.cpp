// SPDX-License-Identifier: MIT
#include "dsl/target.hpp"

#include "dsl/error.hpp"
#include "dsl/op.hpp"

#include <algorithm>
#include <array>

namespace twinir {
namespace {
constexpr std::array targets{
    Target{"gfx1150", 32, 65536, 1024, 256, "wmma_16x16x16 wave32", {4, 16, 1024, 16, 0, 32, 131072}},
    Target{"gfx1201", 32, 65536, 1024, 256, "wmma_gfx12 split_barrier fp8 wave32", {4, 16, 1536, 24, 0, 32, 131072}},
    Target{"gfx1250", 32, 327680, 1024, 1024, "wmma_16x16x32 wmma_16x16x64 async split_barrier fp8 wave32", {4, 16, 1024, 16, 0, 16, 327680}},
    Target{"gfx950", 64, 163840, 1024, 512, "mfma_32x32x16 mfma_16x16x32 mfma_32x32x32 load_lds fp8 wave64", {4, 8, 512, 8, 100, 16, 163840}},
};
constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }

int waves_by_registers(const Residency& r, const Resources& k) {
  const int given = std::max(ceil_div(k.vgprs, r.granule), 1) * r.granule;
  const int full = r.full_sgprs != 0 && k.sgprs > r.full_sgprs ? r.waves - 1 : r.waves;
  return std::min(full, r.vgprs / given);
}

int waves_by_groups(const Residency& r, const Resources& k, int wave) {
  const int waves = ceil_div(k.items, wave);
  const int places = waves == 1 ? r.waves * r.simds : std::min(r.waves * r.simds / waves, r.groups);
  const auto fit = std::min<std::int64_t>(places, r.lds_bytes / std::max<std::int64_t>(k.lds_bytes, 1));
  return ceil_div(static_cast<int>(fit) * waves, r.simds);
}
} // namespace

bool Target::has(std::string_view feature) const { return feature.empty() || has_word(features, feature); }

int Target::vgpr_budget(int items) const {
  const int waves = std::max(ceil_div(ceil_div(items, wave), residency.simds), 1); // of a SIMD
  return std::min(max_vgprs, residency.vgprs / waves / residency.granule * residency.granule);
}

int Target::occupancy(const Resources& kernel) const {
  const int waves = std::min(waves_by_registers(residency, kernel), waves_by_groups(residency, kernel, wave));
  return std::clamp(waves, 1, residency.waves);
}

std::span<const Target> all_targets() { return targets; }

const Target& find_target(std::string_view name) {
  const auto it = std::ranges::find(targets, name, &Target::name);
  if (it != targets.end()) return *it;
  std::string known;
  for (const auto& t : targets) known.append(known.empty() ? "" : ", ").append(t.name);
  throw UserError({Code::unknown_target, "target '" + std::string(name) + "'", "one of " + known,
                   "name a target from that list", {}});
}

} // namespace twinir
