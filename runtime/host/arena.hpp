// SPDX-License-Identifier: MIT
// Arena: guarded buffers, each in its own 4 GiB slot of address space.
#pragma once
// Any 32-bit offset from a buffer's ends lands in its own slot or in nothing, so a stray access is named
// after the buffer it started from. Look-ups take no lock; a buffer must not be freed while a launch uses it.
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

namespace twinir::exec {

/// One allocation.
struct Buffer {
  std::uint8_t* begin = nullptr;
  std::uint64_t size = 0;
  std::uint8_t* initialised =
      nullptr; ///< one byte a byte, non-zero: written; null: all bytes count as written
  std::string name;
  std::uint64_t slot = 0;
  std::uint64_t slots = 1;
};

class Arena {
public:
  static constexpr std::uint64_t slot_size = std::uint64_t{1} << 32;
  static constexpr std::uint64_t slot_count = 1024;

  /// The process's arena; its address space is reserved on first use (throws TIR5011).
  static Arena& instance();

  /// A buffer of poison bytes (0xFF), 256-byte aligned, its end next to a guard page where the size allows.
  [[nodiscard]] void* allocate(std::uint64_t size, const char* name, bool initialised);
  /// Declares bytes as written.
  void mark(const void* data, std::uint64_t size);
  void release(void* data);
  /// Declares all bytes of the buffer around an address as written; false: no buffer there.
  bool mark_all(std::uint64_t address);

  /// The buffer in whose slot the address lies, or null.
  [[nodiscard]] const Buffer* at(std::uint64_t address) const {
    const std::uint64_t slot = (address - base_) / slot_size;
    return slot < slot_count ? table_[slot].load(std::memory_order_acquire) : nullptr;
  }

private:
  Arena();
  std::uint64_t find_slots(std::uint64_t count) const;
  void map(Buffer& buffer, std::uint64_t size);

  std::uint64_t base_ = 0;
  std::array<std::atomic<Buffer*>, slot_count> table_{};
  std::mutex mutex_;
};

} // namespace twinir::exec
