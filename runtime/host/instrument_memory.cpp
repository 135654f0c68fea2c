// SPDX-License-Identifier: MIT
// Checked mode: every load, store and atomic outside the item's own stack goes through a check.
#include "runtime/host/lds_shadow.hpp"
#include "runtime/host/lower.hpp"

namespace twinir::exec {

using namespace llvm;

namespace {

constexpr unsigned lds_space = 3;
constexpr unsigned stack_space = 5;

struct MemoryAccess {
  unsigned operand; ///< index of the pointer
  Type* type;
  Align align;
  Access kind;
};

bool is_shared(const Value* pointer) {
  const unsigned space = pointer->getType()->getPointerAddressSpace();
  return space != stack_space && space != 0;
}

std::optional<MemoryAccess> access_of(const Instruction& instruction) {
  if (const auto* load = dyn_cast<LoadInst>(&instruction))
    return MemoryAccess{0, load->getType(), load->getAlign(),
                        load->isAtomic() ? Access::atomic : Access::load};
  if (const auto* store = dyn_cast<StoreInst>(&instruction))
    return MemoryAccess{1, store->getValueOperand()->getType(), store->getAlign(),
                        store->isAtomic() ? Access::atomic : Access::store};
  if (const auto* update = dyn_cast<AtomicRMWInst>(&instruction))
    return MemoryAccess{0, update->getType(), update->getAlign(), Access::atomic};
  if (const auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return MemoryAccess{0, exchange->getNewValOperand()->getType(), exchange->getAlign(), Access::atomic};
  return std::nullopt;
}

Value* checked_pointer(Lowering& lowering, IRBuilder<>& builder, const Instruction& instruction,
                       Value* pointer, Value* bytes, Align align, Access kind) {
  const bool lds = pointer->getType()->getPointerAddressSpace() == lds_space;
  Value* access = builder.getInt32(static_cast<unsigned>(kind) | Log2(align) << 8);
  return lowering.call(builder, lds ? "check_lds" : "check_global", lowering.ptr,
                       {lowering.plain(builder, pointer), bytes, access, lowering.site(instruction)});
}

// Races are tracked by two bytes unless single bytes are accessed.
void note_granule(KernelImage& image, const Value* pointer, std::uint64_t bytes) {
  if (pointer->getType()->getPointerAddressSpace() == lds_space && bytes % 2 != 0) image.lds_granule = 1;
}

void check_access(Lowering& lowering, Instruction& instruction, const MemoryAccess& access) {
  Value* pointer = instruction.getOperand(access.operand);
  if (!is_shared(pointer)) return;
  const std::uint64_t bytes = lowering.module.getDataLayout().getTypeStoreSize(access.type);
  note_granule(lowering.image, pointer, bytes);
  IRBuilder<> builder(&instruction);
  instruction.setOperand(access.operand, checked_pointer(lowering, builder, instruction, pointer,
                                                         builder.getInt64(bytes), access.align, access.kind));
}

// A refused range is not touched at all: its length becomes 0.
void check_range(Lowering& lowering, MemIntrinsic& call, unsigned operand, Access kind) {
  Value* pointer = call.getArgOperand(operand);
  if (!is_shared(pointer)) return;
  note_granule(lowering.image, pointer, 1);
  IRBuilder<> builder(&call);
  Value* bytes = builder.CreateZExtOrTrunc(call.getLength(), lowering.i64);
  Value* safe = checked_pointer(lowering, builder, call, pointer, bytes, Align(1), kind);
  Value* kept = builder.CreateICmpEQ(safe, lowering.plain(builder, pointer));
  call.setLength(
      builder.CreateSelect(kept, call.getLength(), Constant::getNullValue(call.getLength()->getType())));
}

} // namespace

void instrument_memory(Lowering& lowering) {
  SmallVector<Instruction*> all;
  for (Instruction& instruction : instructions(*lowering.kernel)) all.push_back(&instruction);
  for (Instruction* instruction : all) {
    if (const auto access = access_of(*instruction)) check_access(lowering, *instruction, *access);
    auto* range = dyn_cast<MemIntrinsic>(instruction);
    if (range == nullptr) continue;
    if (isa<MemTransferInst>(range)) check_range(lowering, *range, 1, Access::load);
    check_range(lowering, *range, 0, Access::store);
  }
}

} // namespace twinir::exec
