// SPDX-License-Identifier: MIT
#include "emit/cpp/arch.hpp"

#include <utility>

namespace twinir {
namespace {

constexpr std::pair<std::uint32_t, const char*> names[] = {
#define TWINIR_PROCESSOR(number, name) {number, name},
#include "emit/processors.def"
#undef TWINIR_PROCESSOR
};

} // namespace

std::string arch_name(std::uint32_t mach) {
  for (const auto& [number, name] : names)
    if (number == mach) return name;
  return "unknown";
}

} // namespace twinir
