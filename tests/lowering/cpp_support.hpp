// SPDX-License-Identifier: MIT
// What the tests of the C++ emitter share: plugins, kernels as JSON, pieces of text.
#pragma once
#include "dsl/error.hpp"
#include "emit/llvm_plugin.hpp"

#include <functional>
#include <string>
#include <vector>

namespace twinir::lowering {

/// Every plugin that was built, by version.
const std::vector<LlvmPlugin>& plugins();
/// The plugin of a flavor; null (and one line SKIP) when it was not built.
const LlvmPlugin* plugin(const std::string& flavor);

/// A kernel as JSON; the body is a list of statements without brackets.
struct KernelText {
  std::string body;
  std::string name = "k", target = "gfx1250", block = "[64,1,1]";
  int waves = 0;
  std::string params = standard_params, lds = R"({"n":"s","t":"f32","count":256,"align":16})";

  [[nodiscard]] std::string json() const;
  static const std::string standard_params;
};

/// The lines of text, without their ends.
std::vector<std::string> lines(const std::string& text);
/// The lines that start with `start`, joined by newlines.
std::string lines_with(const std::string& text, const std::string& start);
/// The text from the first place of `from` up to, not including, the next place of `to`.
std::string between(const std::string& text, const std::string& from, const std::string& to);
std::string replaced(std::string text, const std::string& from, const std::string& to);

/// What the call was refused with; fails the test when it was not.
Diagnostic refusal(const std::function<void()>& call);

} // namespace twinir::lowering
