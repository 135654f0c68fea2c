// SPDX-License-Identifier: MIT
#include "emit/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

namespace twinir {

unsigned thread_count(std::size_t count, unsigned jobs) {
  const std::size_t wanted = jobs != 0 ? jobs : std::max(1u, std::thread::hardware_concurrency());
  return static_cast<unsigned>(std::max<std::size_t>(1, std::min(wanted, count)));
}

void for_each_index(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& body,
                    const Progress& progress) {
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::size_t done = 0;
  const auto take = [&] {
    for (auto i = next++; i < count; i = next++) {
      body(i);
      const std::lock_guard lock(mutex);
      ++done;
      if (progress) progress(done, count);
    }
  };
  std::vector<std::jthread> threads; // joined before what they use goes away
  for (unsigned t = 1; t < thread_count(count, jobs); ++t) threads.emplace_back(take);
  take();
}

} // namespace twinir
