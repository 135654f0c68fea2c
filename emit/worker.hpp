// SPDX-License-Identifier: MIT
// The serving side of CompilePool: what the hidden command `twinir worker` runs.
#pragma once
// A request is two frames: a JSON header {"do":"compile"|"inspect"|"reprint",...,"seconds":n} and a payload;
// so is a reply: {"report":{...}} or {"error":{...}}, and bytes. A worker ends itself when a request takes
// much longer than its seconds, so that none outlives a caller that was killed.
#include <string>

namespace twinir {

/// What a worker does on purpose, for tests of its callers.
enum class WorkerFault { none, abort, segv, hang, exit };

/// Answers requests for one flavor until the input ends; gives the exit status. Speaks on descriptors 0
/// and 1.
int serve_worker(const std::string& flavor, WorkerFault fault);

} // namespace twinir
