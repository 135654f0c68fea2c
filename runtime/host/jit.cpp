// SPDX-License-Identifier: MIT
#include "runtime/host/jit.hpp"

#include <mutex>

#include "runtime/host/entry_points.hpp"
#include "runtime/host/refusal.hpp"

namespace twinir::exec {

using namespace llvm;

namespace {

[[noreturn]] void refuse(Error error) {
  throw Refusal{ExecCode::codegen_failed, toString(std::move(error)), "code for the host",
                "report this kernel"};
}

template <class Value> Value need(Expected<Value> value) {
  if (!value) refuse(value.takeError());
  return std::move(*value);
}

// Native bf16 instructions flush subnormals; the model below has none and every result is computed as
// lowered.
orc::JITTargetMachineBuilder machine_builder() {
  static std::once_flag once;
  std::call_once(once, [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
  });
  if (__builtin_cpu_supports("x86-64-v3") == 0)
    throw Refusal{ExecCode::unsupported, "a processor without AVX2, FMA and F16C", "x86-64-v3",
                  "run the host executor on a newer processor"};
  orc::JITTargetMachineBuilder builder{Triple("x86_64-unknown-linux-gnu")};
  builder.setCPU("x86-64-v3");
#if LLVM_VERSION_MAJOR < 24 // later versions fuse by the instructions' flags alone, and those are stripped
  builder.getOptions().AllowFPOpFusion = FPOpFusion::Strict;
#endif
  return builder;
}

OptimizationLevel level_of(unsigned level) {
  const OptimizationLevel levels[] = {OptimizationLevel::O0, OptimizationLevel::O1, OptimizationLevel::O2,
                                      OptimizationLevel::O3};
  return levels[std::min(level, 3u)];
}

// What the code generator says: the frame's size comes as the diagnostic of a stack limit of 0 bytes.
struct Notes {
  std::uint64_t frame = 0;
  std::string errors;
};

void take_note(const DiagnosticInfo* info, void* user) {
  auto& notes = *static_cast<Notes*>(user);
  if (const auto* frame = dyn_cast<DiagnosticInfoStackSize>(info)) {
    notes.frame = std::max<std::uint64_t>(notes.frame, frame->getStackSize());
  } else if (info->getSeverity() == DS_Error) {
    raw_string_ostream stream(notes.errors);
    DiagnosticPrinterRawOStream printer(stream);
    info->print(printer);
  }
}

orc::SymbolMap runtime_symbols(orc::LLJIT& jit) {
  orc::SymbolMap symbols;
  for (const EntryPoint& entry : entry_points())
    symbols[jit.mangleAndIntern(StringRef(entry.name.data(), entry.name.size()))] = {
        orc::ExecutorAddr::fromPtr(entry.address), JITSymbolFlags::Exported | JITSymbolFlags::Callable};
  return symbols;
}

// Names that the code generator calls and the executor does not have.
void keep_errors(orc::LLJIT& jit, std::string& errors) {
  jit.getExecutionSession().setErrorReporter(
      [&errors](Error error) { errors += toString(std::move(error)); });
}

KernelFunction find_entry(orc::LLJIT& jit, const Notes& notes) {
  Expected<orc::ExecutorAddr> entry = jit.lookup("twinir.run");
  if (entry && notes.errors.empty()) return entry->toPtr<KernelFunction>();
  std::string reason = notes.errors;
  if (!entry) {
    const std::string last = toString(entry.takeError());
    if (reason.empty()) reason = last;
  }
  if (StringRef(reason).starts_with("Symbols not found")) refuse_unsupported(reason);
  throw Refusal{ExecCode::codegen_failed, reason, "code for the host", "report this kernel"};
}

void find_constants(orc::LLJIT& jit, KernelImage& image) {
  for (ConstantRegion& region : image.constants) region.address = need(jit.lookup(region.name)).getValue();
}

} // namespace

std::unique_ptr<TargetMachine> host_machine() { return need(machine_builder().createTargetMachine()); }

void run_pipeline(Module& module, TargetMachine* machine,
                  function_ref<ModulePassManager(PassBuilder&)> make) {
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = false;
  tuning.SLPVectorization = false;
  LoopAnalysisManager loops; // the managers are destroyed in the reverse order
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager graphs;
  ModuleAnalysisManager modules;
#if LLVM_VERSION_MAJOR < 24
  PassBuilder passes(machine, tuning);
#else
  PassBuilder passes(module.getContext(), machine, tuning);
#endif
  passes.registerModuleAnalyses(modules);
  passes.registerCGSCCAnalyses(graphs);
  passes.registerFunctionAnalyses(functions);
  passes.registerLoopAnalyses(loops);
  passes.crossRegisterProxies(loops, functions, graphs, modules);
  make(passes).run(module, modules);
}

void optimise(Module& module, TargetMachine& machine, unsigned level) {
  run_pipeline(module, &machine, [level](PassBuilder& passes) {
    return level == 0 ? passes.buildO0DefaultPipeline(OptimizationLevel::O0)
                      : passes.buildPerModuleDefaultPipeline(level_of(level));
  });
}

std::unique_ptr<orc::LLJIT> compile(std::unique_ptr<Module> module, std::unique_ptr<LLVMContext> context,
                                    KernelImage& image) {
  Notes notes;
  context->setDiagnosticHandlerCallBack(&take_note, &notes);
  auto jit = need(orc::LLJITBuilder()
                      .setJITTargetMachineBuilder(machine_builder())
                      .setLinkProcessSymbolsByDefault(false)
                      .setPlatformSetUp(orc::setUpInactivePlatform)
                      .create());
  if (Error error = jit->getMainJITDylib().define(orc::absoluteSymbols(runtime_symbols(*jit))))
    refuse(std::move(error));
  if (Error error = jit->addIRModule(orc::ThreadSafeModule(std::move(module), std::move(context))))
    refuse(std::move(error));
  keep_errors(*jit, notes.errors);
  image.run = find_entry(*jit, notes);
  image.stack_bytes = notes.frame;
  find_constants(*jit, image);
  jit->getExecutionSession().setErrorReporter(consumeError);
  return jit;
}

} // namespace twinir::exec
