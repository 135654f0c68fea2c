// SPDX-License-Identifier: MIT
#include "emit/cpp/arch.hpp"

#include <utility>

namespace twinir {
namespace {

// From GFX9 on; older processors have no code objects of the versions that LLVM 19 to 24 write by default.
constexpr std::pair<std::uint32_t, const char*> names[] = {
    {0x2c, "gfx900"},  {0x2d, "gfx902"},  {0x2e, "gfx904"},  {0x2f, "gfx906"},  {0x30, "gfx908"},  {0x31, "gfx909"},
    {0x32, "gfx90c"},  {0x33, "gfx1010"}, {0x34, "gfx1011"}, {0x35, "gfx1012"}, {0x36, "gfx1030"}, {0x37, "gfx1031"},
    {0x38, "gfx1032"}, {0x39, "gfx1033"}, {0x3d, "gfx1035"}, {0x3e, "gfx1034"}, {0x3f, "gfx90a"},  {0x41, "gfx1100"},
    {0x42, "gfx1013"}, {0x43, "gfx1150"}, {0x44, "gfx1103"}, {0x45, "gfx1036"}, {0x46, "gfx1101"}, {0x47, "gfx1102"},
    {0x48, "gfx1200"}, {0x49, "gfx1250"}, {0x4a, "gfx1151"}, {0x4c, "gfx942"},  {0x4e, "gfx1201"}, {0x4f, "gfx950"},
    {0x55, "gfx1152"}, {0x58, "gfx1153"}, {0x5a, "gfx1251"}};

} // namespace

std::string arch_name(std::uint32_t mach) {
  for (const auto& [number, name] : names)
    if (number == mach) return name;
  return "unknown";
}

} // namespace twinir
