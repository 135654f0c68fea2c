// SPDX-License-Identifier: MIT
// AsyncQueue: one item's asynchronous copies that are issued and not yet done.
#pragma once
// Copies happen only when a wait forces them: done at once, a kernel without waits would still give right
// numbers.
#include <cstddef>
#include <cstdint>
#include <vector>

namespace twinir::exec {

struct AsyncCopy {
  const void* source;
  void* target;
  std::uint32_t bytes;
  std::uint32_t site;
};

/// First in, first out, without allocation once it has grown.
class AsyncQueue {
public:
  void push(const AsyncCopy& copy) { copies_.push_back(copy); }
  [[nodiscard]] std::size_t pending() const { return copies_.size() - first_; }
  [[nodiscard]] const AsyncCopy& front() const { return copies_[first_]; }
  void pop() {
    if (++first_ == copies_.size()) clear();
  }
  void clear() {
    copies_.clear();
    first_ = 0;
  }

private:
  std::vector<AsyncCopy> copies_;
  std::size_t first_ = 0;
};

} // namespace twinir::exec
