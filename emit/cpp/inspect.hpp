// SPDX-License-Identifier: MIT
// What a code object says about itself, and what its instructions are.
#pragma once
// Guarantees: any bytes are safe to pass; what is not an AMDGPU code object is refused with not_a_code_object.
#include <nlohmann/json.hpp>
#include <string_view>

namespace twinir {

/// The report of plugin.h; without counts nothing is disassembled.
[[nodiscard]] nlohmann::ordered_json inspect_object(std::string_view bytes, bool counts = true);

} // namespace twinir
