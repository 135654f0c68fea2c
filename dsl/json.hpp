// SPDX-License-Identifier: MIT
// The interchange form of a KernelDef: canonical JSON, one statement a line.
#pragma once
// Guarantees: write_json is canonical (fixed key order, no blanks, 64-bit constants as hex words), so the SHA-256
// of the text identifies the kernel; read_json(write_json(k)) == k. read_json refuses what is not a valid kernel
// (malformed_kernel and the verifier's codes), at any nesting depth, and never crashes.
#include "dsl/kernel_def.hpp"

#include <string>
#include <string_view>

namespace twinir {

/// The value of the key "schema".
inline constexpr std::string_view kernel_schema = "twinir-kernel-1";

[[nodiscard]] std::string write_json(const KernelDef& kernel);
/// Parses and verifies; throws UserError.
[[nodiscard]] KernelDef read_json(std::string_view text);

} // namespace twinir
