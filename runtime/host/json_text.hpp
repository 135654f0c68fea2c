// SPDX-License-Identifier: MIT
// The JSON objects of the C interface.
#pragma once
#include <string>

#include "runtime/host/image.hpp"
#include "runtime/host/launch.hpp"
#include "runtime/host/refusal.hpp"

namespace twinir::exec {

[[nodiscard]] std::string info_json(const KernelImage& image);
[[nodiscard]] std::string report_json(const KernelImage& image, const LaunchResult& result);
[[nodiscard]] std::string error_json(const Refusal& refusal);

} // namespace twinir::exec
