// SPDX-License-Identifier: MIT
// The metadata note of a code object (MessagePack) as JSON.
#pragma once
// LLVM's own msgpack::Document ends the process at some damaged notes; this reads item by item.
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

namespace twinir {

/// Empty when the bytes are no MessagePack value, have keys that are no strings, or nest too deep.
[[nodiscard]] std::optional<nlohmann::json> read_metadata(std::string_view bytes);

} // namespace twinir
