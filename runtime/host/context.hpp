// SPDX-License-Identifier: MIT
// What the compiled kernel and the run time share: the context of one work-item.
#pragma once
// The first fields are read by generated code at fixed offsets (asserted below and used by lower.cpp); they
// do not change while the item runs. Everything after `worker` belongs to the scheduler.
#include <cstddef>
#include <cstdint>

namespace twinir::exec {

class Worker;

/// Why a work-item is not running.
enum class LaneState : std::uint8_t { ready, collective, barrier, done };

/// Operations that need several lanes of a wave at once.
enum class WaveOp : std::uint32_t {
  read_first,
  read_lane,
  ballot,
  permute,
  dpp,
  wave_barrier,
  async_wait,
  load_lds,
  meet, ///< nothing but that the lanes wait for each other
#define TWINIR_MATRIX_OP(name, kind, layout) name,
#include "runtime/host/matrix_byte_ops.def"
#include "runtime/host/matrix_ops.def"
#undef TWINIR_MATRIX_OP
  count,
};

/// One work-item: its ids, where its memory lies, and what it waits for.
struct LaneContext {
  std::uint32_t item[3];  ///< workitem.id
  std::uint32_t group[3]; ///< workgroup.id
  std::uint32_t lane;     ///< lane in the wave
  std::uint32_t flat;     ///< item in the group
  std::uint8_t* lds;      ///< the group's LDS block, below 2 GiB
  const std::uint8_t* kernarg;
  const std::uint8_t* implicit; ///< hidden arguments
  Worker* worker;

  void* stack_pointer;    ///< of the suspended fiber
  void* stack_top;        ///< where the fiber starts
  const void* input;      ///< operands of the collective
  void* output;           ///< its result
  std::uint32_t site;     ///< where the item waits
  std::uint32_t position; ///< in its wave's order
  std::uint32_t signals;  ///< barrier phases this item has arrived at
  std::uint32_t waits;    ///< barrier phases this item has passed
  WaveOp operation;
  LaneState state;
};

static_assert(offsetof(LaneContext, group) == 12 && offsetof(LaneContext, lane) == 24);
static_assert(offsetof(LaneContext, lds) == 32 && offsetof(LaneContext, worker) == 56);

/// Operands of the collectives that move one value of at most 64 bits a lane.
struct WaveOperands {
  std::uint64_t value;   ///< this lane's value
  std::uint64_t other;   ///< lane index, byte address, LDS base or the value that stays
  std::uint64_t
      control; ///< load_lds: bytes; dpp: control | row mask << 16 | bank mask << 20 | bound control << 24
};

/// Operands of a matrix multiply: up to 32 bytes of A and of B, and up to 16 sums a lane.
struct alignas(32) MatrixOperands {
  std::uint16_t a[16];
  std::uint16_t b[16];
  float c[16];                ///< the bits of i32 in products of integers
  std::uint32_t is_signed[2]; ///< of A and B, in products of integers
};
static_assert(sizeof(MatrixOperands) == 160);

/// An entry point of a compiled kernel.
using KernelFunction = void (*)(const void* kernarg, LaneContext* lane);

} // namespace twinir::exec
