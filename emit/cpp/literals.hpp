// SPDX-License-Identifier: MIT
// Every form of float literal that this LLVM prints, for the test of the other emitter.
#pragma once
#include <functional>
#include <string_view>

namespace twinir {

/// Calls `sink` with whole lines "f32 3f800000 1.000000e+00"; the same lines on every run, NaNs among them.
void print_literals(const std::function<void(std::string_view)>& sink);

} // namespace twinir
