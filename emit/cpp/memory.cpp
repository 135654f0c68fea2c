// SPDX-License-Identifier: MIT
// Addresses, loads and stores, and buffer resources.
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

} // namespace twinir::handlers
