// SPDX-License-Identifier: MIT
// Internal to dsl: what the operators need of a builder.
#pragma once
#include "dsl/builder.hpp"
#include "dsl/error.hpp"
#include "dsl/graph.hpp"

#include <string>

namespace twinir::detail {

/// The builder of the first operand that is a value; refuses when there is none.
KernelBuilder& kernel_of(std::initializer_list<const Arg*> args);
/// The type of the first operand that is a value.
Type peer_type(std::initializer_list<const Arg*> args);

/// An operation on operands of one type that gives that type.
Value same_type(Op op, std::initializer_list<const Arg*> args, std::vector<std::string> flags = {});

} // namespace twinir::detail
