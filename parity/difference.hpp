// SPDX-License-Identifier: MIT
// Where two texts part, and the statement that it came from.
#pragma once
#include "dsl/kernel_def.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace twinir {

/// The first line that differs, with up to three lines around it.
struct Difference {
  std::size_t line = 0;                 ///< counted from 1
  std::vector<std::string> before;      ///< equal in both
  std::vector<std::string> left, right; ///< from the first differing line on; empty where a text has ended
  std::string statement; ///< of the kernel, pretty-printed; empty when the line is of no statement
};

/// The texts must differ.
[[nodiscard]] Difference find_difference(std::string_view left, std::string_view right,
                                         const KernelDef& kernel);

/// The statement that an IR line came from, pretty-printed: by the name it defines, else by the names it
/// uses.
[[nodiscard]] std::string find_statement(std::string_view line, const KernelDef& kernel);

/// The difference for people; the names stand before the lines of either side.
[[nodiscard]] std::string render(const Difference& difference, const std::string& left_name,
                                 const std::string& right_name);

/// The lines of a text without their ends. A text that does not end with one has "(no newline at the end)" as
/// its last.
[[nodiscard]] std::vector<std::string_view> split_lines(std::string_view text);
std::vector<std::string_view> split_lines(std::string&& text) = delete; // would dangle

/// Removed and added lines in unified form between the first and the last difference, at most `most` lines of
/// them.
[[nodiscard]] std::string unified_difference(std::string_view old_text, std::string_view new_text,
                                             std::size_t most);

} // namespace twinir
