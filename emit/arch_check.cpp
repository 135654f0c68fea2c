// SPDX-License-Identifier: MIT
#include "emit/arch_check.hpp"

#include <cstdint>
#include <fmt/format.h>
#include <utility>

namespace twinir {
namespace {

constexpr std::size_t flags_at = 48, header_size = 64; ///< of a 64-bit ELF header
constexpr std::uint32_t processor_mask = 0xff;         ///< EF_AMDGPU_MACH

constexpr std::pair<std::uint32_t, std::string_view> processors[] = {
#define TWINIR_PROCESSOR(number, name) {number, name},
#include "emit/processors.def"
#undef TWINIR_PROCESSOR
};

std::uint32_t flags_of(std::string_view elf) {
  std::uint32_t flags = 0;
  for (std::size_t i = 4; i-- > 0;) flags = flags << 8 | static_cast<unsigned char>(elf[flags_at + i]);
  return flags;
}

std::string_view name_of(std::uint32_t processor) {
  for (const auto& [number, name] : processors)
    if (number == processor) return name;
  return "an unknown processor";
}

} // namespace

std::optional<Diagnostic> find_wrong_arch(std::string_view elf, std::string_view target) {
  const bool whole = elf.size() >= header_size;
  const auto flags = whole ? flags_of(elf) : 0;
  const auto name = name_of(flags & processor_mask);
  if (whole && name == target) return std::nullopt;
  return Diagnostic{Code::wrong_arch,
                    fmt::format("a code object for {} (e_flags {:#x})", name, flags),
                    fmt::format("one for {}", target),
                    "report this with the kernel JSON",
                    {}};
}

} // namespace twinir
