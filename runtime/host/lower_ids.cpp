// SPDX-License-Identifier: MIT
// Handlers: ids, kernel arguments, and scheduling hints that mean nothing here.
#include "runtime/host/intrinsic_table.hpp"

namespace twinir::exec {

using namespace llvm;

namespace {

template <unsigned Offset> Value* id(Lowering& lowering, CallInst&, IRBuilder<>&) {
  return lowering.lane_field(Offset, lowering.i32);
}

template <unsigned Offset> Value* pointer(Lowering& lowering, CallInst& call, IRBuilder<>& builder) {
  return builder.CreateAddrSpaceCast(lowering.lane_field(Offset, lowering.ptr), call.getType());
}

Value* wave_size(Lowering& lowering, CallInst&, IRBuilder<>&) {
  return ConstantInt::get(lowering.i32, lowering.image.wave);
}

// Bits of the mask below this lane, counted; the two halves cover lanes 0 to 31 and 32 to 63.
Value* count_below(Lowering& lowering, CallInst& call, IRBuilder<>& builder, unsigned first) {
  Value* lane =
      builder.CreateZExt(lowering.lane_field(offsetof(LaneContext, lane), lowering.i32), lowering.i64);
  Value* below = builder.CreateSub(builder.CreateShl(builder.getInt64(1), lane), builder.getInt64(1));
  Value* half = builder.CreateTrunc(builder.CreateLShr(below, std::uint64_t{first}), lowering.i32);
  Value* bits = builder.CreateAnd(call.getArgOperand(0), half);
  return builder.CreateAdd(builder.CreateUnaryIntrinsic(Intrinsic::ctpop, bits), call.getArgOperand(1));
}

Value* mbcnt_lo(Lowering& lowering, CallInst& call, IRBuilder<>& builder) {
  return count_below(lowering, call, builder, 0);
}

Value* mbcnt_hi(Lowering& lowering, CallInst& call, IRBuilder<>& builder) {
  return count_below(lowering, call, builder, 32);
}

Value* hint(Lowering&, CallInst&, IRBuilder<>&) { return nullptr; }

constexpr IntrinsicEntry entries[] = {
    {"workitem.id.x", id<offsetof(LaneContext, item)>},
    {"workitem.id.y", id<offsetof(LaneContext, item) + 4>},
    {"workitem.id.z", id<offsetof(LaneContext, item) + 8>},
    {"workgroup.id.x", id<offsetof(LaneContext, group)>},
    {"workgroup.id.y", id<offsetof(LaneContext, group) + 4>},
    {"workgroup.id.z", id<offsetof(LaneContext, group) + 8>},
    {"implicitarg.ptr", pointer<offsetof(LaneContext, implicit)>},
    {"kernarg.segment.ptr", pointer<offsetof(LaneContext, kernarg)>},
    {"wavefrontsize", wave_size},
    {"mbcnt.lo", mbcnt_lo},
    {"mbcnt.hi", mbcnt_hi},
    {"iglp.opt", hint},
    {"s.prefetch.data", hint},
    {"s.prefetch.inst", hint},
    {"s.setprio", hint},
    {"s.sleep", hint},
    {"s.wait.alu", hint},
    {"s.wait.bvhcnt", hint},
    {"s.wait.dscnt", hint},
    {"s.wait.expcnt", hint},
    {"s.wait.kmcnt", hint},
    {"s.wait.loadcnt", hint},
    {"s.wait.samplecnt", hint},
    {"s.wait.storecnt", hint},
    {"s.wait.tensorcnt", hint},
    {"sched.barrier", hint},
    {"sched.group.barrier", hint},
};

} // namespace

ArrayRef<IntrinsicEntry> id_intrinsics() { return entries; }

} // namespace twinir::exec
