// SPDX-License-Identifier: MIT
// Checks of memory accesses: bounds, alignment, initialisation, LDS races; and the asynchronous copies.
#include <cstring>
#include <string>

#include "runtime/host/arena.hpp"
#include "runtime/host/worker.hpp"
#include "runtime/host/written.hpp"

namespace twinir::exec {
namespace {

alignas(64) constexpr std::uint8_t zeros[4096] = {};

// Loads of refused addresses give 0.
void* zero_bytes() { return const_cast<std::uint8_t*>(zeros); }

const char* name_of(Access kind) {
  constexpr const char* names[] = {"load", "store", "atomic"};
  return names[static_cast<std::size_t>(kind)];
}

std::string bytes_text(std::uint64_t bytes) {
  return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

std::string hex(std::uint64_t value) {
  constexpr const char* digits = "0123456789abcdef";
  std::string text;
  do {
    text.insert(text.begin(), digits[value & 15]);
    value >>= 4;
  } while (value != 0);
  return "0x" + text;
}

std::string buffer_text(const Buffer& buffer) {
  return "buffer '" + buffer.name + "' of " + bytes_text(buffer.size);
}

bool inside(std::uint64_t offset, std::uint64_t bytes, std::uint64_t size) {
  return offset <= size && bytes <= size - offset;
}

FaultText uninitialised(std::string where) {
  return {"read of " + std::move(where) + ", which nobody wrote", "bytes that were written before",
          "write them first, or do not read them"};
}

} // namespace

void Worker::report_misaligned(LaneContext& lane, std::uint64_t address, std::uint32_t align,
                               std::uint32_t site) {
  report(ExecCode::misaligned, site, lane, [&] {
    return FaultText{"an address " + std::to_string(address & (align - 1)) + " past a multiple of " +
                         std::to_string(align),
                     "alignment " + std::to_string(align) + ", as the instruction promises",
                     "state the alignment that the address really has"};
  });
}

void* Worker::check_global(LaneContext& lane, void* pointer, std::uint64_t bytes, std::uint32_t align,
                           Access kind, std::uint32_t site) {
  ++counters.checks;
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  const Buffer* buffer = arena_.at(address);
  const std::uint64_t offset =
      buffer == nullptr ? 0 : address - reinterpret_cast<std::uint64_t>(buffer->begin);
  if (buffer == nullptr || !inside(offset, bytes, buffer->size)) {
    if (known_constant(address, bytes, kind)) return pointer;
    return out_of_bounds(lane, address, bytes, kind, site);
  }
  if ((address & (align - 1)) != 0) [[unlikely]]
    report_misaligned(lane, address, align, site);
  if (buffer->initialised == nullptr) return pointer;
  std::uint8_t* written = buffer->initialised + offset;
  if (kind != Access::store && !all_written(written, bytes))
    report(ExecCode::uninitialised, site, lane, [&] {
      return uninitialised(bytes_text(bytes) + " at byte " + std::to_string(offset) + " of " +
                           buffer_text(*buffer));
    });
  if (kind != Access::load) set_written(written, bytes);
  return pointer;
}

// Constant tables of the module, and the kernel arguments with the hidden ones behind them.
bool Worker::known_constant(std::uint64_t address, std::uint64_t bytes, Access kind) const {
  if (kind != Access::load) return false;
  const auto kernarg = reinterpret_cast<std::uint64_t>(plan_->kernarg.data());
  if (inside(address - kernarg, bytes, plan_->kernarg.size())) return true;
  for (const ConstantRegion& region : image_->constants)
    if (inside(address - region.address, bytes, region.size)) return true;
  return false;
}

std::string Worker::place_text(std::uint64_t address) const {
  const Buffer* buffer = arena_.at(address);
  if (buffer == nullptr) return "at " + hex(address) + ": no buffer there";
  const auto offset = static_cast<std::int64_t>(address - reinterpret_cast<std::uint64_t>(buffer->begin));
  return "at byte " + std::to_string(offset) + " of " + buffer_text(*buffer);
}

void* Worker::out_of_bounds(LaneContext& lane, std::uint64_t address, std::uint64_t bytes, Access kind,
                            std::uint32_t site) {
  report(ExecCode::out_of_bounds, site, lane, [&] {
    return FaultText{std::string(name_of(kind)) + " of " + bytes_text(bytes) + " " + place_text(address),
                     "an access inside a buffer", "correct the index or guard the access"};
  });
  return kind == Access::load && bytes <= sizeof zeros ? zero_bytes() : sink_;
}

void Worker::report_crash() {
  report(ExecCode::out_of_bounds, no_site, *crashed_item_, [&] {
    return FaultText{"an access " + place_text(reinterpret_cast<std::uint64_t>(crash_address_)) +
                         "; the work-group ended",
                     "an access inside a buffer", "run in checked mode, which names the instruction"};
  });
}

void* Worker::lds_out_of_bounds(LaneContext& lane, std::uint64_t offset, std::uint64_t bytes, Access kind,
                                std::uint32_t site) {
  report(ExecCode::out_of_bounds, site, lane, [&] {
    return FaultText{std::string(name_of(kind)) + " of " + bytes_text(bytes) + " at byte " +
                         std::to_string(static_cast<std::int64_t>(offset)) + " of the group's LDS of " +
                         bytes_text(image_->lds_bytes),
                     "an access inside the group's LDS", "correct the index or enlarge the array"};
  });
  return kind == Access::load && bytes <= sizeof zeros ? zero_bytes() : sink_;
}

void* Worker::check_lds(LaneContext& lane, void* pointer, std::uint64_t bytes, std::uint32_t align,
                        Access kind, std::uint32_t site) {
  ++counters.checks;
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  const std::uint64_t offset = address - reinterpret_cast<std::uint64_t>(lds_.data());
  if (!inside(offset, bytes, image_->lds_bytes)) return lds_out_of_bounds(lane, offset, bytes, kind, site);
  if (bytes == 0) return pointer;
  if ((address & (align - 1)) != 0) [[unlikely]]
    report_misaligned(lane, address, align, site);
  if (kind != Access::store && !shadow_.initialised(offset, bytes))
    report(ExecCode::uninitialised, site, lane, [&] {
      return uninitialised(bytes_text(bytes) + " at byte " + std::to_string(offset) + " of LDS");
    });
  const LdsClock clock{static_cast<std::uint16_t>(lane.flat), wave_epoch_[lane.flat / image_->wave],
                       lane.signals, lane.waits};
  const LdsRace race = shadow_.access(offset, bytes, kind, clock);
  if (race.found) report_race(lane, race, kind, site);
  return pointer;
}

void Worker::report_trap(LaneContext& lane, std::uint32_t site) {
  report(ExecCode::trap, site, lane, [&] {
    const std::string name = image_->sites.assertion(site);
    return FaultText{name.empty() ? "a trap was reached" : "assertion '" + name + "' does not hold",
                     name.empty() ? "a way around it" : "a condition that holds",
                     "correct the kernel or what it was given"};
  });
}

void Worker::report_race(LaneContext& lane, const LdsRace& race, Access kind, std::uint32_t site) {
  report(ExecCode::race, site, lane, [&] {
    return FaultText{std::string(name_of(kind)) + " of LDS byte " + std::to_string(race.offset) +
                         ", which item " + std::to_string(race.other) +
                         (race.with_write ? " writes" : " reads") + " in the same phase",
                     "a barrier between", "put a barrier between the two accesses"};
  });
}

// The hardware's rule for raw buffers: an access that does not lie wholly in the records reads 0 or is
// dropped.
void* Worker::buffer_address(LaneContext& lane, const Resource* resource, std::uint64_t offset,
                             std::uint32_t bytes, Access kind, std::uint32_t site) {
  if (!inside(offset, bytes, resource->records)) {
    ++counters.clamped;
    return kind == Access::load ? zero_bytes() : sink_;
  }
  void* address = reinterpret_cast<void*>(resource->base + offset);
  return image_->checked ? check_global(lane, address, bytes, 1, kind, site) : address;
}

void Worker::async_copy(LaneContext& lane, const AsyncCopy& copy) { copies_[lane.flat].push(copy); }

// Done on the scheduler's stack, so a stray copy is refused in unchecked mode too.
bool Worker::copy_in_bounds(LaneContext& lane, const AsyncCopy& copy) {
  const auto source = reinterpret_cast<std::uint64_t>(copy.source);
  const Buffer* buffer = arena_.at(source);
  const std::uint64_t from = buffer == nullptr ? 0 : source - reinterpret_cast<std::uint64_t>(buffer->begin);
  const auto to = static_cast<std::uint64_t>(static_cast<std::uint8_t*>(copy.target) - lds_.data());
  if (buffer != nullptr && !inside(from, copy.bytes, buffer->size))
    out_of_bounds(lane, source, copy.bytes, Access::load, copy.site);
  else if (!inside(to, copy.bytes, image_->lds_bytes))
    lds_out_of_bounds(lane, to, copy.bytes, Access::store, copy.site);
  else
    return true;
  return false;
}

void Worker::finish_copies(LaneContext& lane, std::uint32_t allowed) {
  AsyncQueue& queue = copies_[lane.flat];
  while (queue.pending() > allowed) {
    const AsyncCopy copy = queue.front();
    queue.pop();
    if (!image_->checked) {
      if (copy_in_bounds(lane, copy)) std::memcpy(copy.target, copy.source, copy.bytes);
      continue;
    }
    const std::uint32_t align = copy.bytes & -copy.bytes; // 12 bytes are three words
    const void* source =
        check_global(lane, const_cast<void*>(copy.source), copy.bytes, align, Access::load, copy.site);
    void* target = check_lds(lane, copy.target, copy.bytes, align, Access::store, copy.site);
    std::memcpy(target, source, copy.bytes);
  }
}

} // namespace twinir::exec
