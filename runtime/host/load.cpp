// SPDX-License-Identifier: MIT
#include "runtime/host/load.hpp"

#include <chrono>

#include "runtime/host/intrinsic_table.hpp"
#include "runtime/host/jit.hpp"
#include "runtime/host/kernel_info.hpp"
#include "runtime/host/lower.hpp"
#include "runtime/host/refusal.hpp"

namespace twinir::exec {

using namespace llvm;

namespace {

// Milliseconds since the last lap.
class Stopwatch {
public:
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const double ms = std::chrono::duration<double, std::milli>(now - last_).count();
    last_ = now;
    return ms;
  }

private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

[[noreturn]] void refuse_text(std::string found) {
  throw Refusal{ExecCode::verify_failed, std::move(found), "IR that LLVM's parser and verifier accept",
                "correct the emitter"};
}

std::unique_ptr<Module> parse(std::string_view ir, LLVMContext& context) {
  SMDiagnostic diagnostic;
  const auto buffer = MemoryBuffer::getMemBufferCopy(StringRef(ir.data(), ir.size()), "kernel");
  std::unique_ptr<Module> module = parseAssembly(buffer->getMemBufferRef(), diagnostic, context);
  if (module == nullptr)
    refuse_text("line " + std::to_string(diagnostic.getLineNo()) + ": " + diagnostic.getMessage().str());
  if (!module->getTargetTriple().isAMDGCN())
    throw Refusal{ExecCode::unsupported, "target triple '" + module->getTargetTriple().str() + "'",
                  "amdgcn-amd-amdhsa", "pass IR for AMDGPU"};
  if (module->getDataLayoutStr().empty())
    module->setDataLayout(module->getTargetTriple().computeDataLayout());
  StripDebugInfo(*module);
  return module;
}

void verify(Module& module) {
  std::string text;
  raw_string_ostream out(text);
  if (verifyModule(module, &out)) refuse_text(StringRef(text).trim().str());
}

// Everything becomes one function; what cannot be inlined is refused by validate().
void inline_helpers(Module& module, Function& kernel) {
  bool any = false;
  for (Function& function : module) {
    if (&function == &kernel || function.isDeclaration()) continue;
    function.removeFnAttr(Attribute::NoInline);
    function.removeFnAttr(Attribute::OptimizeNone);
    function.addFnAttr(Attribute::AlwaysInline);
    function.setLinkage(GlobalValue::InternalLinkage);
    any = true;
  }
  if (!any) return;
  run_pipeline(module, nullptr, [](PassBuilder&) {
    ModulePassManager pipeline;
    pipeline.addPass(AlwaysInlinerPass(false));
    return pipeline;
  });
}

// Names under which compile() finds the module's tables.
void name_constants(Module& module, KernelImage& image) {
  for (GlobalVariable& global : module.globals()) {
    if (global.getName().starts_with("llvm.") || global.getAddressSpace() == 3) continue;
    const std::uint64_t size = module.getDataLayout().getTypeAllocSize(global.getValueType());
    global.setName("twinir.constant." + std::to_string(image.constants.size()));
    global.setLinkage(GlobalValue::ExternalLinkage);
    global.setVisibility(GlobalValue::DefaultVisibility);
    image.constants.push_back({global.getName().str(), 0, size});
  }
}

void forget_uses_lists(Module& module) {
  for (const StringRef name : {"llvm.used", "llvm.compiler.used", "llvm.global_ctors", "llvm.global_dtors"})
    if (GlobalVariable* global = module.getNamedGlobal(name)) global->eraseFromParent();
}

// void twinir.run(kernarg, lane): the arguments come from the bytes a launch on the device would pass.
void add_entry(Lowering& lowering) {
  Type* result = Type::getVoidTy(lowering.context);
  auto* entry = Function::Create(FunctionType::get(result, {lowering.ptr, lowering.ptr}, false),
                                 GlobalValue::ExternalLinkage, "twinir.run", lowering.module);
  IRBuilder<> builder(BasicBlock::Create(lowering.context, "", entry));
  SmallVector<Value*> arguments;
  for (unsigned i = 0; i < lowering.image.arguments.size(); ++i) {
    Value* place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), entry->getArg(0),
                                                      lowering.image.arguments[i].offset);
    Type* type = lowering.kernel->getArg(i)->getType();
    const bool by_reference = lowering.by_reference.contains(i);
    arguments.push_back(by_reference ? builder.CreateAddrSpaceCast(place, type)
                                     : builder.CreateAlignedLoad(type, place, Align(1)));
  }
  arguments.push_back(entry->getArg(1));
  builder.CreateCall(lowering.kernel, arguments);
  builder.CreateRetVoid();
  entry->addFnAttr(Attribute::NoUnwind);
  entry->addFnAttr("prefer-vector-width", "256");
  for (Function* function : {entry, lowering.kernel}) function->addFnAttr("warn-stack-size", "0");
}

void retarget(Lowering& lowering, const TargetMachine& machine) {
  lowering.module.setTargetTriple(machine.getTargetTriple());
  lowering.module.setDataLayout(machine.createDataLayout());
  for (NamedMDNode& node : make_early_inc_range(lowering.module.named_metadata()))
    lowering.module.eraseNamedMetadata(&node);
  lowering.add_context_parameter();
}

void lower(Module& module, KernelImage& image, const TargetMachine& machine) {
  rename_foreign_forms(module);
  verify(module);
  Function& kernel = only_kernel(module);
  describe_kernel(kernel, image);
  forget_uses_lists(module);
  inline_helpers(module, kernel);
  validate(module, kernel, machine.createDataLayout());
  const std::uint64_t limit = lds_limit(kernel);
  Lowering lowering(module, kernel, image);
  lowering.number_sites();
  place_lds(lowering);
  check_lds_size(image, limit);
  retarget(lowering, machine);
  strip_promises(lowering);
  lower_allocas(lowering);
  lower_lds(lowering);
  name_constants(module, image);
  if (image.checked) {
    instrument_poison(lowering);
    instrument_memory(lowering);
  }
  lower_atomics(lowering);
  lower_intrinsics(lowering);
  meet_in_loops(lowering);
  lower_floats(lowering);
  lower_traps(lowering);
  add_entry(lowering);
  verify(module);
}

} // namespace

std::unique_ptr<twinir_exec_kernel> load_kernel(std::string_view ir, const LoadOptions& options) {
  auto kernel = std::make_unique<twinir_exec_kernel>();
  KernelImage& image = kernel->image;
  image.checked = options.checked;
  Stopwatch watch;
  const std::unique_ptr<TargetMachine> machine = host_machine();
  auto context = std::make_unique<LLVMContext>();
  std::unique_ptr<Module> module = parse(ir, *context);
  image.times.parse = watch.lap();
  lower(*module, image, *machine);
  image.times.lower = watch.lap();
  optimise(*module, *machine, options.opt_level);
  image.times.optimise = watch.lap();
  kernel->jit = compile(std::move(module), std::move(context), image);
  image.times.codegen = watch.lap();
  return kernel;
}

} // namespace twinir::exec
