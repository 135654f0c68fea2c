// SPDX-License-Identifier: MIT
// Fibers: the switch itself, and the stacks.
#include "runtime/host/fiber.hpp"

#include <sys/mman.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

#include "runtime/host/refusal.hpp"

// Callee-saved registers go to the old stack; the new stack's come back. A fresh stack holds zeros, the lane
// in rbx and the entry function in r12.
asm(R"(
  .text
  .hidden twinir_fiber_switch
  .globl twinir_fiber_switch
  .type twinir_fiber_switch, @function
twinir_fiber_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  retq
  .size twinir_fiber_switch, .-twinir_fiber_switch

  .hidden twinir_fiber_entry
  .globl twinir_fiber_entry
  .type twinir_fiber_entry, @function
twinir_fiber_entry:
  movq %rbx, %rdi
  callq *%r12
  ud2
  .size twinir_fiber_entry, .-twinir_fiber_entry
)");

namespace twinir::exec {

void* prepare_fiber(void* stack_top, void (*entry)(LaneContext*), LaneContext* lane) {
  auto** slot = static_cast<void**>(stack_top);
  *--slot = nullptr; // end of the call chain
  *--slot = nullptr; // keeps the stack 16-byte aligned at the call in twinir_fiber_entry
  *--slot = reinterpret_cast<void*>(&twinir_fiber_entry);
  *--slot = nullptr;                             // rbp
  *--slot = lane;                                // rbx
  *--slot = reinterpret_cast<void*>(entry);      // r12
  for (int i = 0; i < 3; ++i) *--slot = nullptr; // r13, r14, r15
  return slot;
}

FiberStacks::~FiberStacks() {
  if (base_ != nullptr) munmap(base_, count_ * stride_);
}

void FiberStacks::reserve(std::size_t count, std::size_t bytes) {
  const std::size_t stride = (bytes + 0xffff) & ~std::size_t{0xffff};
  if (count <= count_ && stride <= stride_) return;
  if (base_ != nullptr) munmap(base_, count_ * stride_);
  base_ = nullptr;
  void* memory = mmap(nullptr, count * stride, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED)
    throw Refusal{ExecCode::out_of_memory, "no address space for work-item stacks",
                  std::to_string(count * stride) + " bytes", "use fewer threads"};
  base_ = static_cast<std::uint8_t*>(memory);
  count_ = count;
  stride_ = stride;
}

void FiberStacks::forget_frames() const {
#if defined(__SANITIZE_ADDRESS__)
  __asan_unpoison_memory_region(base_, count_ * stride_);
#endif
}

void* FiberStacks::top(std::size_t index) const {
  return base_ + (index + 1) * stride_ - 64 * (1 + index % 61);
}

} // namespace twinir::exec
