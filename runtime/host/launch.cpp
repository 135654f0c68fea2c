// SPDX-License-Identifier: MIT
#include "runtime/host/launch.hpp"

#include <immintrin.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "runtime/host/arena.hpp"
#include "runtime/host/crash_guard.hpp"
#include "runtime/host/worker.hpp"

namespace twinir::exec {
namespace {

constexpr std::size_t hidden_bytes = 256;

std::string extents(const std::uint32_t* extent) {
  return std::to_string(extent[0]) + "x" + std::to_string(extent[1]) + "x" + std::to_string(extent[2]);
}

[[noreturn]] void refuse(std::string found, std::string expected, std::string action) {
  throw Refusal{ExecCode::bad_launch, std::move(found), std::move(expected), std::move(action)};
}

void check_grid(const twinir_exec_launch& launch) {
  if (launch.grid[0] == 0 || launch.grid[1] == 0 || launch.grid[2] == 0)
    refuse("grid " + extents(launch.grid), "at least 1 work-group in each direction",
           "do not launch an empty grid");
}

void check_block(const GroupShape& shape, const twinir_exec_launch& launch) {
  const std::uint32_t* block = launch.block;
  if (shape.block[0] != 0 && !std::equal(block, block + 3, shape.block))
    refuse("block " + extents(block), "block " + extents(shape.block) + ", the kernel's own",
           "launch with the block the kernel was built for");
  const std::uint64_t items = std::uint64_t{block[0]} * block[1] * block[2];
  const bool absurd = block[0] > 1024 || block[1] > 1024 || block[2] > 1024;
  if (absurd || items < std::max(shape.least, 1u) || items > shape.most)
    refuse("block " + extents(block) + " of " + std::to_string(items) + " items",
           std::to_string(shape.least) + " to " + std::to_string(shape.most) + " items, as the kernel states",
           "launch with a block the kernel was built for");
}

void check_kernarg(const KernelImage& image, const void* kernarg, std::size_t size) {
  if (size < image.kernarg_bytes || (kernarg == nullptr && image.kernarg_bytes != 0))
    refuse(std::to_string(kernarg == nullptr ? 0 : size) + " kernarg bytes",
           std::to_string(image.kernarg_bytes) + " bytes of explicit arguments", "pass every argument");
}

template <class Value> void put(std::vector<std::uint8_t>& bytes, std::size_t offset, Value value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}

// Hidden arguments of code object version 5 and 6. Every group is whole, so the remainders are 0.
void add_hidden(LaunchPlan& plan) {
  const std::size_t base = plan.implicit_offset;
  std::uint16_t dimensions = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    put(plan.kernarg, base + 4 * i, plan.grid[i]);
    put(plan.kernarg, base + 12 + 2 * i, static_cast<std::uint16_t>(plan.block[i]));
    if (plan.grid[i] * std::uint64_t{plan.block[i]} > 1) dimensions = static_cast<std::uint16_t>(i + 1);
  }
  put(plan.kernarg, base + 64, dimensions);
}

// Generated code relies on round to nearest and on subnormals, whatever the caller has set.
class FloatState {
public:
  FloatState() : saved_(_mm_getcsr()) { _mm_setcsr(0x1f80); }
  FloatState(const FloatState&) = delete;
  FloatState& operator=(const FloatState&) = delete;
  ~FloatState() { _mm_setcsr(saved_); }

private:
  unsigned saved_;
};

// Workers are kept between launches: their stacks and LDS blocks are already mapped.
class WorkerPool {
public:
  static WorkerPool& instance() {
    static WorkerPool pool;
    return pool;
  }
  std::unique_ptr<Worker> take() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return std::make_unique<Worker>();
    std::unique_ptr<Worker> worker = std::move(idle_.back());
    idle_.pop_back();
    return worker;
  }
  void give(std::unique_ptr<Worker> worker) {
    const std::lock_guard lock(mutex_);
    if (idle_.size() < 256) idle_.push_back(std::move(worker));
  }

private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Worker>> idle_;
};

// What the threads of a launch share.
struct Launch {
  const KernelImage& image;
  const LaunchPlan& plan;
  std::atomic<std::uint64_t> next{0};
  std::mutex mutex{};
  LaunchResult result{};
  std::optional<Refusal> refusal{};
};

void run_groups(Launch& launch, Worker& worker) {
  const FloatState floats;
  const CrashGuard guard(worker);
  const std::uint64_t chunk = std::clamp<std::uint64_t>(launch.plan.groups / 1024, 1, 64);
  for (;;) {
    const std::uint64_t first = launch.next.fetch_add(chunk, std::memory_order_relaxed);
    if (first >= launch.plan.groups) return;
    const std::uint64_t last = std::min(first + chunk, launch.plan.groups);
    for (std::uint64_t group = first; group < last; ++group) worker.run_group(group);
  }
}

void run_thread(Launch& launch) noexcept {
  std::unique_ptr<Worker> worker;
  try {
    worker = WorkerPool::instance().take();
    worker->begin(launch.image, launch.plan);
    run_groups(launch, *worker);
    const std::lock_guard lock(launch.mutex);
    launch.result.counters.add(worker->counters);
    launch.result.faults.merge(worker->faults());
    WorkerPool::instance().give(std::move(worker));
  } catch (const Refusal& refusal) {
    const std::lock_guard lock(launch.mutex);
    launch.refusal = refusal;
  }
}

// Unchecked launches do not track their writes: every buffer they may write counts as written afterwards.
void mark_outputs(const KernelImage& image, const LaunchPlan& plan) {
  for (const KernelArgument& argument : image.arguments)
    for (std::uint64_t offset = 0; argument.writable && offset + 8 <= argument.size; offset += 8) {
      std::uint64_t address = 0;
      std::memcpy(&address, plan.kernarg.data() + argument.offset + offset, sizeof address);
      (void)Arena::instance().mark_all(address);
    }
}

std::uint32_t thread_count(std::uint32_t wanted, std::uint64_t groups) {
  const std::uint32_t all = std::max(1u, std::thread::hardware_concurrency());
  const std::uint32_t threads = std::min(wanted == 0 ? all : wanted, 256u);
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(threads, groups));
}

} // namespace

void Counters::add(const Counters& other) {
  work_items += other.work_items;
  switches += other.switches;
  collectives += other.collectives;
  checks += other.checks;
  clamped += other.clamped;
}

LaunchPlan plan_launch(const KernelImage& image, const void* kernarg, std::size_t kernarg_size,
                       const twinir_exec_launch& launch) {
  check_grid(launch);
  check_block(image.shape, launch);
  check_kernarg(image, kernarg, kernarg_size);
  LaunchPlan plan{};
  std::copy_n(launch.grid, 3, plan.grid);
  std::copy_n(launch.block, 3, plan.block);
  plan.items = launch.block[0] * launch.block[1] * launch.block[2];
  plan.waves = (plan.items + image.wave - 1) / image.wave;
  plan.lane_order = launch.lane_order;
  plan.groups = std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
  plan.implicit_offset = (image.kernarg_bytes + 7) & ~std::uint64_t{7};
  plan.kernarg.assign(plan.implicit_offset + hidden_bytes, 0);
  if (image.kernarg_bytes != 0) std::memcpy(plan.kernarg.data(), kernarg, image.kernarg_bytes);
  add_hidden(plan);
  return plan;
}

LaunchResult run_launch(const KernelImage& image, const LaunchPlan& plan, std::uint32_t threads) {
  Launch launch{image, plan};
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::jthread> others;
  for (std::uint32_t i = 1; i < thread_count(threads, plan.groups); ++i)
    others.emplace_back([&launch] { run_thread(launch); });
  run_thread(launch);
  others.clear(); // joins
  if (launch.refusal) throw *launch.refusal;
  if (!image.checked) mark_outputs(image, plan);
  launch.result.ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return std::move(launch.result);
}

} // namespace twinir::exec
