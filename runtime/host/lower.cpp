// SPDX-License-Identifier: MIT
#include "runtime/host/lower.hpp"

namespace twinir::exec {

using namespace llvm;

Lowering::Lowering(Module& m, Function& k, KernelImage& i)
    : module(m), context(m.getContext()), image(i), kernel(&k), i16(Type::getInt16Ty(context)),
      i32(Type::getInt32Ty(context)), i64(Type::getInt64Ty(context)), ptr(PointerType::get(context, 0)),
      f32(Type::getFloatTy(context)), f64(Type::getDoubleTy(context)) {}

namespace {

// Only instructions that can be reported need their text.
bool reportable(const Instruction& instruction) {
  return instruction.mayReadOrWriteMemory() || instruction.isShift() || isa<CallBase>(instruction) ||
         instruction.isIntDivRem() || isa<OverflowingBinaryOperator>(instruction) ||
         isa<FPToSIInst, FPToUIInst>(instruction);
}

std::string text_of(const Instruction& instruction, ModuleSlotTracker& slots) {
  std::string text = printed([&](raw_ostream& out) { instruction.print(out, slots); });
  return StringRef(text).trim().str();
}

// A trap in a block "<name>.fail" with one way into it is an assertion (docs/ir_text_contract.md, clause
// C19); what is reported is the branch, which has its name and its condition.
const Instruction* branch_to_assertion(const Instruction& instruction) {
  const auto* trap = dyn_cast<IntrinsicInst>(&instruction);
  if (trap == nullptr || trap->getIntrinsicID() != Intrinsic::trap) return nullptr;
  const BasicBlock* before = trap->getParent()->getSinglePredecessor();
  return before != nullptr && trap->getParent()->getName().ends_with(".fail") ? before->getTerminator()
                                                                              : nullptr;
}

} // namespace

void Lowering::number_sites() {
  ModuleSlotTracker slots(&module);
  slots.incorporateFunction(*kernel);
  std::uint32_t ordinal = 0;
  for (const Instruction& instruction : instructions(*kernel)) {
    ordinals_[&instruction] = ordinal;
    const Instruction* branch = branch_to_assertion(instruction);
    if (branch != nullptr)
      image.sites.name_assertion(ordinal, instruction.getParent()->getName().drop_back(5).str());
    if (reportable(instruction))
      image.sites.add(ordinal, text_of(branch != nullptr ? *branch : instruction, slots));
    ++ordinal;
  }
}

ConstantInt* Lowering::site(const Instruction& instruction) const {
  const auto found = ordinals_.find(&instruction);
  return ConstantInt::get(i32, found == ordinals_.end() ? no_site : found->second);
}

void Lowering::same_site(const Instruction& original, const Instruction& replacement) {
  const auto found = ordinals_.find(&original);
  if (found == ordinals_.end()) return;
  const std::uint32_t ordinal = found->second;
  ordinals_[&replacement] = ordinal;
}

void Lowering::add_context_parameter() {
  SmallVector<Type*> types;
  for (const Argument& argument : kernel->args()) types.push_back(argument.getType());
  types.push_back(ptr);
  auto* type = FunctionType::get(Type::getVoidTy(context), types, false);
  auto* body = Function::Create(type, GlobalValue::InternalLinkage, "twinir.body", module);
  body->splice(body->begin(), kernel);
  for (unsigned i = 0; i < kernel->arg_size(); ++i) {
    Argument* old = kernel->getArg(i);
    body->getArg(i)->takeName(old);
    // Checked code hands pointers to the run time, which an aliasing promise would not allow.
    if (!image.checked && old->hasNoAliasAttr()) body->addParamAttr(i, Attribute::NoAlias);
    if (old->hasByRefAttr()) by_reference.insert(i);
    old->replaceAllUsesWith(body->getArg(i));
  }
  std::prev(body->arg_end())->setName("twinir.lane");
  body->addFnAttr(Attribute::NoUnwind);
  body->addFnAttr("prefer-vector-width", "256");
  kernel->eraseFromParent();
  kernel = body;
}

Value* Lowering::lane_field(unsigned offset, Type* type) {
  Value*& field = fields_[{offset, type}];
  if (field != nullptr) return field;
  IRBuilder<> builder(&*kernel->getEntryBlock().getFirstInsertionPt());
  LoadInst* load =
      builder.CreateLoad(type, builder.CreateConstInBoundsGEP1_32(builder.getInt8Ty(), lane(), offset));
  load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context, {}));
  return field = load;
}

CallInst* Lowering::call(IRBuilder<>& builder, StringRef name, Type* result, ArrayRef<Value*> arguments) {
  SmallVector<Value*> all{lane()};
  all.append(arguments.begin(), arguments.end());
  SmallVector<Type*> types;
  for (const Value* argument : all) types.push_back(argument->getType());
  const FunctionCallee callee =
      module.getOrInsertFunction(("twinir." + name).str(), FunctionType::get(result, types, false));
  CallInst* call = builder.CreateCall(callee, all);
  call->setDoesNotThrow();
  call->setConvergent();
  return call;
}

AllocaInst* Lowering::frame_slot(Type* type, StringRef role) {
  AllocaInst*& slot = slots_[{type, role.str()}];
  if (slot == nullptr) {
    IRBuilder<> builder(&*kernel->getEntryBlock().getFirstInsertionPt());
    slot = builder.CreateAlloca(type, nullptr, "twinir." + role);
    slot->setAlignment(Align(32));
  }
  return slot;
}

} // namespace twinir::exec
