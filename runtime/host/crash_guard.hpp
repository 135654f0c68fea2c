// SPDX-License-Identifier: MIT
// CrashGuard: a stray access of generated code ends its work-group, not the process.
#pragma once
// Unchecked code may touch guard pages. While an item runs, the signal that follows abandons the item's fiber
// and continues in the scheduler; at any other time the handler that was there before gets it.

namespace twinir::exec {

class Worker;

/// For its lifetime this thread's faults belong to `worker`.
class CrashGuard {
public:
  explicit CrashGuard(Worker& worker);
  CrashGuard(const CrashGuard&) = delete;
  CrashGuard& operator=(const CrashGuard&) = delete;
  ~CrashGuard();

private:
  Worker* outer_;
};

} // namespace twinir::exec
