// SPDX-License-Identifier: MIT
#include "emit/cpp/inspect.hpp"

#include "dsl/error.hpp"

namespace twinir {
nlohmann::ordered_json inspect_object(std::string_view) { throw InternalError("inspect is not there yet"); }
} // namespace twinir
