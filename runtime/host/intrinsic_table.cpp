// SPDX-License-Identifier: MIT
#include "runtime/host/intrinsic_table.hpp"

#include <map>

namespace twinir::exec {

using namespace llvm;

namespace {

constexpr StringLiteral foreign = "twinir.foreign.";
constexpr StringLiteral amdgcn = "llvm.amdgcn.";

using Table = std::map<StringRef, IntrinsicHandler>;

Table make_table() {
  Table table;
  for (const ArrayRef<IntrinsicEntry> group : {id_intrinsics(), wave_intrinsics(), sync_intrinsics(),
                                               buffer_intrinsics(), math_intrinsics(), matrix_intrinsics()})
    for (const IntrinsicEntry& entry : group) table.emplace(entry.name, entry.handler);
  return table;
}

// "i32", "f16", "bf16", "p1", "v8f32": a type as intrinsic names spell it.
bool is_type_suffix(StringRef part) {
  unsigned number = 0;
  if (part.consume_front("v") && part.consumeInteger(10, number)) return false;
  if (!part.consume_front("bf") && !part.consume_front("i") && !part.consume_front("f") &&
      !part.consume_front("p"))
    return false;
  return !part.empty() && all_of(part, [](char c) { return c >= '0' && c <= '9'; });
}

Instruction* replace(Lowering& lowering, CallInst& call, IntrinsicHandler handler) {
  IRBuilder<> builder(&call);
  Value* value = handler(lowering, call, builder);
  if (value != nullptr) {
    if (isa<Instruction>(value) && !value->hasName()) value->takeName(&call);
    call.replaceAllUsesWith(value);
  }
  Instruction* next = call.getNextNode();
  call.eraseFromParent();
  return next;
}

// Empty assembly that ties its one operand to its result is how emitters pin a value.
void lower_asm(CallInst& call) {
  if (call.arg_size() == 1 && call.getType() == call.getArgOperand(0)->getType())
    call.replaceAllUsesWith(call.getArgOperand(0));
  call.eraseFromParent();
}

// A group runs on one host thread, so only fences between groups mean anything here.
bool local_fence(const Instruction& instruction) {
  const auto* fence = dyn_cast<FenceInst>(&instruction);
  if (fence == nullptr) return false;
  SmallVector<StringRef> names;
  fence->getContext().getSyncScopeNames(names);
  const StringRef scope = names[fence->getSyncScopeID()];
  return scope.starts_with("workgroup") || scope.starts_with("wavefront") ||
         scope.starts_with("singlethread") || scope.starts_with("cluster");
}

// Reported; the item goes on, so that one run shows every failure and no barrier waits for it.
void lower_trap(Lowering& lowering, CallInst& call) {
  IRBuilder<> builder(&call);
  lowering.call(builder, "trap", builder.getVoidTy(), {lowering.site(call)});
  call.eraseFromParent();
}

void lower_call(Lowering& lowering, CallInst& call) {
  if (call.isInlineAsm()) return lower_asm(call);
  if (call.getIntrinsicID() == Intrinsic::trap) return lower_trap(lowering, call);
  StringRef name = call.getCalledFunction()->getName();
  if (!name.consume_front(amdgcn) && !name.consume_front(foreign)) return;
  if (const IntrinsicHandler handler = find_intrinsic(name)) replace(lowering, call, handler);
}

} // namespace

IntrinsicHandler find_intrinsic(StringRef name) {
  static const Table table = make_table();
  for (;;) {
    if (const auto found = table.find(name); found != table.end()) return found->second;
    const auto [head, tail] = name.rsplit('.');
    if (tail.empty() || !is_type_suffix(tail)) return nullptr;
    name = head;
  }
}

// LLVM 22 has two i1 operands for negation in front of A and B; later versions do not.
void rename_foreign_forms(Module& module) {
  for (Function& function : make_early_inc_range(module)) {
    StringRef name = function.getName();
    if (!name.consume_front(amdgcn) || !name.starts_with("wmma.f32.16x16x32.")) continue;
    SmallVector<Type*> overloads;
    if (intrinsic_overloads(function.getIntrinsicID(), function.getFunctionType(), overloads)) continue;
    function.setAttributes(AttributeList()); // some are for intrinsics only
    function.setName(foreign + name);
  }
}

void lower_intrinsics(Lowering& lowering) {
  for (BasicBlock& block : *lowering.kernel)
    for (Instruction& instruction : make_early_inc_range(block)) {
      if (local_fence(instruction))
        instruction.eraseFromParent();
      else if (auto* call = dyn_cast<CallInst>(&instruction))
        lower_call(lowering, *call);
    }
}

} // namespace twinir::exec
