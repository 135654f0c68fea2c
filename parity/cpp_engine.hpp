// SPDX-License-Identifier: MIT
// The C++ emitter: the plugins, in this process.
#pragma once
#include "parity/engine.hpp"

namespace twinir {

class CppEngine : public Engine {
public:
  [[nodiscard]] Emission emit(const std::string& kernel_json, const FlavorInfo& flavor) override;
};

} // namespace twinir
