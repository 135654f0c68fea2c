// SPDX-License-Identifier: MIT
// The barrier of a group, in two halves: arriving (signal) and waiting; and what is said when it cannot open.
#include <string>

#include "runtime/host/worker.hpp"

namespace twinir::exec {
namespace {

std::string of_items(std::uint32_t part, std::uint32_t all) {
  return std::to_string(part) + " of " + std::to_string(all) + " items";
}

FaultText divergent(std::string found) {
  return {std::move(found), "every item of the group at the same barrier",
          "move the barrier out of divergent control flow"};
}

} // namespace

// The last item to arrive goes to the end of the queue, so that items run on in their order.
void Worker::barrier(LaneContext& lane, std::uint32_t site) {
  const std::uint32_t before = phases_;
  arrive(lane, site);
  if (phases_ != before) suspend(lane);
  wait(lane, site);
}

void Worker::signal(LaneContext& lane, std::uint32_t site) { arrive(lane, site); }

// Only an arrival at the phase's own place counts; the others make the phase stay closed, which is then
// reported.
void Worker::arrive(LaneContext& lane, std::uint32_t site) {
  if (lane.signals > lane.waits) {
    report(ExecCode::divergent_barrier, site, lane,
           [] { return divergent("a second arrival at the barrier without a wait between"); });
    return;
  }
  if (arrivals_ == 0) phase_site_ = site;
  if (phase_site_ != site) return;
  ++lane.signals;
  if (++arrivals_ == plan_->items) release();
}

void Worker::wait(LaneContext& lane, std::uint32_t site) {
  if (phases_ <= lane.waits) {
    lane.site = site;
    lane.state = LaneState::barrier;
    suspend(lane);
  }
  ++lane.waits;
}

void Worker::release() {
  arrivals_ = 0;
  ++phases_;
  released_ = again_ = true;
  for (LaneContext& lane : lanes_)
    if (lane.state == LaneState::barrier) lane.state = LaneState::ready;
}

// True when items still wait: nothing can open their barrier any more.
bool Worker::report_stuck() {
  const LaneContext* first = nullptr;
  std::uint32_t waiting = 0;
  std::uint32_t ended = 0;
  for (const LaneContext& lane : lanes_) {
    ended += lane.state == LaneState::done;
    if (lane.state != LaneState::barrier) continue;
    ++waiting;
    if (first == nullptr) first = &lane;
  }
  if (first == nullptr) return false;
  const std::uint32_t site = arrivals_ != 0 ? phase_site_ : first->site;
  report(ExecCode::divergent_barrier, site, *first, [&] {
    std::string found = "barrier reached by " + of_items(arrivals_, plan_->items);
    if (ended != 0) found += "; " + std::to_string(ended) + " have ended";
    if (waiting > arrivals_) found += "; " + std::to_string(waiting - arrivals_) + " wait elsewhere";
    return divergent(found);
  });
  return true;
}

void Worker::report_pending() {
  for (const LaneContext& lane : lanes_) {
    const AsyncQueue& queue = copies_[lane.flat];
    if (queue.pending() == 0) continue;
    report(ExecCode::async_pending, queue.front().site, lane, [&] {
      return FaultText{std::to_string(queue.pending()) + " copies pending when the item ended",
                       "a wait for every asynchronous copy", "wait for them before the copied data is used"};
    });
  }
}

} // namespace twinir::exec
