// SPDX-License-Identifier: MIT
// The scheduler of one group: waves of fibers, run until each waits or ends.
#include <cstdlib>

#include "runtime/host/wave_ops.hpp"
#include "runtime/host/worker.hpp"

namespace twinir::exec {

std::uint32_t Worker::wave_items(std::uint32_t wave) const {
  const std::uint32_t rest = plan_->items - wave * image_->wave;
  return rest < image_->wave ? rest : image_->wave;
}

void Worker::fiber_main(LaneContext* lane) {
  Worker& worker = *lane->worker;
  worker.image_->run(lane->kernarg, lane);
  lane->state = LaneState::done;
  worker.suspend(*lane);
  std::abort(); // an ended item is never resumed
}

void Worker::resume(LaneContext& lane) {
  ++counters.switches;
  running_ = &lane;
  twinir_fiber_switch(&scheduler_, lane.stack_pointer);
  running_ = nullptr;
}

// Called on the item's own stack, in the middle of its code.
void Worker::abandon_item(void* address) {
  crashed_ = true;
  crash_address_ = address;
  void* forgotten = nullptr;
  crashed_item_ = running_;
  twinir_fiber_switch(&forgotten, scheduler_);
  __builtin_unreachable();
}

// The next item of the wave that can run, in the order of the lanes; null: back to the scheduler.
LaneContext* Worker::next_ready(const LaneContext& lane) {
  for (std::uint32_t i = lane.position + 1; i < current_.count; ++i)
    if (LaneContext& next = lanes_[current_.order[i]]; next.state == LaneState::ready) return &next;
  return nullptr;
}

// From item to item without a detour over the scheduler: half the switches.
void Worker::suspend(LaneContext& lane) {
  ++counters.switches;
  LaneContext* next = next_ready(lane);
  running_ = next;
  twinir_fiber_switch(&lane.stack_pointer, next != nullptr ? next->stack_pointer : scheduler_);
}

void Worker::collective(LaneContext& lane, WaveOp operation, std::uint32_t site, const void* input,
                        void* output) {
  lane.operation = operation;
  lane.site = site;
  lane.input = input;
  lane.output = output;
  lane.state = LaneState::collective;
  suspend(lane);
}

// A group ends when a pass over its waves neither released a barrier nor left anybody waiting for one. Items
// that can never go on are reported and their fibers forgotten.
void Worker::run_fibers() {
  stacks_.forget_frames();
  for (LaneContext& lane : lanes_) {
    lane.state = LaneState::ready;
    lane.stack_pointer = prepare_fiber(lane.stack_top, &fiber_main, &lane);
  }
  arrivals_ = phases_ = 0;
  do {
    released_ = false;
    for (const std::uint32_t wave : wave_order_)
      if (!crashed_) run_wave(wave);
  } while (released_ && !crashed_);
  if (!crashed_ && !report_stuck()) report_pending();
  for (AsyncQueue& queue : copies_) queue.clear();
}

// An item that opens a barrier makes others ready that the pass has left behind: they run before anything
// fires.
void Worker::run_wave(std::uint32_t wave) {
  current_ = {lane_order_.data() + wave * image_->wave, wave_items(wave)};
  do {
    do {
      again_ = false;
      for (std::uint32_t i = 0; i < current_.count && !crashed_; ++i)
        if (LaneContext& lane = lanes_[current_.order[i]]; lane.state == LaneState::ready) resume(lane);
    } while (again_ && !crashed_);
  } while (!crashed_ && fire_lowest(wave));
}

// The lanes that wait at the earliest place of the text do their operation together.
bool Worker::fire_lowest(std::uint32_t wave) {
  LaneContext* lanes = wave_lanes(wave);
  const std::uint32_t count = wave_items(wave);
  std::uint32_t site = no_site;
  std::uint64_t mask = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (lanes[i].state != LaneState::collective || lanes[i].site > site) continue;
    mask = lanes[i].site < site ? std::uint64_t{1} << i : mask | std::uint64_t{1} << i;
    site = lanes[i].site;
  }
  if (mask == 0) return false;
  ++counters.collectives;
  const Wave group{*this, lanes, image_->wave, count, mask, site};
  const WaveOp operation = group.first().operation;
  perform(operation, group);
  if (operation == WaveOp::wave_barrier || operation == WaveOp::async_wait) ++wave_epoch_[wave];
  group.each([](LaneContext& lane) { lane.state = LaneState::ready; });
  return true;
}

} // namespace twinir::exec
