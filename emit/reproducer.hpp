// SPDX-License-Identifier: MIT
// What is left behind when LLVM did not survive its input.
#pragma once
#include <string>
#include <string_view>

namespace twinir {

/// Writes `text` to <reproducer folder>/<flavor>-<target>-<start of its SHA-256>.<extension> and gives the
/// path; where that fails, the reason in brackets. Never throws because of the file.
[[nodiscard]] std::string save_reproducer(const std::string& flavor, const std::string& target,
                                          std::string_view text, const std::string& extension);

} // namespace twinir
