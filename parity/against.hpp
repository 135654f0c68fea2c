// SPDX-License-Identifier: MIT
// What changed against the goldens of another revision.
#pragma once
#include "parity/git.hpp"
#include "parity/verdict.hpp"

namespace twinir {

/// Ids as "<flavor>: <id>".
struct Changes {
  std::string commit;
  std::vector<std::string> added, changed, gone;
  std::size_t unchanged = 0;
  std::vector<Diagnostic> problems; ///< shards of that revision that cannot be read
};

/// Compares the results of a run with the shards of `revision` (git show; nothing is checked out).
/// `only` is the filter the run had.
[[nodiscard]] Changes compare_with_revision(const GateReport& report, const Git& git,
                                            const std::string& revision, const std::string& only);

} // namespace twinir
