// SPDX-License-Identifier: MIT
#include "dsl/target.hpp"

#include "dsl/error.hpp"
#include "dsl/op.hpp"

#include <algorithm>
#include <array>

namespace twinir {
namespace {
constexpr std::array targets{
    Target{"gfx1150", 32, 65536, 1024, 256, "wmma_16x16x16"},
    Target{"gfx1201", 32, 65536, 1024, 256, "split_barrier fp8"},
    Target{"gfx1250", 32, 327680, 1024, 1024, "wmma_16x16x32 async split_barrier fp8"},
    Target{"gfx950", 64, 163840, 1024, 512, "mfma_32x32x16 fp8"},
};
// The register file of the SIMDs that one work-group can use, in registers of one lane.
constexpr int registers_per_group = 128 * 1024, registers_per_group_gfx1201 = 192 * 1024;
} // namespace

bool Target::has(std::string_view feature) const { return feature.empty() || has_word(features, feature); }

int Target::vgpr_budget(int items) const {
  const int waves_rounded = std::max((items + wave - 1) / wave, 4) * wave;
  const int registers = name == "gfx1201" ? registers_per_group_gfx1201 : registers_per_group;
  return std::min(max_vgprs, registers / waves_rounded / 16 * 16);
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
