// SPDX-License-Identifier: MIT
// Reports of operations that give poison, and of divisions by zero.
#pragma once
#include <cstdint>

#include "runtime/host/context.hpp"

namespace twinir::exec {

/// kind: pack_poison(); a, b: the operands, zero-extended.
void report_poison(LaneContext& lane, std::uint32_t kind, std::uint64_t a, std::uint64_t b,
                   std::uint32_t site);

} // namespace twinir::exec
