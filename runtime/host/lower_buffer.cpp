// SPDX-License-Identifier: MIT
// Handlers: raw buffer resources, loads and stores.
#include "runtime/host/intrinsic_table.hpp"
#include "runtime/host/lds_shadow.hpp"
#include "runtime/host/refusal.hpp"

namespace twinir::exec {

using namespace llvm;

namespace {

// (base, i16 stride, records, i32 flags) -> ptr addrspace(8)
Value* make_resource(Lowering& lowering, CallInst& call, IRBuilder<>& builder) {
  const auto* stride = dyn_cast<ConstantInt>(call.getArgOperand(1));
  if (stride == nullptr || !stride->isZero())
    refuse_unsupported("llvm.amdgcn.make.buffer.rsrc with a stride");
  Value* base = builder.CreatePtrToInt(call.getArgOperand(0), lowering.i64);
  Value* records = builder.CreateZExtOrTrunc(call.getArgOperand(2), lowering.i64);
  Value* resource = lowering.call(builder, "resource", lowering.ptr, {base, records});
  return builder.CreateAddrSpaceCast(resource, call.getType());
}

Value* address(Lowering& lowering, CallInst& call, IRBuilder<>& builder, unsigned resource, Type* type,
               Access kind) {
  const std::uint64_t bytes = lowering.module.getDataLayout().getTypeStoreSize(type);
  return lowering.call(builder, "buffer", lowering.ptr,
                       {lowering.plain(builder, call.getArgOperand(resource)),
                        call.getArgOperand(resource + 1), call.getArgOperand(resource + 2),
                        builder.getInt32(static_cast<std::uint32_t>(bytes)),
                        builder.getInt32(static_cast<unsigned>(kind)), lowering.site(call)});
}

// (resource, i32 offset, i32 soffset, i32 aux)
Value* load(Lowering& lowering, CallInst& call, IRBuilder<>& builder) {
  Value* from = address(lowering, call, builder, 0, call.getType(), Access::load);
  return builder.CreateAlignedLoad(call.getType(), from, Align(1));
}

// (data, resource, i32 offset, i32 soffset, i32 aux)
Value* store(Lowering& lowering, CallInst& call, IRBuilder<>& builder) {
  Value* data = call.getArgOperand(0);
  Value* to = address(lowering, call, builder, 1, data->getType(), Access::store);
  builder.CreateAlignedStore(data, to, Align(1));
  return nullptr;
}

constexpr IntrinsicEntry entries[] = {
    {"make.buffer.rsrc", make_resource},
    {"raw.ptr.buffer.load", load},
    {"raw.ptr.buffer.store", store},
};

} // namespace

ArrayRef<IntrinsicEntry> buffer_intrinsics() { return entries; }

} // namespace twinir::exec
