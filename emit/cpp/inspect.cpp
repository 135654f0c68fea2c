// SPDX-License-Identifier: MIT
#include "emit/cpp/inspect.hpp"

#include "dsl/error.hpp"
#include "emit/cpp/arch.hpp"
#include "emit/cpp/disassemble.hpp"
#include "emit/cpp/metadata.hpp"

#include <llvm/BinaryFormat/ELF.h>
#include <llvm/Object/ELF.h>

namespace twinir {
namespace {
using Json = nlohmann::ordered_json;
using Elf = llvm::object::ELF64LE;
using File = llvm::object::ELFFile<Elf>;
using Meta = nlohmann::json;

[[noreturn]] void refuse(const std::string& found) {
  throw UserError({Code::not_a_code_object, found, "an AMDGPU code object", "give the file that a compile wrote, or compile again", {}});
}

/// The value, or a refusal with LLVM's reason.
template <class T> T checked(llvm::Expected<T> value) {
  if (value) return std::move(*value);
  refuse("a damaged ELF file: " + llvm::toString(value.takeError()));
}

File open_file(std::string_view bytes) {
  if (bytes.size() < sizeof(Elf::Ehdr)) refuse(std::to_string(bytes.size()) + " bytes, too few for an ELF file");
  if (!bytes.starts_with(llvm::ELF::ElfMagic)) refuse("a file that is not ELF");
  if (bytes[llvm::ELF::EI_CLASS] != llvm::ELF::ELFCLASS64 || bytes[llvm::ELF::EI_DATA] != llvm::ELF::ELFDATA2LSB)
    refuse("an ELF file that is not 64-bit little-endian");
  auto file = checked(File::create(llvm::StringRef(bytes)));
  const auto& header = file.getHeader();
  if (header.e_machine != llvm::ELF::EM_AMDGPU) refuse("an ELF file for machine " + std::to_string(header.e_machine));
  if (header.e_type != llvm::ELF::ET_DYN) refuse("an AMDGPU ELF file that is not linked (type " + std::to_string(header.e_type) + ")");
  return file;
}

/// The metadata note; empty when there is none.
llvm::StringRef find_metadata(const File& file) {
  for (const auto& segment : checked(file.program_headers())) {
    if (segment.p_type != llvm::ELF::PT_NOTE) continue;
    llvm::Error error = llvm::Error::success();
    llvm::StringRef found;
    for (const auto& note : file.notes(segment, error))
      if (found.empty() && note.getName() == "AMDGPU" && note.getType() == llvm::ELF::NT_AMDGPU_METADATA)
        found = note.getDescAsStringRef(4);
    if (error) refuse("a damaged note: " + llvm::toString(std::move(error)));
    if (!found.empty()) return found;
  }
  return {};
}

const Meta* find(const Meta& map, const char* key) {
  if (!map.is_object()) refuse("metadata with an entry that is no map");
  const auto it = map.find(key);
  return it == map.end() ? nullptr : &*it;
}

std::uint64_t number(const Meta& map, const char* key) {
  const auto* value = find(map, key);
  if (value == nullptr) return 0;
  if (!value->is_number_unsigned()) refuse("metadata with " + std::string(key) + " that is no number");
  return value->get<std::uint64_t>();
}

std::string text(const Meta& map, const char* key) {
  const auto* value = find(map, key);
  if (value == nullptr || !value->is_string()) refuse("metadata without " + std::string(key));
  return value->get<std::string>();
}

/// The list under `key`; an empty one when there is none.
const Meta& list(const Meta& map, const char* key) {
  static const Meta none = Meta::array();
  const auto* value = find(map, key);
  if (value == nullptr) return none;
  if (!value->is_array()) refuse("metadata with " + std::string(key) + " that is no list");
  return *value;
}

Json arguments(const Meta& kernel) {
  Json out = Json::array();
  for (const auto& arg : list(kernel, ".args"))
    out.push_back({{"offset", number(arg, ".offset")}, {"size", number(arg, ".size")}, {"kind", text(arg, ".value_kind")}});
  return out;
}

/// The bytes of a function; empty when the file does not have it.
llvm::ArrayRef<std::uint8_t> find_code(const File& file, const std::string& name) {
  const auto sections = checked(file.sections());
  for (const auto& section : sections) {
    if (section.sh_type != llvm::ELF::SHT_DYNSYM && section.sh_type != llvm::ELF::SHT_SYMTAB) continue;
    const auto names = checked(file.getStringTableForSymtab(section, sections));
    for (const auto& symbol : checked(file.symbols(&section))) {
      if (symbol.getType() != llvm::ELF::STT_FUNC || symbol.st_shndx >= sections.size()) continue;
      if (checked(symbol.getName(names)) != name) continue;
      const auto& home = sections[symbol.st_shndx];
      const auto bytes = checked(file.getSectionContents(home));
      const std::uint64_t offset = symbol.st_value - home.sh_addr;
      if (symbol.st_value < home.sh_addr || offset > bytes.size() || symbol.st_size > bytes.size() - offset)
        refuse("a function '" + name + "' outside its section");
      return bytes.slice(offset, symbol.st_size);
    }
  }
  return {};
}

void add_counts(Json& report, const InstructionCounts& counts) {
  report["instructions"] = counts.all;
  report["flat"] = counts.flat;
  report["scratch"] = counts.scratch;
  report["matrix"] = counts.matrix;
}

Json describe_kernel(const File& file, const std::string& arch, const Meta& kernel, bool counts) {
  const auto name = text(kernel, ".name");
  const auto code = find_code(file, name);
  Json report = {{"name", name},
                 {"vgprs", number(kernel, ".vgpr_count")},
                 {"agprs", number(kernel, ".agpr_count")},
                 {"sgprs", number(kernel, ".sgpr_count")},
                 {"vgpr_spills", number(kernel, ".vgpr_spill_count")},
                 {"sgpr_spills", number(kernel, ".sgpr_spill_count")},
                 {"scratch_bytes", number(kernel, ".private_segment_fixed_size")},
                 {"lds_bytes", number(kernel, ".group_segment_fixed_size")},
                 {"kernarg_bytes", number(kernel, ".kernarg_segment_size")},
                 {"wave", number(kernel, ".wavefront_size")},
                 {"max_items", number(kernel, ".max_flat_workgroup_size")},
                 {"code_bytes", code.size()}};
  if (counts) add_counts(report, count_instructions(arch, code));
  report["args"] = arguments(kernel);
  return report;
}

} // namespace

nlohmann::ordered_json inspect_object(std::string_view bytes, bool counts) {
  const auto file = open_file(bytes);
  const auto& header = file.getHeader();
  const std::uint32_t flags = header.e_flags;
  const auto arch = arch_name(flags & llvm::ELF::EF_AMDGPU_MACH);
  const auto metadata = find_metadata(file);
  const auto root = read_metadata(metadata);
  if (!root || find(*root, "amdhsa.kernels") == nullptr) refuse("an AMDGPU ELF file without readable metadata");
  Json report = {{"arch", arch},
                 {"abi", static_cast<unsigned>(header.e_ident[llvm::ELF::EI_ABIVERSION])},
                 {"e_flags", flags},
                 {"bytes", bytes.size()},
                 {"kernels", Json::array()}};
  for (const auto& kernel : list(*root, "amdhsa.kernels"))
    report["kernels"].push_back(describe_kernel(file, arch, kernel, counts));
  return report;
}

} // namespace twinir
