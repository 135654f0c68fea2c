// SPDX-License-Identifier: MIT
// Structured control flow (clause C8): terminators are made in the order of the text, which decides '; preds ='.
#include "emit/cpp/handlers.hpp"

namespace twinir::handlers {
namespace {

/// A phi that is named and placed; its values come later.
llvm::PHINode* make_phi(Emitter& e, llvm::Type* type, const std::string& name) {
  auto* phi = llvm::PHINode::Create(type, 2);
  e.insert(phi, name);
  return phi;
}

/// Builds one branch of an `if` and returns the block that leaves it.
llvm::BasicBlock* arm(Emitter& e, llvm::BasicBlock* start, const std::vector<Stmt>& body, llvm::BasicBlock* end) {
  e.enter(start);
  e.statements(body);
  auto* last = e.builder().GetInsertBlock();
  e.builder().CreateBr(end);
  return last;
}

void forbid_unrolling(Emitter& e, llvm::Instruction& latch) {
  auto& context = e.context();
  auto* word = llvm::MDNode::get(context, llvm::MDString::get(context, "llvm.loop.unroll.disable"));
  auto* node = llvm::MDNode::getDistinct(context, {nullptr, word});
  node->replaceOperandWith(0, node);
  latch.setMetadata(llvm::LLVMContext::MD_loop, node);
}

} // namespace

void branch(Emitter& e, const Stmt& s) {
  auto* then = e.block(s.name + ".then");
  auto* otherwise = s.has_else ? e.block(s.name + ".else") : nullptr;
  auto* end = e.block(s.name + ".end");
  auto* before = e.builder().GetInsertBlock();
  e.builder().CreateCondBr(e.arg(s, 0), then, otherwise != nullptr ? otherwise : end);
  auto* from_then = arm(e, then, s.body, end);
  auto* from_else = otherwise != nullptr ? arm(e, otherwise, s.otherwise, end) : before;
  e.enter(end);
  for (const auto& result : s.results) {
    auto* phi = make_phi(e, e.type(result.type), result.name);
    phi->addIncoming(e.value(result.then_value), from_then);
    phi->addIncoming(e.value(result.else_value), from_else);
  }
}

/// A branch around a trap; its labels carry the assertion's name.
void assertion(Emitter& e, const Stmt& s) {
  auto* fail = e.block(s.name + ".fail");
  auto* end = e.block(s.name + ".end");
  e.builder().CreateCondBr(e.arg(s, 0), end, fail);
  e.enter(fail);
  e.insert(llvm::CallInst::Create(e.declaration(s, *find_intrinsic(Op::trap))), {});
  e.builder().CreateBr(end);
  e.enter(end);
}

void loop(Emitter& e, const Stmt& s) {
  auto& b = e.builder();
  auto* before = b.GetInsertBlock();
  auto* head = e.block(s.name + ".head");
  auto* body = e.block(s.name + ".body");
  auto* end = e.block(s.name + ".end");
  b.CreateBr(head);
  e.enter(head);
  std::vector<llvm::PHINode*> phis;
  for (const auto& carried : s.carry) {
    phis.push_back(make_phi(e, e.type(carried.init.type), carried.name));
    phis.back()->addIncoming(e.value(carried.init), before);
  }
  auto* again = new llvm::ICmpInst(llvm::CmpInst::ICMP_SLT, phis[0], e.arg(s, 1));
  e.insert(again, s.name + ".cond");
  b.CreateCondBr(again, body, end);
  e.enter(body);
  e.statements(s.body);
  auto* next = llvm::BinaryOperator::Create(llvm::Instruction::Add, phis[0], e.arg(s, 2));
  e.insert(next, s.carry[0].name + ".next");
  auto* latch = b.CreateBr(head);
  if (s.has("nounroll")) forbid_unrolling(e, *latch);
  phis[0]->addIncoming(next, latch->getParent());
  for (std::size_t i = 1; i < phis.size(); ++i) phis[i]->addIncoming(e.value(s.carry[i].next), latch->getParent());
  e.enter(end);
}

} // namespace twinir::handlers
