// SPDX-License-Identifier: MIT
#include "parity/cpp_engine.hpp"

#include "emit/plugins.hpp"

namespace twinir {

Emission CppEngine::emit(const std::string& kernel_json, const FlavorInfo& flavor) {
  try {
    return {plugin_of(flavor.name).emit(kernel_json), {}};
  } catch (const UserError& e) {
    return {{}, e.diagnostic()};
  }
}

} // namespace twinir
