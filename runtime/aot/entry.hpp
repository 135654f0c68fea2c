// SPDX-License-Identifier: MIT
// The binaries to build ahead of time: every family's grid for a target.
#pragma once
// Guarantees: sorted by kernel name; equal specs are one entry; no two entries without a fault share a name.
// Refuses nothing: an entry that cannot be named or shares its name keeps the fault.
#include "instances/family.hpp"

#include <optional>
#include <string>
#include <vector>

namespace twinir::aot {

/// One binary to build.
struct Entry {
  std::string family;
  std::string kernel; ///< its name; "<family>?<spec>" when it has none
  Json spec;          ///< with every field
  std::optional<Diagnostic> fault;
};

/// The entries whose kernel name contains `only`.
[[nodiscard]] std::vector<Entry> list_entries(const std::vector<Family>& families, const Target& target,
                                              const std::string& only = {});

/// "block=64 dtype=f32": a spec in one cell.
[[nodiscard]] std::string spec_text(const Json& spec);

} // namespace twinir::aot
