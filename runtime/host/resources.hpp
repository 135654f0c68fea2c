// SPDX-License-Identifier: MIT
// Buffer resources (V#): what ptr addrspace(8) points at while a kernel runs here.
#pragma once
#include <cstdint>
#include <map>
#include <tuple>

namespace twinir::exec {

/// A raw buffer resource. num_records counts bytes: the stride is 0.
struct Resource {
  std::uint64_t base;
  std::uint64_t records;
};

/// Hands out one address per distinct resource; valid until the group ends.
class ResourceTable {
public:
  const Resource* get(std::uint64_t base, std::uint64_t records) {
    if (last_ != nullptr && last_->base == base && last_->records == records) return last_;
    const auto [entry, fresh] = table_.try_emplace({base, records}, Resource{base, records});
    return last_ = &entry->second;
  }
  /// Forgets everything once many have gathered; called between groups.
  void trim() {
    if (table_.size() < 1024) return;
    table_.clear();
    last_ = nullptr;
  }

private:
  std::map<std::pair<std::uint64_t, std::uint64_t>, Resource> table_;
  const Resource* last_ = nullptr;
};

} // namespace twinir::exec
