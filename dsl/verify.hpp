// SPDX-License-Identifier: MIT
// The verifier of kernel descriptions.
#pragma once
// Guarantees: what passes can be emitted for every flavor that has its operations; nothing that LLVM would assert
// on or crash at gets past it. Refuses with the 1xxx codes of codes.def.
#include "dsl/kernel_def.hpp"

#include <span>

namespace twinir {

/// Checks names, limits of the target, attributes, types and scopes; throws UserError at the first fault.
/// Fills in the types of operands given by name, and sorts nothing.
void verify(KernelDef& kernel);

/// Checks one statement's operand and result types against its rule (dsl/verify_types.cpp).
void verify_types(const Stmt& stmt, const std::string& kernel);

} // namespace twinir
