// SPDX-License-Identifier: MIT
#include "dsl/interpreter.hpp"

#include "dsl/interpret_group.hpp"

#include <algorithm>
#include <cstring>

namespace twinir {
namespace {

struct Slot {
  std::size_t offset, size;
};

/// Where each parameter lies; the last entry is the end.
std::vector<Slot> layout(const KernelDef& kernel) {
  std::vector<Slot> out;
  std::size_t offset = 0;
  for (const auto& p : kernel.params) {
    const std::size_t align = std::max<std::size_t>(1, interp::stride_of(p.type));
    offset = (offset + align - 1) / align * align;
    out.push_back({offset, p.type.bytes()});
    offset += interp::stride_of(p.type);
  }
  out.push_back({out.empty() ? 0 : out.back().offset + out.back().size, 0});
  return out;
}

[[noreturn]] void refuse(std::string found, std::string expected) {
  throw UserError({Code::exec_bad_launch, std::move(found), std::move(expected), "give exactly the kernel's parameters", {}});
}

void check(const KernelDef& kernel, const InterpreterLaunch& launch) {
  const auto size = layout(kernel).back().offset;
  if (launch.kernargs.size() < size)
    refuse(std::to_string(launch.kernargs.size()) + " kernarg bytes for kernel '" + kernel.name + "'", std::to_string(size) + " bytes");
  if (std::ranges::find(launch.grid, 0u) != launch.grid.end()) refuse("an empty grid for kernel '" + kernel.name + "'", "at least one work-group");
}

} // namespace

std::uint64_t InterpreterMemory::add(std::string name, std::span<std::byte> bytes) {
  const auto address = reinterpret_cast<std::uint64_t>(bytes.data());
  buffers_.push_back({std::move(name), address, bytes});
  return address;
}

const InterpreterMemory::Buffer* InterpreterMemory::find(std::uint64_t address, std::uint64_t size) const {
  for (const auto& b : buffers_) {
    const auto offset = address - b.address;
    if (address >= b.address && offset <= b.bytes.size() && size <= b.bytes.size() - offset) return &b;
  }
  return nullptr;
}

std::vector<std::byte> interpreter_kernargs(const KernelDef& kernel, const std::map<std::string, std::uint64_t>& values) {
  const auto slots = layout(kernel);
  std::vector<std::byte> out(slots.back().offset);
  for (std::size_t i = 0; i < kernel.params.size(); ++i) {
    const auto& p = kernel.params[i];
    const auto it = values.find(p.name);
    if (it == values.end() || slots[i].size > sizeof it->second)
      refuse("no argument '" + p.name + "' for kernel '" + kernel.name + "'", "a value of type " + to_string(p.type));
    std::memcpy(out.data() + slots[i].offset, &it->second, slots[i].size);
  }
  if (values.size() != kernel.params.size()) refuse("arguments that kernel '" + kernel.name + "' does not have", "only its parameters");
  return out;
}

void interpret(const KernelDef& kernel, const InterpreterLaunch& launch, InterpreterMemory& memory) {
  check(kernel, launch);
  interp::Group group(kernel, launch, memory);
  for (std::uint32_t z = 0; z < launch.grid[2]; ++z)
    for (std::uint32_t y = 0; y < launch.grid[1]; ++y)
      for (std::uint32_t x = 0; x < launch.grid[0]; ++x) group.run_group({x, y, z});
}

namespace interp {

std::size_t stride_of(Type t) {
  std::size_t bytes = 1;
  while (bytes < t.bytes()) bytes *= 2;
  return bytes;
}

void Group::set_params(const InterpreterLaunch& launch) {
  const auto slots = layout(kernel_);
  for (std::size_t p = 0; p < kernel_.params.size(); ++p) {
    const auto& param = kernel_.params[p];
    auto& to = place(param.name, param.type);
    const std::size_t size = byte_size(param.type.scalar);
    for (std::size_t i = 0; i < to.words; ++i) {
      Word word = 0;
      std::memcpy(&word, launch.kernargs.data() + slots[p].offset + i * size, size);
      for (std::size_t item = 0; item < items_; ++item) put(to, item, i, word);
    }
  }
}

} // namespace interp
} // namespace twinir
