// SPDX-License-Identifier: MIT
// Addresses, loads and stores, buffer resources and fences.
#include "dsl/error.hpp"
#include "emit/cpp/handlers.hpp"

namespace twinir::handlers {
namespace {

llvm::Align alignment(const Stmt& s) { return llvm::Align(static_cast<std::uint64_t>(s.value("align"))); }

/// Attaches what the flags `invariant` and `nontemporal` promise.
void set_hints(Emitter& e, llvm::Instruction& access, const Stmt& s) {
  auto& context = e.context();
  if (s.has("invariant")) access.setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context, {}));
  if (s.has("nontemporal"))
    access.setMetadata(llvm::LLVMContext::MD_nontemporal,
                       llvm::MDNode::get(context, llvm::ConstantAsMetadata::get(e.builder().getInt32(1))));
}

llvm::AtomicOrdering ordering(const std::string& word) {
  if (word == "acquire") return llvm::AtomicOrdering::Acquire;
  if (word == "release") return llvm::AtomicOrdering::Release;
  if (word == "acq_rel") return llvm::AtomicOrdering::AcquireRelease;
  throw InternalError("no order '" + word + "'");
}

llvm::SyncScope::ID scope(Emitter& e, const std::string& word) {
  return word == "system" ? llvm::SyncScope::ID{llvm::SyncScope::System} : e.context().getOrInsertSyncScopeID(word);
}

} // namespace

void gep(Emitter& e, const Stmt& s) {
  auto* base = e.arg(s, 0);
  auto* address = llvm::GetElementPtrInst::Create(e.type(s.element), base, {e.arg(s, 1)});
  if (s.has("inbounds")) address->setIsInBounds(true);
  e.insert(address, s.name);
}

void load(Emitter& e, const Stmt& s) {
  auto* access = new llvm::LoadInst(e.type(s.type), e.arg(s, 0), "", false, alignment(s));
  e.insert(access, s.name);
  set_hints(e, *access, s);
}

void store(Emitter& e, const Stmt& s) {
  auto* value = e.arg(s, 0);
  auto* access = new llvm::StoreInst(value, e.arg(s, 1), false, alignment(s));
  e.insert(access, {});
  set_hints(e, *access, s);
}

/// make.buffer.rsrc(base, stride 0, number of records, flags).
void rsrc(Emitter& e, const Stmt& s) {
  auto& b = e.builder();
  auto* base = e.arg(s, 0);
  auto* records = e.arg(s, 1);
  if (compat::rsrc_counts_in_i64) {
    auto* wide = llvm::CastInst::Create(llvm::Instruction::ZExt, records, b.getInt64Ty());
    e.insert(wide, s.name + ".n");
    records = wide;
  }
  auto* function = e.declaration(s, *find_intrinsic(s.op));
  auto* flags = b.getInt32(static_cast<std::uint32_t>(s.value("flags")));
  e.insert(llvm::CallInst::Create(function, {base, b.getInt16(0), records, flags}), s.name);
}

void fence(Emitter& e, const Stmt& s) {
  e.insert(new llvm::FenceInst(e.context(), ordering(s.word("order")), scope(e, s.word("scope"))), {});
}

} // namespace twinir::handlers
