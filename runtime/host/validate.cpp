// SPDX-License-Identifier: MIT
// Validation: refuses by name what the executor has no meaning for, before anything is changed.
#include "runtime/host/intrinsic_table.hpp"
#include "runtime/host/refusal.hpp"

namespace twinir::exec {

using namespace llvm;

namespace {

std::string text_of(const Value& value) {
  return StringRef(printed([&](raw_ostream& out) { value.print(out); })).trim().str();
}

[[noreturn]] void refuse(const Value& value, StringRef why) {
  refuse_unsupported((why + ": " + text_of(value)).str());
}

bool is_pointer_to(const Type* type, unsigned space) {
  return type->isPtrOrPtrVectorTy() && type->getPointerAddressSpace() == space;
}

// Whether both layouts agree on the size of a type and the places of its parts.
bool same_layout(Type* type, const DataLayout& device, const DataLayout& host) {
  if (!type->isSized()) return true;
  if (type->isScalableTy() || device.getTypeAllocSize(type) != host.getTypeAllocSize(type) ||
      device.getTypeStoreSize(type) != host.getTypeStoreSize(type))
    return false;
  if (auto* array = dyn_cast<ArrayType>(type)) return same_layout(array->getElementType(), device, host);
  auto* structure = dyn_cast<StructType>(type);
  if (structure == nullptr) return true;
  for (unsigned i = 0; i < structure->getNumElements(); ++i)
    if (device.getStructLayout(structure)->getElementOffset(i) !=
            host.getStructLayout(structure)->getElementOffset(i) ||
        !same_layout(structure->getElementType(i), device, host))
      return false;
  return true;
}

// The types whose layout an instruction depends on.
SmallVector<Type*, 2> memory_types(const Instruction& instruction) {
  if (const auto* load = dyn_cast<LoadInst>(&instruction)) return {load->getType()};
  if (const auto* store = dyn_cast<StoreInst>(&instruction)) return {store->getValueOperand()->getType()};
  if (const auto* gep = dyn_cast<GetElementPtrInst>(&instruction)) return {gep->getSourceElementType()};
  if (const auto* slot = dyn_cast<AllocaInst>(&instruction)) return {slot->getAllocatedType()};
  return {};
}

bool has_memory(unsigned space) { return space == 1 || space == 3 || space == 4 || space == 5; }

void check_pointers(const Instruction& instruction) {
  const Value* accessed = getLoadStorePointerOperand(&instruction);
  if (accessed != nullptr && !has_memory(accessed->getType()->getPointerAddressSpace()))
    refuse(instruction, "an access in an address space without meaning here");
  const auto* call = dyn_cast<CallBase>(&instruction);
  if (is_pointer_to(instruction.getType(), 0)) refuse(instruction, "a flat pointer");
  for (const Use& use : instruction.operands()) {
    if (call != nullptr && &use == &call->getCalledOperandUse()) continue;
    if (is_pointer_to(use->getType(), 0)) refuse(instruction, "a flat pointer");
    if (is_pointer_to(use->getType(), 7) || is_pointer_to(use->getType(), 9))
      refuse(instruction, "a buffer fat pointer");
  }
  const bool converts = isa<PtrToIntInst, IntToPtrInst>(instruction);
  for (unsigned space = 7; converts && space <= 9; ++space)
    if (is_pointer_to(instruction.getType(), space) ||
        is_pointer_to(instruction.getOperand(0)->getType(), space))
      refuse(instruction, "a buffer resource as an integer");
}

void check_asm(const CallBase& call) {
  const auto* text = cast<InlineAsm>(call.getCalledOperand());
  const StringRef constraints = text->getConstraintString();
  const bool nothing = call.arg_empty() && call.getType()->isVoidTy();
  const bool tied = call.arg_size() == 1 &&
                    (constraints.starts_with("=v,0") || constraints.starts_with("=s,0")) &&
                    call.getType() == call.getArgOperand(0)->getType();
  if (!text->getAsmString().empty() || !(nothing || tied)) refuse(call, "inline assembly");
}

// The generic intrinsics that have a meaning here; the code generator would end the process on some others.
bool known_generic(Intrinsic::ID id) {
  static const Intrinsic::ID known[] = {
      Intrinsic::abs,
      Intrinsic::assume,
      Intrinsic::bitreverse,
      Intrinsic::bswap,
      Intrinsic::canonicalize,
      Intrinsic::ceil,
      Intrinsic::copysign,
      Intrinsic::cos,
      Intrinsic::ctlz,
      Intrinsic::ctpop,
      Intrinsic::cttz,
      Intrinsic::donothing,
      Intrinsic::exp,
      Intrinsic::exp10,
      Intrinsic::exp2,
      Intrinsic::expect,
      Intrinsic::fabs,
      Intrinsic::floor,
      Intrinsic::fma,
      Intrinsic::fmuladd,
      Intrinsic::fptosi_sat,
      Intrinsic::fptoui_sat,
      Intrinsic::frexp,
      Intrinsic::fshl,
      Intrinsic::fshr,
      Intrinsic::invariant_end,
      Intrinsic::invariant_start,
      Intrinsic::is_fpclass,
      Intrinsic::ldexp,
      Intrinsic::lifetime_end,
      Intrinsic::lifetime_start,
      Intrinsic::log,
      Intrinsic::log10,
      Intrinsic::log2,
      Intrinsic::lrint,
      Intrinsic::maximum,
      Intrinsic::maximumnum,
      Intrinsic::maxnum,
      Intrinsic::memcpy,
      Intrinsic::memcpy_inline,
      Intrinsic::memmove,
      Intrinsic::memset,
      Intrinsic::minimum,
      Intrinsic::minimumnum,
      Intrinsic::minnum,
      Intrinsic::nearbyint,
      Intrinsic::experimental_noalias_scope_decl,
      Intrinsic::pow,
      Intrinsic::powi,
      Intrinsic::rint,
      Intrinsic::round,
      Intrinsic::roundeven,
      Intrinsic::sadd_sat,
      Intrinsic::sadd_with_overflow,
      Intrinsic::sideeffect,
      Intrinsic::sin,
      Intrinsic::smax,
      Intrinsic::smin,
      Intrinsic::smul_with_overflow,
      Intrinsic::sqrt,
      Intrinsic::sshl_sat,
      Intrinsic::ssub_sat,
      Intrinsic::ssub_with_overflow,
      Intrinsic::tan,
      Intrinsic::trap,
      Intrinsic::trunc,
      Intrinsic::uadd_sat,
      Intrinsic::uadd_with_overflow,
      Intrinsic::umax,
      Intrinsic::umin,
      Intrinsic::umul_with_overflow,
      Intrinsic::ushl_sat,
      Intrinsic::usub_sat,
      Intrinsic::usub_with_overflow,
      Intrinsic::vector_reduce_add,
      Intrinsic::vector_reduce_and,
      Intrinsic::vector_reduce_fadd,
      Intrinsic::vector_reduce_fmax,
      Intrinsic::vector_reduce_fmin,
      Intrinsic::vector_reduce_fmul,
      Intrinsic::vector_reduce_mul,
      Intrinsic::vector_reduce_or,
      Intrinsic::vector_reduce_smax,
      Intrinsic::vector_reduce_smin,
      Intrinsic::vector_reduce_umax,
      Intrinsic::vector_reduce_umin,
      Intrinsic::vector_reduce_xor,
  };
  return is_contained(known, id);
}

void check_call(const CallBase& call) {
  if (call.isInlineAsm()) return check_asm(call);
  const Function* callee = call.getCalledFunction();
  if (callee == nullptr) refuse(call, "an indirect call");
  const StringRef name = callee->getName();
  if (name.starts_with("twinir.foreign.")) return;
  if (!callee->isIntrinsic())
    refuse(call, callee->isDeclaration() ? "a call of an external function" : "recursion");
  const bool known = name.starts_with("llvm.amdgcn.") ? find_intrinsic(name.drop_front(12)) != nullptr
                                                      : known_generic(callee->getIntrinsicID());
  if (!known) refuse_unsupported(name.str());
}

void check_shape(const Instruction& instruction) {
  // Named by opcode: the class of branches is another one from LLVM 24 on.
  static const unsigned foreign[] = {Instruction::IndirectBr, Instruction::Invoke,   Instruction::CallBr,
                                     Instruction::Resume,     Instruction::CatchRet, Instruction::CatchSwitch,
                                     Instruction::CleanupRet};
  if (is_contained(foreign, instruction.getOpcode())) refuse(instruction, "control flow");
  const auto* slot = dyn_cast<AllocaInst>(&instruction);
  if (slot != nullptr && !slot->isStaticAlloca()) refuse(instruction, "a stack slot of variable size");
}

void check_global(const GlobalVariable& global) {
  if (global.getName().starts_with("llvm.")) return;
  const unsigned space = global.getAddressSpace();
  if (space == 3) {
    if (global.hasInitializer() && !isa<UndefValue>(global.getInitializer()))
      refuse(global, "an LDS array with initial values");
    return;
  }
  if (!global.hasInitializer()) refuse(global, "an external global");
  if (!global.isConstant()) refuse(global, "a global that is not constant");
}

void check_argument(const Argument& argument) {
  if (argument.getType()->isPointerTy() && argument.getType()->getPointerAddressSpace() != 1 &&
      argument.getType()->getPointerAddressSpace() != 4)
    refuse(argument, "a kernel argument that points to neither global nor constant memory");
}

} // namespace

void validate(const Module& module, const Function& kernel, const DataLayout& host) {
  for (const GlobalVariable& global : module.globals()) check_global(global);
  for (const Argument& argument : kernel.args()) check_argument(argument);
  for (const Instruction& instruction : instructions(kernel)) {
    check_shape(instruction);
    if (const auto* call = dyn_cast<CallBase>(&instruction)) check_call(*call);
    check_pointers(instruction);
    for (Type* type : memory_types(instruction))
      if (!same_layout(type, module.getDataLayout(), host))
        refuse(instruction, "a type with another layout on the host");
  }
}

} // namespace twinir::exec
