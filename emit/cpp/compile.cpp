// SPDX-License-Identifier: MIT
#include "emit/cpp/compile.hpp"

#include "dsl/error.hpp"
#include "emit/cpp/compat_target.hpp"
#include "emit/cpp/inspect.hpp"
#include "emit/cpp/link.hpp"
#include "emit/cpp/llvm_target.hpp"
#include "emit/cpp/parse.hpp"
#include "emit/cpp/refuse.hpp"

#include <chrono>
#include <cmath>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/LegacyPassManager.h>

namespace twinir {
namespace {
using Json = nlohmann::ordered_json;

constexpr std::size_t longest_reason = 2000;

[[noreturn]] void refuse(Code code, std::string found, std::string expected, std::string action) {
  if (found.size() > longest_reason) found = found.substr(0, longest_reason) + " ...";
  throw UserError({code, std::move(found), std::move(expected), std::move(action), {}});
}

/// Keeps what LLVM reports as an error; nothing reaches stderr.
class Diagnostics : public llvm::DiagnosticHandler {
public:
  explicit Diagnostics(std::string& errors) : errors_(errors) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (info.getSeverity() != llvm::DS_Error) return true;
    if (!errors_.empty()) errors_ += "; ";
    llvm::raw_string_ostream out(errors_);
    llvm::DiagnosticPrinterRawOStream printer(out);
    info.print(printer);
    return true;
  }

private:
  std::string& errors_;
};

/// Milliseconds of each stage, to three places.
class Times {
public:
  void lap(const char* stage) {
    const auto now = Clock::now();
    ms_[stage] = milliseconds(now - last_);
    last_ = now;
  }
  [[nodiscard]] Json finish() {
    ms_["total"] = milliseconds(last_ - start_);
    return ms_;
  }

private:
  using Clock = std::chrono::steady_clock;
  static double milliseconds(Clock::duration d) {
    return std::round(std::chrono::duration<double, std::micro>(d).count()) / 1000;
  }
  Clock::time_point start_ = Clock::now(), last_ = start_;
  Json ms_ = Json::object();
};

constexpr llvm::CodeGenOptLevel codegen_levels[] = {llvm::CodeGenOptLevel::None, llvm::CodeGenOptLevel::Less,
                                                    llvm::CodeGenOptLevel::Default, llvm::CodeGenOptLevel::Aggressive};

void check_options(const twinir_compile_options& options) {
  if (options.opt_level > 3)
    refuse(Code::bad_usage, "optimisation level " + std::to_string(options.opt_level), "0 to 3", "choose one of them");
  if (options.output < TWINIR_CODE_OBJECT || options.output > TWINIR_OPTIMISED_IR)
    refuse(Code::bad_usage, "output " + std::to_string(options.output), "a value of twinir_output", "choose one of them");
}

void optimise(llvm::Module& module, llvm::TargetMachine& machine, std::uint32_t level) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager calls;
  llvm::ModuleAnalysisManager modules;
  const auto builder = compat::create_pass_builder(module.getContext(), machine);
  builder->registerModuleAnalyses(modules);
  builder->registerCGSCCAnalyses(calls);
  builder->registerFunctionAnalyses(functions);
  builder->registerLoopAnalyses(loops);
  builder->crossRegisterProxies(loops, functions, calls, modules);
  using Level = llvm::OptimizationLevel;
  const Level levels[] = {Level::O0, Level::O1, Level::O2, Level::O3};
  auto passes = level == 0 ? builder->buildO0DefaultPipeline(Level::O0)
                           : builder->buildPerModuleDefaultPipeline(levels[level]);
  passes.run(module, modules);
}

std::string generate(llvm::Module& module, llvm::TargetMachine& machine, bool assembly) {
  llvm::SmallString<0> bytes;
  llvm::raw_svector_ostream out(bytes);
  llvm::legacy::PassManager passes;
  machine.Options.MCOptions.AsmVerbose = assembly; // registers, LDS and occupancy as comments
  const auto kind = assembly ? llvm::CodeGenFileType::AssemblyFile : llvm::CodeGenFileType::ObjectFile;
  if (machine.addPassesToEmitFile(passes, out, nullptr, kind)) throw InternalError("this LLVM cannot emit such a file");
  passes.run(module);
  return std::string(bytes);
}

void check_errors(const std::string& errors) {
  if (!errors.empty())
    refuse(Code::codegen_failed, "LLVM says: " + errors, "code that " + flavor_name() + " can generate", "change the kernel, or use another flavor");
}

void check_arch(const Json& report, const Target& target) {
  const auto arch = report.at("arch").get<std::string>();
  if (arch != target.name)
    refuse(Code::wrong_arch, "a code object for '" + arch + "'", "one for '" + std::string(target.name) + "'", "report this with the kernel JSON");
}

/// Links and inspects what code generation made.
Compiled finish_code_object(std::string_view object, const Target& target, bool counts, Times& times) {
  Compiled out;
  out.bytes = link_object(object);
  times.lap("link");
  out.report = inspect_object(out.bytes, counts);
  times.lap("inspect");
  check_arch(out.report, target);
  return out;
}

/// The stages, each timed; when it returns, what LLVM has built is freed.
Compiled run_stages(std::string_view text, const Target& target, const twinir_compile_options& options,
                    Times& times) {
  std::string errors;
  llvm::LLVMContext context;
  context.setDiagnosticHandler(std::make_unique<Diagnostics>(errors));
  const auto module = parse_text(text, context);
  refuse_unsafe(*module, target);
  times.lap("parse");
  const bool reprints = options.reprint != 0 && print_text(*module, text.size()) == text;
  times.lap("print");
  const auto machine = compat::create_machine(amdgpu_backend(), compat::triple(target.name), llvm::StringRef(target.name),
                                              codegen_levels[options.opt_level]);
  optimise(*module, *machine, options.opt_level);
  check_errors(errors);
  times.lap("optimise");
  Compiled out;
  if (options.output == TWINIR_OPTIMISED_IR) {
    out.bytes = compat::print(*module);
  } else {
    out.bytes = generate(*module, *machine, options.output == TWINIR_ASSEMBLY);
    check_errors(errors);
    times.lap("codegen");
  }
  if (options.output == TWINIR_CODE_OBJECT)
    out = finish_code_object(out.bytes, target, options.counts != 0, times);
  else out.report["bytes"] = out.bytes.size();
  if (options.reprint != 0) out.report["reprints"] = reprints;
  return out;
}

} // namespace

Compiled compile_text(std::string_view text, const twinir_compile_options& options) {
  Times times;
  check_options(options);
  const auto& target = usable_target(options.target == nullptr ? "" : options.target);
  auto out = run_stages(text, target, options, times);
  times.lap("free");
  out.report["ms"] = times.finish();
  return out;
}

} // namespace twinir
