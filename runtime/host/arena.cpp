// SPDX-License-Identifier: MIT
#include "runtime/host/arena.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "runtime/host/refusal.hpp"

namespace twinir::exec {
namespace {

constexpr std::uint64_t page = 4096;

std::uint64_t pages(std::uint64_t bytes) { return (bytes + page - 1) / page * page; }

Refusal no_memory(std::uint64_t bytes) {
  return {ExecCode::out_of_memory, "no memory for " + std::to_string(bytes) + " bytes", "enough free memory",
          "use smaller buffers or free some"};
}

// MemAvailable of the system; the poison fill touches every page, and overcommitment would end the process.
std::uint64_t available_memory() {
  std::FILE* file = std::fopen("/proc/meminfo", "r");
  if (file == nullptr) return UINT64_MAX;
  std::uint64_t kib = UINT64_MAX / 1024;
  char line[256];
  while (std::fgets(line, sizeof line, file) != nullptr) {
    unsigned long long value = 0;
    if (std::sscanf(line, "MemAvailable: %llu", &value) == 1) kib = value;
  }
  std::fclose(file);
  return kib * 1024;
}

void* reserve(std::uint64_t bytes, int protection) {
  void* memory = mmap(nullptr, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw no_memory(bytes);
  return memory;
}

} // namespace

Arena& Arena::instance() {
  static Arena arena;
  return arena;
}

Arena::Arena() { base_ = reinterpret_cast<std::uint64_t>(reserve(slot_count * slot_size, PROT_NONE)); }

std::uint64_t Arena::find_slots(std::uint64_t count) const {
  std::uint64_t run = 0;
  for (std::uint64_t slot = 0; slot < slot_count; ++slot) {
    run = table_[slot].load(std::memory_order_relaxed) == nullptr ? run + 1 : 0;
    if (run == count) return slot + 1 - count;
  }
  throw Refusal{ExecCode::out_of_memory, "all buffer slots are in use", "at most 1024 buffers", "free some"};
}

// The buffer lies in the middle of its slots; its end meets the guard pages as closely as the alignment
// allows.
void Arena::map(Buffer& buffer, std::uint64_t size) {
  const std::uint64_t mapped = pages(size);
  const std::uint64_t start = base_ + buffer.slot * slot_size + slot_size / 2;
  if (mprotect(reinterpret_cast<void*>(start), mapped, PROT_READ | PROT_WRITE) != 0) throw no_memory(size);
  buffer.begin = reinterpret_cast<std::uint8_t*>(start + ((mapped - size) & ~std::uint64_t{255}));
  buffer.size = size;
  std::memset(buffer.begin, 0xff, size);
}

void* Arena::allocate(std::uint64_t size, const char* name, bool initialised) {
  const std::uint64_t usable = slot_count * slot_size / 4;
  if (size > usable || size + size / 8 > available_memory()) throw no_memory(size);
  const std::lock_guard lock(mutex_);
  auto buffer = std::make_unique<Buffer>();
  buffer->name = name == nullptr ? "" : name;
  buffer->slots = (size + slot_size / 2) / slot_size + 1;
  buffer->slot = find_slots(buffer->slots);
  map(*buffer, size == 0 ? 1 : size);
  buffer->size = size;
  if (!initialised && size != 0)
    buffer->initialised = static_cast<std::uint8_t*>(reserve(pages(size), PROT_READ | PROT_WRITE));
  Buffer* owned = buffer.release();
  for (std::uint64_t i = 0; i < owned->slots; ++i)
    table_[owned->slot + i].store(owned, std::memory_order_release);
  return owned->begin;
}

void Arena::mark(const void* data, std::uint64_t size) {
  const auto address = reinterpret_cast<std::uint64_t>(data);
  const Buffer* buffer = at(address);
  if (buffer == nullptr || buffer->initialised == nullptr) return;
  const std::uint64_t offset = address - reinterpret_cast<std::uint64_t>(buffer->begin);
  if (offset >= buffer->size) return;
  std::memset(buffer->initialised + offset, 1, std::min(size, buffer->size - offset));
}

bool Arena::mark_all(std::uint64_t address) {
  const Buffer* buffer = at(address);
  if (buffer == nullptr) return false;
  if (buffer->initialised != nullptr) std::memset(buffer->initialised, 1, buffer->size);
  return true;
}

void Arena::release(void* data) {
  const std::lock_guard lock(mutex_);
  const auto address = reinterpret_cast<std::uint64_t>(data);
  const std::uint64_t slot = (address - base_) / slot_size;
  Buffer* buffer = slot < slot_count ? table_[slot].load() : nullptr;
  if (buffer == nullptr || buffer->begin != data) return;
  for (std::uint64_t i = 0; i < buffer->slots; ++i) table_[buffer->slot + i].store(nullptr);
  const std::uint64_t start = base_ + buffer->slot * slot_size + slot_size / 2;
  mmap(reinterpret_cast<void*>(start), pages(buffer->size == 0 ? 1 : buffer->size), PROT_NONE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  if (buffer->initialised != nullptr) munmap(buffer->initialised, pages(buffer->size));
  delete buffer;
}

} // namespace twinir::exec
