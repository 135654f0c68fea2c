// SPDX-License-Identifier: MIT
// IR text to a code object, in process.
#pragma once
// Guarantees: the same text gives the same bytes; nothing is printed. Refuses before LLVM is called what LLVM would
// abort on or silently get wrong (refuse.hpp), and reports LLVM's own diagnostics as a coded error.
#include "emit/cpp/plugin.h"

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace twinir {

struct Compiled {
  std::string bytes;
  nlohmann::ordered_json report;
};
[[nodiscard]] Compiled compile_text(std::string_view text, const twinir_compile_options& options);

} // namespace twinir
