// SPDX-License-Identifier: MIT
// What a spec takes of a compute unit: vector registers (an upper estimate, calibrated by compiling the whole
// grid) and LDS bytes.
#pragma once
#include "instances/winograd/specs.hpp"

namespace twinir::winograd {

/// Vector registers of an item. The sweep (docs/performance.md) compares the estimates with what LLVM takes.
[[nodiscard]] int registers(const FilterSpec& spec);
[[nodiscard]] int registers(const InputSpec& spec);
[[nodiscard]] int registers(const InputLdsSpec& spec);
[[nodiscard]] int registers(const OutputSpec& spec);

[[nodiscard]] std::int64_t lds_bytes(const InputLdsSpec& spec);

} // namespace twinir::winograd
