// SPDX-License-Identifier: MIT
#include "emit/cpp/matrix.hpp"

#include <utility>

namespace twinir {
namespace {

constexpr const char* common = "llvm.amdgcn.";
constexpr std::pair<std::string_view, const char*> rows[] = {
#define TWINIR_MATRIX(target, symbol) {target, symbol},
#include "emit/cpp/matrix.def"
#undef TWINIR_MATRIX
};

} // namespace

bool is_matrix_symbol(llvm::StringRef symbol) {
  if (!symbol.consume_front(common)) return false;
  for (const char* family : {"wmma.", "swmmac.", "mfma.", "smfmac."})
    if (symbol.starts_with(family)) return true;
  return false;
}

bool has_matrix_symbol(std::string_view target, llvm::StringRef symbol) {
  symbol.consume_front(common);
  for (const auto& [name, known] : rows)
    if (name == target && symbol == known) return true;
  return false;
}

} // namespace twinir
