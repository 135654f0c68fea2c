// SPDX-License-Identifier: MIT
#include "runtime/aot/sweep.hpp"

#include "dsl/json.hpp"
#include "emit/plugins.hpp"
#include "emit/spills.hpp"

#include <algorithm>
#include <tuple>

namespace twinir::aot {
namespace {

int occupancy_of(const KernelReport& k, const Target& target) {
  return target.occupancy({static_cast<int>(k.max_items), static_cast<int>(k.vgprs),
                           static_cast<int>(k.sgprs), static_cast<std::int64_t>(k.lds_bytes)});
}

/// One run.
class Run {
public:
  Run(const std::vector<Family>& families, const std::vector<Entry>& entries, CompilePool& pool,
      const SweepOptions& options)
      : families_(families), entries_(entries), pool_(pool), options_(options),
        target_(find_target(options.target)), rows_(entries.size()) {}

  std::vector<SweepRow> finish() {
    for_each_index(
        rows_.size(), options_.jobs, [this](std::size_t i) { rows_[i] = row_of(entries_[i]); },
        options_.progress);
    return std::move(rows_);
  }

private:
  SweepRow row_of(const Entry& entry) {
    SweepRow row{entry, {}, 0, entry.fault};
    if (row.problem) return row;
    try {
      measure(row);
    } catch (const UserError& e) {
      row.problem = e.diagnostic();
    } catch (const std::exception& e) {
      row.problem =
          Diagnostic{Code::internal, e.what(), "an entry that compiles", "report it with the spec", {}};
    }
    return row;
  }

  void measure(SweepRow& row) {
    const auto kernel = family_of(row.entry).build(row.entry.spec, target_);
    const auto text = plugin_of(options_.flavor).emit(write_json(kernel));
    const auto report = pool_.compile({options_.flavor, kernel.name, text, {options_.target}}).report;
    if (report.kernels.size() != 1)
      throw UserError({Code::codegen_failed,
                       std::to_string(report.kernels.size()) + " kernels in the code object",
                       "one",
                       "report this kernel",
                       {}});
    row.kernel = report.kernels[0];
    row.occupancy = occupancy_of(row.kernel, target_);
    row.problem = find_spills(row.kernel);
  }

  [[nodiscard]] const Family& family_of(const Entry& entry) const {
    const auto it = std::ranges::find(families_, entry.family, &Family::name);
    if (it == families_.end()) throw InternalError("an entry of the unknown family " + entry.family);
    return *it;
  }

  const std::vector<Family>& families_;
  const std::vector<Entry>& entries_;
  CompilePool& pool_;
  const SweepOptions& options_;
  const Target& target_;
  std::vector<SweepRow> rows_;
};

/// What is worse comes first: no binary, spills, scratch memory, few waves, many registers.
auto badness(const SweepRow& r) {
  const auto& k = r.kernel;
  return std::make_tuple(r.problem && !r.spills(), k.vgpr_spills + k.sgpr_spills, k.scratch_bytes,
                         k.flat + k.scratch, -r.occupancy, k.vgprs);
}

bool is_worse(const SweepRow& a, const SweepRow& b) {
  const auto left = badness(a), right = badness(b);
  return left != right ? left > right : a.entry.kernel < b.entry.kernel;
}

} // namespace

bool Sweep::good() const {
  return !rows.empty() && std::ranges::none_of(rows, [](const SweepRow& r) { return r.problem.has_value(); });
}

std::size_t Sweep::spilling() const {
  return static_cast<std::size_t>(std::ranges::count_if(rows, &SweepRow::spills));
}

std::size_t Sweep::failed() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(rows, [](const SweepRow& r) { return r.problem && !r.spills(); }));
}

Sweep run_sweep(const std::vector<Family>& families, const std::vector<Entry>& entries, CompilePool& pool,
                const SweepOptions& options) {
  if (entries.empty())
    throw UserError({Code::nothing_to_build,
                     "no binaries for " + options.target,
                     "some to compile",
                     "correct --only, or choose a target that the families have a grid for",
                     {}});
  Sweep sweep{options.target, options.flavor, Run(families, entries, pool, options).finish()};
  std::ranges::stable_sort(sweep.rows, is_worse);
  return sweep;
}

} // namespace twinir::aot
