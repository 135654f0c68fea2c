// SPDX-License-Identifier: MIT
// Processes that answer frames and are kept between questions, one per thread that asks.
#pragma once
// Guarantees: a process that died is replaced by the next question. Throws ChildFailed.
#include "emit/child_process.hpp"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace twinir {

class WarmWorkers {
public:
  /// `command` starts a worker, for example {"/usr/bin/python3", "-I", "-S", "-B", ".../serve.py"}.
  explicit WarmWorkers(std::vector<std::string> command) : command_(std::move(command)) {}
  [[nodiscard]] const std::vector<std::string>& command() const { return command_; }
  /// The answer to one frame, within two minutes.
  [[nodiscard]] std::string ask(const std::string& frame);

private:
  [[nodiscard]] std::unique_ptr<ChildProcess> take();
  void give(std::unique_ptr<ChildProcess> worker);

  std::vector<std::string> command_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<ChildProcess>> idle_;
};

/// The last line of what a process wrote to standard error.
[[nodiscard]] std::string last_line(std::string text);

} // namespace twinir
