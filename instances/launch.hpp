// SPDX-License-Identifier: MIT
// What a launch passes: grid, block and arguments.
#pragma once
#include "instances/kernarg.hpp"

#include <array>
#include <cstdint>

namespace twinir {

struct Launch {
  std::array<std::uint32_t, 3> grid{1, 1, 1};  ///< work-groups
  std::array<std::uint32_t, 3> block{1, 1, 1}; ///< work-items of a group
  Kernargs args;                               ///< every argument that is no pointer
};

} // namespace twinir
