// SPDX-License-Identifier: MIT
// A kernel description for people: one statement a line, regions indented, numbers as numbers.
#pragma once
// Guarantees: the same text on every machine. It is for reading only; nothing reads it back.
#include "dsl/kernel_def.hpp"

#include <string>

namespace twinir {

/// The whole kernel, for example
///   kernel saxpy_f32 for gfx1250, 256 items
///     v8: f32 = load x[i] align 4
[[nodiscard]] std::string pretty(const KernelDef& kernel);
/// One statement on one line, without its regions.
[[nodiscard]] std::string pretty(const Stmt& stmt);
/// "v3", "@tile", "2.5", "{1, 2}", "poison".
[[nodiscard]] std::string pretty(const Operand& operand);

} // namespace twinir
