// SPDX-License-Identifier: MIT
// The flavor data file of this LLVM (emit/flavors/README.md).
#pragma once
// Guarantees: everything in it was printed by LLVM; every template was checked against all kinds of types that the
// operation's rule allows; the same LLVM gives the same bytes.
#include "dsl/kernel_def.hpp"

#include <llvm/IR/Module.h>
#include <nlohmann/json.hpp>
#include <string>

namespace twinir {

[[nodiscard]] std::string record_flavor();

/// What the printer wrote for the only function of a module.
struct PrintedFunction {
  std::string comment; ///< behind "; Function Attrs: "
  std::string line;    ///< "declare ..." or "define ..." up to the number of the attribute group
  std::string group;   ///< content of attributes #0
};
[[nodiscard]] PrintedFunction print_function(llvm::Module& module);

/// The entry of `intrinsics` for an operation: an object, or null when this LLVM has none.
[[nodiscard]] nlohmann::ordered_json record_intrinsic(Op op);

/// How this LLVM comments on the immediate operand of the statement's call; null when it does not.
[[nodiscard]] nlohmann::ordered_json record_comments(const Stmt& stmt);

/// Replaces every occurrence.
[[nodiscard]] std::string replaced(std::string text, std::string_view from, std::string_view to);

} // namespace twinir
