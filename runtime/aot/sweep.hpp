// SPDX-License-Identifier: MIT
// A sweep: compiles every entry once and says what each binary takes.
#pragma once
// Guarantees: an entry that does not build, emit or compile, and a binary that spills, uses scratch memory or
// has flat or scratch instructions, is a row with a problem; the others go on. The rows are the same for any
// number of jobs. Refuses an empty list (nothing_to_build): a sweep of nothing must not look good.
#include "emit/compile_pool.hpp"
#include "emit/parallel.hpp"
#include "runtime/aot/entry.hpp"

namespace twinir::aot {

struct SweepOptions {
  std::string target, flavor;
  unsigned jobs = 0; ///< threads; 0: one per core
  Progress progress;
};

/// One binary.
struct SweepRow {
  Entry entry;
  KernelReport kernel; ///< zeros when there is no binary
  int occupancy = 0;   ///< waves of a SIMD; 0 when there is no binary
  std::optional<Diagnostic> problem;

  [[nodiscard]] bool spills() const { return problem && problem->code == Code::spills; }
};

struct Sweep {
  std::string target, flavor;
  std::vector<SweepRow> rows; ///< worst first

  [[nodiscard]] bool good() const;
  [[nodiscard]] std::size_t spilling() const;
  [[nodiscard]] std::size_t failed() const; ///< problems other than spills
};

/// `entries` are of these families and of options.target.
[[nodiscard]] Sweep run_sweep(const std::vector<Family>& families, const std::vector<Entry>& entries,
                              CompilePool& pool, const SweepOptions& options);

} // namespace twinir::aot
