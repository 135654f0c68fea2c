// SPDX-License-Identifier: MIT
// `twinir conv`: one convolution from its command line to verified code objects.
#include "instances/conv/command.hpp"
#include "parity/cpp_engine.hpp"
#include "parity/flavors.hpp"
#include "parity/gate.hpp"
#include "parity/llvm_judge.hpp"
#include "parity/python_engine.hpp"
#include "parity/report.hpp"
#include "runtime/accuracy.hpp"
#include "runtime/conv_run.hpp"
#include "tools/commands.hpp"
#include "tools/output.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace twinir::tools {
namespace {

struct Options {
  std::string command, target = "gfx1250", tile = "f4x4", m = "f32", v_layout = "bin", prescale;
  std::optional<std::int64_t> workspace_limit, batch_split;
  std::uint64_t seed = 1;
  unsigned threads = 0;
  bool json = false, unchecked = false;
};

template <Choice T> T find_choice(const char* what, const std::string& name) {
  std::string known;
  for (const auto& choice : T::all()) {
    if (choice.name() == name) return choice;
    known += (known.empty() ? "" : ", ") + choice.name();
  }
  throw UserError({Code::bad_field, std::string(what) + " '" + name + "'", "one of " + known, "choose one of these", {}});
}

winograd::Tile find_tile(const std::string& name) { return find_choice<winograd::Tile>("tile", name); }

DType find_m(const std::string& name) {
  if (name == "f32" || name == "f16") return find_choice<DType>("element type of M", name);
  throw UserError({Code::bad_field, "--m " + name, "f32 or f16", "choose one of these", {}});
}

WinogradOptions winograd_options(const Options& o) {
  WinogradOptions out;
  out.layout = {find_choice<winograd::VLayout>("V layout", o.v_layout), find_m(o.m)};
  if (!o.prescale.empty()) out.prescale = find_choice<winograd::Prescale>("prescale", o.prescale);
  if (o.workspace_limit) out.workspace_limit = *o.workspace_limit;
  out.batch_split = o.batch_split;
  return out;
}

std::string case_id(const Plan& plan, const PlanStep& step) { return plan.target + "/" + step.kernel_name; }

std::vector<FlavorInfo> comparable_flavors() {
  auto found = find_flavors(find_places());
  std::erase_if(found, [](const FlavorInfo& f) { return !f.installed || !f.recorded; });
  return found;
}

/// Both emitters, goldens, re-print, compile and link for every step on every installed flavor that is recorded.
GateReport emit_steps(const Plan& plan, const std::vector<FlavorInfo>& flavors, bool quiet) {
  const auto places = find_places();
  const Golden golden(places.golden);
  CppEngine cpp;
  PythonEngine python(places.python);
  CompilePool pool;
  LlvmJudge judge(pool);
  std::vector<Case> cases;
  for (const auto& s : plan.steps) cases.push_back({case_id(plan, s), s.family, plan.target, s.spec, false, {}});
  std::ranges::sort(cases, {}, &Case::id);
  cases.erase(std::unique(cases.begin(), cases.end(), [](const Case& a, const Case& b) { return a.id == b.id; }), cases.end()); // parts of a batch share kernels
  ProgressBar bar(!quiet);
  GateOptions options;
  options.keep_texts = true;
  options.progress = [&](std::size_t done, std::size_t all) { bar.update(done, all); };
  return run_gate({all_families(), cases, flavors, golden, cpp, python, judge}, options);
}

const CaseResult& result_of(const FlavorReport& f, const std::string& id) {
  const auto it = std::ranges::find(f.results, id, &CaseResult::id);
  if (it == f.results.end()) throw InternalError("no result for " + id);
  return *it;
}

/// Not being recorded is no fault here: a problem may need a kernel that no shard lists. The gate is stricter.
bool acceptable(const CaseResult& r) {
  const bool recorded_well = is_good(r.golden) || r.golden == GoldenVerdict::new_case || r.golden == GoldenVerdict::unrecorded;
  return is_good(r.verdict) && recorded_well && r.reprint != Check::failed && r.codegen != Check::failed && r.problems.empty();
}

/// The flavor whose texts are compiled and run: the newest that makes code objects for the target.
const FlavorReport& main_flavor(const GateReport& report, const std::string& target) {
  std::vector<FlavorInfo> infos;
  for (const auto& f : report.flavors) infos.push_back(f.flavor);
  const auto& name = newest_flavor(infos, target).name;
  return *std::ranges::find_if(report.flavors, [&](const FlavorReport& f) { return f.flavor.name == name; });
}

struct Outcome {
  Plan plan;
  GateReport gate;
  ConvRun run;
  AccuracyGoal goal;
  ConvError error;
  bool emitted = false, verified = false;
  std::vector<std::string> not_done;
  [[nodiscard]] bool good() const { return emitted && verified; }
};

std::string text_of(const Plan& plan, const PlanStep& step, const FlavorReport& flavor) {
  const auto& text = result_of(flavor, case_id(plan, step)).text;
  if (text.empty())
    throw UserError({Code::op_not_in_flavor, "no text for " + step.kernel_name + " on " + flavor.flavor.name, "a text that both emitters agree on",
                     "run twinir gate --only " + step.kernel_name, {}});
  return text;
}

Outcome run_conv(const Options& options) {
  const auto command = conv::parse_command(options.command);
  const auto choices = winograd_options(options);
  Outcome out{plan_winograd(command.problem, find_tile(options.tile), find_target(options.target), choices), {}, {}, {}, {}, false, false, command.not_done};
  out.gate = emit_steps(out.plan, comparable_flavors(), options.json);
  out.emitted = std::ranges::all_of(out.gate.flavors, [&](const FlavorReport& f) {
    return std::ranges::all_of(out.plan.steps, [&](const PlanStep& s) { return acceptable(result_of(f, case_id(out.plan, s))); });
  });
  const auto& flavor = main_flavor(out.gate, options.target);
  const auto major = static_cast<unsigned>(std::stoul(flavor.flavor.llvm));
  const auto executor = HostExecutor::open(host::find_plugin(major));
  ProgressBar bar(!options.json);
  const auto data = random_conv_data(command.problem, options.seed);
  ConvRunner runner(executor, [&](const PlanStep& s, const std::string& target) { return StepCode{find_family(s.family).build(s.spec, find_target(target)), text_of(out.plan, s, flavor)}; },
                    {!options.unchecked, options.threads, 0, [&](std::size_t done, std::size_t all) { bar.update(done, all); }});
  out.run = runner.run(out.plan, data);
  out.goal = accuracy_goal(command.problem, find_tile(options.tile), f16, choices.layout.m);
  out.error = error_of(out.run, command.problem, data);
  out.verified = out.error.max_relative <= out.goal.max_relative && out.error.l2_relative <= out.goal.l2_relative;
  return out;
}

// --- what is printed

std::string extents(const std::array<std::uint32_t, 3>& e) {
  return e[1] == 1 && e[2] == 1 ? std::to_string(e[0]) : fmt::format("{}x{}x{}", e[0], e[1], e[2]);
}

std::string verdict_cell(const CaseResult& r) {
  auto text = std::string(to_string(r.verdict)) + " " + std::string(to_string(r.golden));
  if (!r.code.empty()) text += " " + r.code;
  return text;
}

std::size_t lines(const std::string& text) { return static_cast<std::size_t>(std::ranges::count(text, '\n')); }

std::vector<std::string> step_row(const Outcome& o, std::size_t i, const FlavorReport& main) {
  const auto& step = o.plan.steps[i];
  const auto& r = result_of(main, case_id(o.plan, step));
  const auto number = [&](const char* key) { return std::to_string(r.compiled.value(key, std::uint64_t{0})); };
  std::vector<std::string> row{step.id, step.kernel_name, extents(step.launch.grid), extents(step.launch.block), std::to_string(lines(r.text)), r.sha256.substr(0, 12)};
  for (const auto& f : o.gate.flavors) row.push_back(verdict_cell(result_of(f, case_id(o.plan, step))));
  const auto spills = r.compiled.value("vgpr_spills", std::uint64_t{0}) + r.compiled.value("sgpr_spills", std::uint64_t{0});
  for (auto cell : {number("vgprs"), number("sgprs"), std::to_string(spills), number("lds_bytes"), number("code_bytes"), fmt::format("{:.1f}", o.run.steps[i].run_ms)})
    row.push_back(cell);
  return row;
}

void print_text(const Outcome& o, const Options& options) {
  const auto& main = main_flavor(o.gate, o.plan.target);
  print(fmt::format("{}: {} on {}, workspace {:.1f} MiB{}\n", o.plan.problem.text(), o.plan.engine, o.plan.target, static_cast<double>(o.plan.workspace_bytes()) / (1 << 20),
                    o.plan.parts == 1 ? "" : fmt::format(", batch in {} parts", o.plan.parts)));
  std::vector<std::string> head{"step", "kernel", "grid", "block", "IR lines", "SHA-256"};
  for (const auto& f : o.gate.flavors) head.push_back(f.flavor.name);
  for (const char* column : {"VGPRs", "SGPRs", "spills", "LDS", "code bytes", "host ms"}) head.emplace_back(column);
  Table table(head);
  for (std::size_t i = 0; i < o.plan.steps.size(); ++i) table.add(step_row(o, i, main));
  print(table.text());
  for (const auto& f : o.gate.flavors)
    for (const auto& s : o.plan.steps)
      if (const auto& r = result_of(f, case_id(o.plan, s)); !acceptable(r)) print(f.flavor.name + " " + r.id + "\n" + describe(r) + "\n");
  const auto verdict = coloured(o.verified ? Colour::green : Colour::red, o.verified ? "VERIFIED" : "WRONG", stdout);
  print(fmt::format("{} against a float64 direct convolution: max|out-ref|/max(max|ref|,1) = {:.2e} (goal {:.1e}), relative L2 = {:.2e} (goal {:.1e}); code objects by LLVM {}, host executor {}\n",
                    verdict, o.error.max_relative, o.goal.max_relative, o.error.l2_relative, o.goal.l2_relative, main.flavor.llvm, options.unchecked ? "unchecked" : "checked"));
  for (const auto& direction : o.not_done) note("not done: " + direction);
}

Json problem_json(const conv::ConvProblem& p) {
  return {{"dtype", p.dtype.name()}, {"n", p.n}, {"c", p.c}, {"h", p.h}, {"w", p.w}, {"k", p.k}, {"y", p.y}, {"x", p.x}, {"pad", {p.pad_h, p.pad_w}},
          {"stride", {p.stride_h, p.stride_w}}, {"dilation", {p.dilation_h, p.dilation_w}}, {"groups", p.groups}, {"layout", "NHWC"}};
}

Json step_json(const Outcome& o, std::size_t i, const FlavorReport& main) {
  const auto& s = o.plan.steps[i];
  const auto& r = result_of(main, case_id(o.plan, s));
  Json flavors = Json::object();
  for (const auto& f : o.gate.flavors) {
    const auto& result = result_of(f, case_id(o.plan, s));
    flavors[f.flavor.name] = {{"llvm", f.flavor.llvm}, {"verdict", to_string(result.verdict)}, {"golden", to_string(result.golden)}, {"code", result.code},
                              {"sha256", result.sha256}, {"reprint", to_string(result.reprint)}, {"codegen", to_string(result.codegen)}};
  }
  const auto& run = o.run.steps[i];
  return {{"step", s.id}, {"what", s.what}, {"family", s.family}, {"spec", s.spec}, {"kernel", s.kernel_name}, {"grid", s.launch.grid}, {"block", s.launch.block},
          {"ir_lines", lines(r.text)}, {"flavors", flavors}, {"compiled", r.compiled},
          {"host", {{"load_ms", run.load_ms}, {"run_ms", run.run_ms}, {"work_items", run.report.work_items}, {"faults", run.report.faults.size()}}}};
}

void print_outcome_json(const Outcome& o) {
  const auto& main = main_flavor(o.gate, o.plan.target);
  Json steps = Json::array(), buffers = Json::object();
  for (std::size_t i = 0; i < o.plan.steps.size(); ++i) steps.push_back(step_json(o, i, main));
  for (const auto& b : o.plan.buffers) buffers[b.name] = b.bytes;
  const auto finite = o.error.not_finite == 0;
  print_json({{"schema", "twinir-conv-1"}, {"problem", problem_json(o.plan.problem)}, {"engine", o.plan.engine}, {"target", o.plan.target}, {"buffers", buffers}, {"parts", o.plan.parts},
              {"steps", steps},
              {"error", {{"max_relative", finite ? Json(o.error.max_relative) : Json()}, {"l2_relative", finite ? Json(o.error.l2_relative) : Json()},
                         {"not_finite", o.error.not_finite}, {"goal", o.goal.max_relative}, {"l2_goal", o.goal.l2_relative}}},
              {"not_done", o.not_done}, {"emitted", o.emitted}, {"verified", o.verified}, {"good", o.good()}});
}

void run(const Options& options, Session& session) {
  const auto outcome = run_conv(options);
  if (options.json) print_outcome_json(outcome);
  else print_text(outcome, options);
  session.status = outcome.good() ? good : different;
}

} // namespace

void add_conv(CLI::App& app, Session& session) {
  auto* command = add_command(app, "conv", "One convolution from its MIOpenDriver command to verified code objects",
                              "twinir conv \"convfp16 -n 1 -c 64 -H 56 -W 56 -k 64 -y 3 -x 3 -p 1 -q 1 -F 1\"\n"
                              "twinir conv \"convfp16 -n 2 -c 3 -H 17 -W 23 -k 5 -p 1 -q 1\" --tile f2x2 --json");
  auto options = std::make_shared<Options>();
  command->add_option("command", options->command, "the convolution as MIOpenDriver takes it (NHWC)")->required();
  command->add_option("--arch", options->target, "the GPU to make code objects for")->capture_default_str();
  command->add_option("--tile", options->tile, "Winograd output tile, rows x columns of 2, 4 or 6")->capture_default_str();
  command->add_option("--m", options->m, "element type of the products: f32 or f16")->capture_default_str();
  command->add_option("--v-layout", options->v_layout, "outermost index of the transformed input: bin or tile")->capture_default_str();
  command->add_option("--prescale", options->prescale, "exponents of the input tiles: none, split or fused (what the types need)");
  command->add_option("--workspace-limit", options->workspace_limit, "bytes that U, V or M may take; larger batches are split");
  command->add_option("--batch-split", options->batch_split, "parts of the batch (as few as the limit allows)");
  command->add_option("--seed", options->seed, "of the random inputs")->check(CLI::NonNegativeNumber)->capture_default_str();
  command->add_option("--threads", options->threads, "host threads (one per core)");
  command->add_flag("--unchecked", options->unchecked, "run faster, without the checks of bounds, initialisation and races");
  command->add_flag("--json", options->json, "print JSON");
  command->callback([options, &session] { run(*options, session); });
}

} // namespace twinir::tools
