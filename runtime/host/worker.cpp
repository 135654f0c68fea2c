// SPDX-License-Identifier: MIT
#include "runtime/host/worker.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace twinir::exec {
namespace {

constexpr std::uint64_t runtime_stack = 64 * 1024; // for the run time's own frames on a fiber

// A small generator for the shuffled lane order; any decent mixing will do.
class Mixer {
public:
  explicit Mixer(std::uint64_t seed) : state_(seed) {}
  std::uint32_t below(std::uint32_t limit) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>((state_ >> 33) % limit);
  }

private:
  std::uint64_t state_;
};

void shuffle(std::uint32_t* first, std::uint32_t count, Mixer& mixer) {
  for (std::uint32_t i = count; i > 1; --i) std::swap(first[i - 1], first[mixer.below(i)]);
}

} // namespace

void Worker::begin(const KernelImage& image, const LaunchPlan& plan) {
  image_ = &image;
  plan_ = &plan;
  counters = {};
  faults_.clear();
  number_lanes();
  order_lanes();
  wave_epoch_.assign(plan.waves, 0);
  copies_.resize(plan.items);
  const std::uint32_t stacks = image.fibers ? plan.items : 1;
  stacks_.reserve(stacks, runtime_stack + image.stack_bytes);
  for (std::uint32_t i = 0; i < stacks; ++i) lanes_[i].stack_top = stacks_.top(i);
}

void Worker::number_lanes() {
  lanes_.assign(plan_->items, LaneContext{});
  const std::uint32_t* block = plan_->block;
  for (std::uint32_t i = 0; i < plan_->items; ++i) {
    LaneContext& lane = lanes_[i];
    lane.item[0] = i % block[0];
    lane.item[1] = i / block[0] % block[1];
    lane.item[2] = i / block[0] / block[1];
    lane.lane = i % image_->wave;
    lane.flat = i;
    lane.lds = lds_.data();
    lane.kernarg = plan_->kernarg.data();
    lane.implicit = plan_->kernarg.data() + plan_->implicit_offset;
    lane.worker = this;
  }
}

void Worker::order_lanes() {
  wave_order_.resize(plan_->waves);
  lane_order_.resize(plan_->items);
  std::iota(wave_order_.begin(), wave_order_.end(), 0u);
  std::iota(lane_order_.begin(), lane_order_.end(), 0u);
  if (plan_->lane_order != 0) {
    Mixer mixer(plan_->lane_order);
    shuffle(wave_order_.data(), plan_->waves, mixer);
    for (std::uint32_t wave = 0; wave < plan_->waves; ++wave)
      shuffle(lane_order_.data() + wave * image_->wave, wave_items(wave), mixer);
  }
  for (std::uint32_t i = 0; i < plan_->items; ++i) lanes_[lane_order_[i]].position = i % image_->wave;
}

void Worker::start_group(std::uint64_t linear_group) {
  linear_group_ = linear_group;
  const std::uint32_t x = static_cast<std::uint32_t>(linear_group % plan_->grid[0]);
  const std::uint32_t y = static_cast<std::uint32_t>(linear_group / plan_->grid[0] % plan_->grid[1]);
  const std::uint32_t z = static_cast<std::uint32_t>(linear_group / plan_->grid[0] / plan_->grid[1]);
  for (LaneContext& lane : lanes_) {
    lane.group[0] = x;
    lane.group[1] = y;
    lane.group[2] = z;
    lane.signals = lane.waits = 0;
  }
  if (image_->lds_bytes == 0) return;
  std::memset(lds_.data(), 0xff, image_->lds_bytes);
  if (image_->checked) shadow_.begin_group(image_->lds_bytes, image_->wave, image_->lds_granule);
}

void Worker::run_group(std::uint64_t linear_group) {
  start_group(linear_group);
  counters.work_items += plan_->items;
  crashed_ = false;
  if (image_->fibers)
    run_fibers();
  else
    run_plain();
  if (crashed_) report_crash();
  resources.trim();
}

// Without barriers and wave operations an item is an ordinary call; one stack serves the whole group.
void Worker::run_plain() {
  stacks_.forget_frames();
  LaneContext& first = lanes_[0];
  running_ = &first;
  twinir_fiber_switch(&scheduler_, prepare_fiber(first.stack_top, &plain_main, &first));
  running_ = nullptr;
}

void Worker::plain_main(LaneContext* lane) {
  Worker& worker = *lane->worker;
  const KernelImage& image = *worker.image_;
  for (const std::uint32_t wave : worker.wave_order_)
    for (std::uint32_t i = 0; i < worker.wave_items(wave); ++i) {
      LaneContext& item = worker.lanes_[worker.lane_order_[wave * image.wave + i]];
      worker.running_ = &item;
      image.run(item.kernarg, &item);
    }
  twinir_fiber_switch(&lane->stack_pointer, worker.scheduler_);
  __builtin_unreachable();
}

} // namespace twinir::exec
