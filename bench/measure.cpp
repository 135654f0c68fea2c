// SPDX-License-Identifier: MIT
// twinir-bench: emission, compile and host executor, per kernel. docs/performance.md has the figures.
#include "dsl/json.hpp"
#include "emit/environment.hpp"
#include "emit/llvm_plugin.hpp"
#include "instances/conv/command.hpp"
#include "instances/family.hpp"
#include "parity/flavors.hpp"
#include "parity/python_engine.hpp"
#include "runtime/conv_run.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ctime>
#include <fmt/format.h>
#include <iostream>

namespace {
using namespace twinir;

/// Milliseconds of wall time, and of this process's processor time.
double wall() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
}
double processor() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
}

/// Median of `repeats` runs by a clock.
template <class F> double median(int repeats, double (*clock)(), F run) {
  std::vector<double> times;
  for (int i = 0; i < repeats; ++i) {
    const auto start = clock();
    run();
    times.push_back(clock() - start);
  }
  std::ranges::nth_element(times, times.begin() + repeats / 2);
  return times[static_cast<std::size_t>(repeats / 2)];
}

struct Options {
  int repeats = 21;
  std::string only;
  bool json = false;
};

struct Row {
  std::string kernel;
  std::size_t statements = 0, json_bytes = 0;
  double build = 0, cpp_cpu = 0, cpp_wall = 0, python_wall = 0, compile = 0, llvm = 0;
};

/// Our whole compile call against LLVM's own stages of the same call.
void measure_compile(Row& row, const LlvmPlugin& plugin, const std::string& text, int repeats) {
  std::vector<std::pair<double, double>> runs;
  for (int i = 0; i < std::max(3, repeats / 4); ++i) {
    const auto start = wall();
    const auto ms = plugin.compile(text, {"gfx1250", 3, Output::code_object}).ms;
    runs.emplace_back(wall() - start, ms.llvm());
  }
  std::ranges::sort(runs, {}, [](const auto& r) { return r.first / r.second; });
  std::tie(row.compile, row.llvm) = runs[runs.size() / 2];
}

Row measure(const Family& family, const Json& spec, const LlvmPlugin& plugin, PythonEngine& python, const FlavorInfo& flavor, int repeats) {
  const auto& target = find_target("gfx1250");
  const auto kernel = family.build(spec, target);
  const auto json = write_json(kernel);
  Row row{kernel.name, static_cast<std::size_t>(std::ranges::count(json, '\n')), json.size()};
  row.build = median(repeats, processor, [&] { (void)family.build(spec, target); });
  row.cpp_cpu = median(repeats, processor, [&] { (void)plugin.emit(json); });
  row.cpp_wall = median(repeats, wall, [&] { (void)plugin.emit(json); });
  // The worker keeps the last kernel: two names take turns, so that every emission reads and verifies.
  auto other = json;
  other[other.find(kernel.name)] = 'x';
  bool turn = false;
  row.python_wall = median(repeats, wall, [&] { (void)python.emit((turn = !turn) ? json : other, flavor); });
  measure_compile(row, plugin, plugin.emit(json), repeats);
  return row;
}

/// Work-items a second of every step of the demo's convolution, checked and not.
nlohmann::ordered_json measure_executor(const LlvmPlugin& plugin, const FlavorInfo& flavor, int repeats) {
  const auto problem = conv::parse_command("convfp16 -n 4 -c 64 -H 56 -W 56 -k 64 -p 1 -q 1").problem;
  const auto plan = plan_winograd(problem, winograd::Tile(4), find_target("gfx1250"));
  const auto code = [&](const PlanStep& s, const std::string& target) {
    auto kernel = find_family(s.family).build(s.spec, find_target(target));
    auto ir = plugin.emit(write_json(kernel));
    return StepCode{std::move(kernel), std::move(ir)};
  };
  const auto executor = HostExecutor::open(host::find_plugin(static_cast<unsigned>(std::stoul(flavor.llvm))));
  const auto data = random_conv_data(problem, 1);
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  for (const bool checked : {false, true}) {
    std::vector<double> best(plan.steps.size(), 0);
    ConvRunner runner(executor, code, {checked, 0, 0, {}});
    for (int r = 0; r < std::max(1, repeats / 7); ++r) {
      const auto run = runner.run(plan, data);
      for (std::size_t i = 0; i < best.size(); ++i) best[i] = std::max(best[i], static_cast<double>(run.steps[i].report.work_items) / run.steps[i].run_ms / 1e3);
    }
    for (std::size_t i = 0; i < best.size(); ++i)
      out.push_back({{"step", plan.steps[i].id}, {"kernel", plan.steps[i].kernel_name}, {"checked", checked}, {"million_items_per_second", best[i]}});
  }
  return out;
}

void print(const std::vector<Row>& rows, const nlohmann::ordered_json& executor, bool as_json) {
  nlohmann::ordered_json all = {{"schema", "twinir-bench-1"}, {"kernels", nlohmann::ordered_json::array()}, {"executor", executor}};
  for (const auto& r : rows)
    all["kernels"].push_back({{"kernel", r.kernel}, {"lines", r.statements}, {"json_bytes", r.json_bytes}, {"build_ms", r.build}, {"cpp_ms", r.cpp_cpu},
                              {"cpp_wall_ms", r.cpp_wall}, {"python_wall_ms", r.python_wall}, {"compile_ms", r.compile}, {"llvm_ms", r.llvm}});
  if (as_json) return void(std::cout << all.dump(2) << '\n');
  fmt::print("{:<56} {:>6} {:>9} {:>9} {:>9} {:>11} {:>10} {:>9}\n", "kernel", "lines", "build ms", "C++ ms", "C++ wall", "Python wall", "compile ms", "/ LLVM");
  for (const auto& r : rows)
    fmt::print("{:<56} {:>6} {:>9.2f} {:>9.2f} {:>9.2f} {:>11.2f} {:>10.1f} {:>9.3f}\n", r.kernel, r.statements, r.build, r.cpp_cpu, r.cpp_wall, r.python_wall, r.compile, r.compile / r.llvm);
  fmt::print("\n{:<56} {:>9} {:>16}\n", "host executor, all cores", "checked", "M items/s");
  for (const auto& e : executor)
    fmt::print("{:<56} {:>9} {:>16.2f}\n", e["kernel"].get<std::string>(), e["checked"].get<bool>() ? "yes" : "no", e["million_items_per_second"].get<double>());
}

int run(const Options& options) {
  const auto found = find_flavors(find_places());
  const auto& flavor = newest_flavor(found, "gfx1250");
  const auto plugin = LlvmPlugin::of_flavor(flavor.name);
  PythonEngine python(find_places().python);
  std::vector<Row> rows;
  for (const auto& family : all_families())
    for (const auto& spec : family.gate(find_target("gfx1250")).accepted)
      if (family.kernel_name(spec).find(options.only) != std::string::npos) rows.push_back(measure(family, spec, plugin, python, flavor, options.repeats));
  print(rows, measure_executor(plugin, flavor, options.repeats), options.json);
  return 0;
}

} // namespace

int main(int argc, char** argv) {
  CLI::App app("twinir-bench: emission, compile and host executor per kernel, medians");
  Options options;
  app.add_option("--repeats", options.repeats, "runs per figure")->capture_default_str()->check(CLI::Range(1, 1000));
  app.add_option("--only", options.only, "kernels whose name contains this text");
  app.add_flag("--json", options.json, "print JSON");
  CLI11_PARSE(app, argc, argv);
  try {
    return run(options);
  } catch (const std::exception& e) {
    std::cerr << "error: " << e.what() << '\n';
    return 1;
  }
}
