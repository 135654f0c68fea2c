// SPDX-License-Identifier: MIT
// Fibers: suspending a work-item in the middle of its code, about 5 ns a switch.
#pragma once
// x86-64 System V only, as the generated code is. Frames of a fiber that never resumes are simply forgotten:
// nothing on a fiber's stack may own anything across a switch.
#include <cstddef>
#include <cstdint>

#include "runtime/host/context.hpp"

namespace twinir::exec {

extern "C" {
/// Saves the running stack's place in *save and continues at `to`.
void twinir_fiber_switch(void** save, void* to);
/// First instructions of a fiber: calls entry(lane), which must not return.
void twinir_fiber_entry();
}

/// Lays out a fresh stack so that a switch to the returned place calls entry(lane).
[[nodiscard]] void* prepare_fiber(void* stack_top, void (*entry)(LaneContext*), LaneContext* lane);

/// Address space for the stacks of one group's items; pages appear when touched.
class FiberStacks {
public:
  FiberStacks() = default;
  FiberStacks(const FiberStacks&) = delete;
  FiberStacks& operator=(const FiberStacks&) = delete;
  ~FiberStacks();

  /// Provides `count` stacks of at least `bytes`; throws Refusal (TIR5011).
  void reserve(std::size_t count, std::size_t bytes);
  /// The top of stack `index`, 64-byte aligned and staggered, so that stacks do not share cache sets.
  [[nodiscard]] void* top(std::size_t index) const;
  /// Drops what earlier fibers left: for the address sanitizer, which marks the frames of fibers that never
  /// returned.
  void forget_frames() const;

private:
  std::uint8_t* base_ = nullptr;
  std::size_t count_ = 0;
  std::size_t stride_ = 0;
};

} // namespace twinir::exec
