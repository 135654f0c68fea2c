// SPDX-License-Identifier: MIT
#include "runtime/host/lds_block.hpp"

#include <sys/mman.h>

#include "runtime/host/refusal.hpp"

namespace twinir::exec {

LdsBlock::LdsBlock() {
  void* memory = mmap(nullptr, capacity + 2 * guard, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_32BIT, -1, 0);
  if (memory == MAP_FAILED)
    throw Refusal{ExecCode::out_of_memory, "no address space below 2 GiB for LDS", "1 MiB a thread",
                  "use fewer threads"};
  base_ = static_cast<std::uint8_t*>(memory);
  mprotect(data(), capacity, PROT_READ | PROT_WRITE);
}

LdsBlock::~LdsBlock() { munmap(base_, capacity + 2 * guard); }

} // namespace twinir::exec
