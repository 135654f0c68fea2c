// SPDX-License-Identifier: MIT
#include "instances/kernarg.hpp"

#include "dsl/constant.hpp"
#include "dsl/error.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

namespace twinir {
namespace {

std::size_t alignment(Type t) {
  std::size_t bytes = 1;
  while (bytes < t.bytes()) bytes *= 2; // vectors are aligned to their size, rounded up to a power of two
  return bytes;
}

[[noreturn]] void refuse(std::string found, std::string expected) {
  throw UserError({Code::exec_bad_launch,
                   std::move(found),
                   std::move(expected),
                   "give exactly the kernel's parameters",
                   {}});
}

std::uint64_t bits_of(const KernargSlot& slot, const KernargValue& value) {
  std::optional<std::uint64_t> bits;
  if (const auto* address = std::get_if<std::uint64_t>(&value)) {
    if (slot.type.is_pointer())
      bits = *address;
    else if (slot.type.is_int() && truncated(slot.type.scalar, *address) == *address)
      bits = *address;
  } else if (const auto* number = std::get_if<std::int64_t>(&value)) {
    if (slot.type.is_int()) bits = int_bits(slot.type.scalar, *number);
  } else if (slot.type.is_float()) {
    bits = float_bits(slot.type.scalar, std::get<double>(value));
  }
  if (!bits)
    refuse("a value that does not fit argument '" + slot.name + "'",
           "a value of type " + to_string(slot.type));
  return *bits;
}

} // namespace

std::vector<KernargSlot> kernarg_layout(const KernelDef& kernel) {
  std::vector<KernargSlot> out;
  std::size_t offset = 0;
  for (const auto& p : kernel.params) {
    const auto align = alignment(p.type);
    offset = (offset + align - 1) / align * align;
    out.push_back({p.name, p.type, offset, p.type.bytes()});
    offset += align > p.type.bytes() && p.type.is_vector() ? align : p.type.bytes();
  }
  return out;
}

std::size_t kernarg_size(const KernelDef& kernel) {
  const auto layout = kernarg_layout(kernel);
  return layout.empty() ? 0 : layout.back().offset + layout.back().size;
}

std::vector<std::byte> pack_kernargs(const KernelDef& kernel, const Kernargs& args) {
  std::vector<std::byte> bytes(kernarg_size(kernel));
  for (const auto& slot : kernarg_layout(kernel)) {
    const auto it = args.find(slot.name);
    if (it == args.end())
      refuse("no argument '" + slot.name + "' for kernel '" + kernel.name + "'",
             "a value of type " + to_string(slot.type));
    const auto bits = bits_of(slot, it->second);
    std::memcpy(bytes.data() + slot.offset, &bits, slot.size);
  }
  if (args.size() != kernel.params.size())
    for (const auto& [name, value] : args)
      if (std::ranges::find(kernel.params, name, &Param::name) == kernel.params.end())
        refuse("argument '" + name + "' for kernel '" + kernel.name + "'", "only its parameters");
  return bytes;
}

} // namespace twinir
