// SPDX-License-Identifier: MIT
// Atomics and fences (clauses C14 and C18).
#include "dsl/error.hpp"
#include "emit/cpp/handlers.hpp"

#include <utility>

namespace twinir::handlers {
namespace {

using Rmw = llvm::AtomicRMWInst;

constexpr std::pair<Op, Rmw::BinOp> operations[] = {
    {Op::atomic_add, Rmw::Add},       {Op::atomic_sub, Rmw::Sub},   {Op::atomic_umin, Rmw::UMin},
    {Op::atomic_umax, Rmw::UMax},     {Op::atomic_smin, Rmw::Min},  {Op::atomic_smax, Rmw::Max},
    {Op::atomic_and, Rmw::And},       {Op::atomic_or, Rmw::Or},     {Op::atomic_xor, Rmw::Xor},
    {Op::atomic_exchange, Rmw::Xchg}, {Op::atomic_fadd, Rmw::FAdd}, {Op::atomic_fmin, Rmw::FMin},
    {Op::atomic_fmax, Rmw::FMax}};

Rmw::BinOp operation(Op op) {
  for (const auto& [key, code] : operations)
    if (key == op) return code;
  throw InternalError("no atomic operation for '" + std::string(info(op).name) + "'");
}

llvm::AtomicOrdering ordering(const std::string& word) {
  if (word == "monotonic") return llvm::AtomicOrdering::Monotonic;
  if (word == "acquire") return llvm::AtomicOrdering::Acquire;
  if (word == "release") return llvm::AtomicOrdering::Release;
  if (word == "acq_rel") return llvm::AtomicOrdering::AcquireRelease;
  throw InternalError("no order '" + word + "'");
}

llvm::SyncScope::ID scope(Emitter& e, const std::string& word) {
  return word == "system" ? llvm::SyncScope::ID{llvm::SyncScope::System}
                          : e.context().getOrInsertSyncScopeID(word);
}

llvm::Align natural(const Stmt& s) { return llvm::Align(s.type.bytes()); }

} // namespace

void fence(Emitter& e, const Stmt& s) {
  e.insert(new llvm::FenceInst(e.context(), ordering(s.word("order")), scope(e, s.word("scope"))), {});
}

void atomic(Emitter& e, const Stmt& s) {
  auto* pointer = e.arg(s, 0);
  auto* update = new Rmw(operation(s.op), pointer, e.arg(s, 1), natural(s), ordering(s.word("order")),
                         scope(e, s.word("scope")));
  e.insert(update, s.name);
  if (s.has("coarse"))
    update->setMetadata("amdgpu.no.fine.grained.memory", llvm::MDNode::get(e.context(), {}));
}

/// cmpxchg gives the old value and whether it was the expected one; the statement's result is the former.
void atomic_compare(Emitter& e, const Stmt& s) {
  const auto order = ordering(s.word("order"));
  auto* pointer = e.arg(s, 0);
  auto* expected = e.arg(s, 1);
  auto* pair = new llvm::AtomicCmpXchgInst(pointer, expected, e.arg(s, 2), natural(s), order,
                                           llvm::AtomicCmpXchgInst::getStrongestFailureOrdering(order),
                                           scope(e, s.word("scope")));
  e.insert(pair, s.name + ".pair");
  e.insert(llvm::ExtractValueInst::Create(pair, {0}), s.name);
}

} // namespace twinir::handlers
