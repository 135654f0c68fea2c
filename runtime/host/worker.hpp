// SPDX-License-Identifier: MIT
// Worker: one host thread's work-groups: lanes, LDS, fibers, barriers, wave operations, checks.
#pragma once
// A worker runs one group at a time from start to end, so nothing here is shared; the groups' results do not
// depend on which worker ran them.
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/host/arena.hpp"
#include "runtime/host/async_queue.hpp"
#include "runtime/host/fiber.hpp"
#include "runtime/host/launch.hpp"
#include "runtime/host/lds_block.hpp"
#include "runtime/host/lds_shadow.hpp"
#include "runtime/host/resources.hpp"

namespace twinir::exec {

class Worker {
public:
  /// Prepares for a launch; allocates what is missing.
  void begin(const KernelImage& image, const LaunchPlan& plan);
  /// Runs one group.
  void run_group(std::uint64_t linear_group);

  // Called by the items' code (entry_points.cpp).
  void collective(LaneContext& lane, WaveOp operation, std::uint32_t site, const void* input, void* output);
  void barrier(LaneContext& lane, std::uint32_t site);
  void signal(LaneContext& lane, std::uint32_t site);
  void wait(LaneContext& lane, std::uint32_t site);
  void async_copy(LaneContext& lane, const AsyncCopy& copy);
  /// Does the lane's oldest copies until at most `allowed` are left.
  void finish_copies(LaneContext& lane, std::uint32_t allowed);

  /// Checks an access and returns the address to use: the given one, or a safe place.
  void* check_global(LaneContext& lane, void* address, std::uint64_t bytes, std::uint32_t align, Access kind,
                     std::uint32_t site);
  void* check_lds(LaneContext& lane, void* address, std::uint64_t bytes, std::uint32_t align, Access kind,
                  std::uint32_t site);
  void* buffer_address(LaneContext& lane, const Resource* resource, std::uint64_t offset, std::uint32_t bytes,
                       Access kind, std::uint32_t site);

  /// For the signal handler: whether generated code runs, and leaving it for good.
  [[nodiscard]] bool item_is_running() const { return running_ != nullptr; }
  [[noreturn]] void abandon_item(void* address);

  void report_trap(LaneContext& lane, std::uint32_t site);
  /// Records a fault of a lane; text() -> FaultText.
  template <class Text> void report(ExecCode code, std::uint32_t site, const LaneContext& lane, Text&& text) {
    faults_.report(code, site, linear_group_, image_->wave, lane, text);
  }

  ResourceTable resources;
  Counters counters;
  [[nodiscard]] const FaultTable& faults() const { return faults_; }
  [[nodiscard]] const KernelImage& image() const { return *image_; }
  /// Lanes of a wave, for the wave operations.
  [[nodiscard]] LaneContext* wave_lanes(std::uint32_t wave) { return lanes_.data() + wave * image_->wave; }

private:
  // worker.cpp
  void number_lanes();
  void order_lanes();
  void start_group(std::uint64_t linear_group);
  void run_plain();
  static void plain_main(LaneContext* lane);
  void report_crash();
  // scheduler.cpp
  void run_fibers();
  static void fiber_main(LaneContext* lane);
  void resume(LaneContext& lane);
  void suspend(LaneContext& lane);
  [[nodiscard]] LaneContext* next_ready(const LaneContext& lane);
  void run_wave(std::uint32_t wave);
  [[nodiscard]] bool fire_lowest(std::uint32_t wave);
  [[nodiscard]] std::uint32_t wave_items(std::uint32_t wave) const;
  // barrier.cpp
  void arrive(LaneContext& lane, std::uint32_t site);
  void release();
  [[nodiscard]] bool report_stuck();
  void report_pending();
  // checks.cpp
  [[nodiscard]] bool known_constant(std::uint64_t address, std::uint64_t bytes, Access kind) const;
  [[nodiscard]] std::string place_text(std::uint64_t address) const;
  void* out_of_bounds(LaneContext& lane, std::uint64_t address, std::uint64_t bytes, Access kind,
                      std::uint32_t site);
  void* lds_out_of_bounds(LaneContext& lane, std::uint64_t offset, std::uint64_t bytes, Access kind,
                          std::uint32_t site);
  [[nodiscard]] bool copy_in_bounds(LaneContext& lane, const AsyncCopy& copy);
  void report_misaligned(LaneContext& lane, std::uint64_t address, std::uint32_t align, std::uint32_t site);
  void report_race(LaneContext& lane, const LdsRace& race, Access kind, std::uint32_t site);

  const Arena& arena_ = Arena::instance();
  const KernelImage* image_ = nullptr;
  const LaunchPlan* plan_ = nullptr;
  std::uint64_t linear_group_ = 0;
  std::vector<LaneContext> lanes_;
  std::vector<std::uint32_t> wave_order_; ///< waves in the order in which they run
  std::vector<std::uint32_t> lane_order_; ///< for each wave its lanes in the order in which they run
  std::vector<std::uint16_t> wave_epoch_; ///< wave barriers passed, for the race check
  std::vector<AsyncQueue> copies_;
  FiberStacks stacks_;
  LdsBlock lds_;
  LdsShadow shadow_;
  FaultTable faults_;
  LaneContext* running_ = nullptr; ///< the item whose code runs
  bool crashed_ = false;           ///< the group ended by a signal
  void* crash_address_ = nullptr;
  LaneContext* crashed_item_ = nullptr;
  void* scheduler_ = nullptr;    ///< stack of the scheduler while an item runs
  std::uint32_t arrivals_ = 0;   ///< items at the present barrier phase
  std::uint32_t phases_ = 0;     ///< barrier phases completed
  std::uint32_t phase_site_ = 0; ///< where the first item of the phase arrived
  bool released_ = false;        ///< a barrier has opened since the pass over the waves began
  bool again_ = false;           ///< and since the pass over this wave's lanes began
  struct {
    const std::uint32_t* order = nullptr;
    std::uint32_t count = 0;
  } current_;                           ///< the wave that runs
  alignas(64) std::uint8_t sink_[4096]; ///< where refused stores go
};

} // namespace twinir::exec
