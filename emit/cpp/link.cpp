// SPDX-License-Identifier: MIT
#include "emit/cpp/link.hpp"

#include "dsl/error.hpp"

namespace twinir {
bool can_link() { return false; }
std::string link_object(std::string_view) { throw InternalError("link is not there yet"); }
} // namespace twinir
