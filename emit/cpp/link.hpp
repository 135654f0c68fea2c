// SPDX-License-Identifier: MIT
// Links an object to a code object with lld as a library.
#pragma once
#include <string>
#include <string_view>

namespace twinir {

/// Was this plugin built with lld?
[[nodiscard]] bool can_link();
/// Throws UserError link_failed with lld's messages. One link at a time: lld keeps state in globals.
[[nodiscard]] std::string link_object(std::string_view object);

} // namespace twinir
