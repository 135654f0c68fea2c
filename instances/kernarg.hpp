// SPDX-License-Identifier: MIT
// Kernel arguments as the bytes a launch passes.
#pragma once
// Guarantees: the layout of the AMDGPU calling convention (each argument at its natural alignment, in order).
// Refuses missing, unknown and mistyped arguments by name.
#include "dsl/kernel_def.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace twinir {

/// Where one argument lies.
struct KernargSlot {
  std::string name;
  Type type;
  std::size_t offset, size;
};
[[nodiscard]] std::vector<KernargSlot> kernarg_layout(const KernelDef& kernel);
/// Bytes of the explicit arguments.
[[nodiscard]] std::size_t kernarg_size(const KernelDef& kernel);

/// A pointer (as an address), an integer or a float.
using KernargValue = std::variant<std::uint64_t, std::int64_t, double>;
using Kernargs = std::map<std::string, KernargValue>;

/// The bytes for `args`; every parameter must be given, and nothing else.
[[nodiscard]] std::vector<std::byte> pack_kernargs(const KernelDef& kernel, const Kernargs& args);

} // namespace twinir
