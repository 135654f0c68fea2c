// SPDX-License-Identifier: MIT
// Convolution problems as MIOpenDriver command lines.
#pragma once
// Source of flags and defaults: MIOpenDriver's conv_driver.hpp and InputFlags.cpp. Every flag takes a value;
// long and short names; the last one wins; a leading path to the driver is skipped; flags that do not
// describe the problem (time, iterations, verification and so on) are accepted and ignored. Unknown flags are
// refused by name.
#include "instances/conv/problem.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace twinir::conv {

/// What a command line asks for.
struct Command {
  ConvProblem problem;
  std::vector<std::string> not_done; ///< directions asked for beside forward, in words
};

/// Throws bad_command, unsupported_mode (transposed, 3-D, backward only, layouts), unsupported_dtype, or
/// check()'s codes.
[[nodiscard]] Command parse_command(std::string_view line);

/// The command line of a problem, every flag written out: equal problems have equal texts.
[[nodiscard]] std::string command_text(const ConvProblem& problem);

} // namespace twinir::conv
