// SPDX-License-Identifier: MIT
#include "runtime/verify/support.hpp"

#include "dsl/json.hpp"
#include "emit/plugins.hpp"
#include "emit/spills.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <mutex>

namespace twinir {
namespace {

using State = SupportCount::State;

/// One spec on one target with one flavor, and what came of it.
struct Trial {
  const Family* family;
  const Target* target;
  std::string flavor;
  Json spec;
  bool emits = false, compiles = false, verified = false;
  std::optional<Diagnostic> problem;
};

std::vector<Trial> list_trials(const std::vector<Family>& families, const SupportOptions& options) {
  std::vector<Trial> out;
  for (const auto& family : families) {
    if (family.name.find(options.only) == std::string::npos) continue;
    for (const auto& name : options.targets)
      for (const auto& flavor : options.flavors)
        for (const auto& spec : family.gate(find_target(name)).accepted)
          out.push_back({&family, &find_target(name), flavor, spec, false, false, false, {}});
  }
  return out;
}

bool can_compile(const Trial& t) {
  const auto& info = plugin_of(t.flavor).info();
  return info.links && info.knows(t.target->name);
}

Diagnostic wrong_numbers(const std::string& kernel, const Verification& v) {
  return {Code::exec_wrong_numbers,
          fmt::format("an error of {:.3g} in kernel '{}'", v.error, kernel),
          fmt::format("at most {:.3g}", v.tolerance),
          "report this kernel",
          {}};
}

/// Runs the part of a trial that `step` does; what it throws is the trial's problem.
template <class Step> bool attempt(Trial& t, Step&& step) {
  try {
    auto problem = step();
    if (problem && !t.problem) t.problem = problem;
    return !problem;
  } catch (const UserError& e) {
    if (!t.problem) t.problem = e.diagnostic();
  } catch (const std::exception& e) {
    if (!t.problem)
      t.problem = Diagnostic{Code::internal, e.what(), "a spec that can be tried", "report it", {}};
  }
  return false;
}

State compile_state(const Trial& t, const SupportOptions& options) {
  const auto& info = plugin_of(t.flavor).info();
  if (!info.knows(t.target->name)) return State::unknown_target;
  if (!info.links) return State::no_linker;
  return options.compile ? State::tried : State::not_run;
}

State verify_state(const Trial& t, const SupportOptions& options) {
  if (!has_verifier(t.family->name)) return State::no_check;
  if (!has_executor(t.flavor)) return State::no_executor;
  return options.verify ? State::tried : State::not_run;
}

void try_out(Trial& t, CompilePool& pool, const SupportOptions& options) {
  using Problem = std::optional<Diagnostic>;
  KernelDef kernel;
  std::string text;
  t.emits = attempt(t, [&]() -> Problem {
    kernel = t.family->build(t.spec, *t.target);
    text = plugin_of(t.flavor).emit(write_json(kernel));
    return {};
  });
  if (!t.emits) return;
  if (options.compile && can_compile(t))
    t.compiles = attempt(t, [&]() -> Problem {
      const auto compiled = pool.compile({t.flavor, kernel.name, text, {std::string(t.target->name)}});
      return find_spills(compiled.report.kernels.at(0));
    });
  if (verify_state(t, options) == State::tried)
    t.verified = attempt(t, [&]() -> Problem {
      const auto v = verify(t.family->name, t.family->complete(t.spec), kernel, text, executor_for(t.flavor));
      return v.value().good() ? Problem{} : wrong_numbers(kernel.name, v.value());
    });
}

SupportRow empty_row(const Trial& t, const SupportOptions& options) {
  const auto verified = verify_state(t, options);
  return {t.family->name,
          std::string(t.target->name),
          t.flavor,
          {State::tried, 0, 0},
          {compile_state(t, options), 0, 0},
          {verified, 0, 0},
          verified == State::tried ? executor_for(t.flavor).llvm_version() : std::string(),
          {}};
}

void add(SupportCount& count, bool good) {
  if (count.state == State::tried) ++count.all, count.good += good;
}

void add(SupportRow& row, const Trial& t) {
  add(row.emits, t.emits);
  if (t.emits) add(row.compiles, t.compiles), add(row.verified, t.verified);
  if (!row.problem) row.problem = t.problem;
}

} // namespace

std::string to_string(const SupportCount& c) {
  switch (c.state) {
  case State::tried: return c.all == 0 ? "-" : std::to_string(c.good) + " of " + std::to_string(c.all);
  case State::unknown_target: return "target unknown";
  case State::no_linker: return "no lld";
  case State::no_check: return "no check";
  case State::no_executor: return "no executor";
  case State::not_run: break;
  }
  return "not run";
}

std::vector<SupportRow> make_support(const std::vector<Family>& families, CompilePool& pool,
                                     const SupportOptions& options) {
  if (options.flavors.empty())
    throw UserError({Code::toolchain_missing,
                     "no flavor with an installed LLVM",
                     "one at least",
                     "twinir doctor says what is missing",
                     {}});
  auto trials = list_trials(families, options);
  if (trials.empty())
    throw UserError({Code::nothing_to_build,
                     "no family named like '" + options.only + "' with specs for these targets",
                     "one at least",
                     "see twinir list",
                     {}});
  for_each_index(
      trials.size(), options.jobs, [&](std::size_t i) { try_out(trials[i], pool, options); },
      options.progress);
  std::vector<SupportRow> rows;
  for (const auto& t : trials) {
    const bool same = !rows.empty() && rows.back().family == t.family->name &&
                      rows.back().target == t.target->name && rows.back().flavor == t.flavor;
    if (!same) rows.push_back(empty_row(t, options));
    add(rows.back(), t);
  }
  return rows;
}

const HostExecutor& executor_for(const std::string& flavor) {
  static std::mutex mutex;
  static std::map<std::string, HostExecutor> opened;
  const std::lock_guard lock(mutex);
  if (const auto it = opened.find(flavor); it != opened.end()) return it->second;
  const auto major = static_cast<unsigned>(flavor_major(flavor));
  if (major == 0)
    throw UserError({Code::toolchain_missing,
                     "no executor for flavor '" + flavor + "', which has a name of its own",
                     "llvm22 or a later llvm<number>",
                     "choose one of them",
                     {}});
  return opened.emplace(flavor, HostExecutor::open(host::find_plugin(major))).first->second;
}

bool has_executor(const std::string& flavor) {
  try {
    (void)executor_for(flavor);
    return true;
  } catch (const UserError& e) {
    if (e.diagnostic().code != Code::toolchain_missing) throw;
    return false;
  }
}

} // namespace twinir
