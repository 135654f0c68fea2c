// SPDX-License-Identifier: MIT
// One thing for every index, on several threads.
#pragma once
#include <cstddef>
#include <functional>

namespace twinir {

/// Called after each step from any thread, one call at a time.
using Progress = std::function<void(std::size_t done, std::size_t all)>;

/// Threads that `jobs` comes to for so many steps.
[[nodiscard]] unsigned thread_count(std::size_t count, unsigned jobs);

/// Runs body(0) to body(count - 1), each once, on up to `jobs` threads (0: one per core), and waits. The body
/// must not throw.
void for_each_index(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& body,
                    const Progress& progress = {});

} // namespace twinir
