// SPDX-License-Identifier: MIT
// The serving side of CompilePool: what the hidden command `twinir worker` runs.
#pragma once
// A request is two frames: a JSON header {"do":"compile"|"emit"|...,"seconds":n} and a payload;
// so is a reply: {"report":{...}} or {"error":{...}}, and bytes. A worker ends itself when a request takes
// much longer than its seconds, so that none outlives a caller that was killed.
#include <string>

namespace twinir {

/// What a worker does on purpose, for tests of its callers.
enum class WorkerFault { none, abort, segv, hang, exit };

/// Which plugin a worker serves: the one of the flavor, or the one at a path, loaded into this process.
struct Served {
  std::string flavor, plugin;
};

/// Answers requests until the input ends; gives the exit status. Speaks on descriptors 0 and 1.
int serve_worker(const Served& served, WorkerFault fault);

} // namespace twinir
