// SPDX-License-Identifier: MIT
#include "parity/warm_workers.hpp"

namespace twinir {
namespace {
constexpr auto time_limit = std::chrono::seconds(120);
} // namespace

std::string WarmWorkers::ask(const std::string& frame) {
  auto worker = take();
  const auto deadline = std::chrono::steady_clock::now() + time_limit;
  worker->send_frame(frame, deadline);
  auto reply = worker->receive_frame(deadline);
  give(std::move(worker));
  return reply;
}

std::unique_ptr<ChildProcess> WarmWorkers::take() {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      auto worker = std::move(idle_.back());
      idle_.pop_back();
      return worker;
    }
  }
  return std::make_unique<ChildProcess>(command_);
}

void WarmWorkers::give(std::unique_ptr<ChildProcess> worker) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(worker));
}

std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const auto at = text.rfind('\n');
  return text.substr(at == std::string::npos ? 0 : at + 1).substr(0, 300);
}

} // namespace twinir
