// SPDX-License-Identifier: MIT
// A gate run with the real emitters, for the commands that need one.
#pragma once
#include "parity/flavors.hpp"
#include "parity/gate.hpp"
#include "parity/reader.hpp"

#include <CLI/CLI.hpp>

namespace twinir::tools {

/// The options that gate and golden share.
struct GateChoice {
  std::string flavors, only;
  std::vector<std::string>
      kernels; ///< files and folders of frozen kernels, which run instead of the families
  unsigned jobs = 0;
  bool json = false;
  void add_to(CLI::App& command);
  /// All flavors, or those asked for; UserError toolchain_missing for one that nothing here checks: neither a plugin
  /// nor the reader.
  [[nodiscard]] std::vector<FlavorInfo> chosen(const Reader& reader) const;
  /// Of all families, or the frozen kernels; UserError.
  [[nodiscard]] std::vector<Case> cases() const;
};

/// Runs the cases of the choice; a progress bar on a terminal unless it prints JSON.
[[nodiscard]] GateReport run_real_gate(const GateChoice& choice, std::vector<Case> cases,
                                       const std::vector<FlavorInfo>& flavors, GateOptions options,
                                       Reader& reader);

/// Per flavor: LLVM, emitters and counts, and the line of the differential.
[[nodiscard]] std::string flavor_table(const GateReport& report);
/// Every case with a fault, and what is wrong with it.
void print_faults(const GateReport& report);

} // namespace twinir::tools
