// SPDX-License-Identifier: MIT
#include "emit/cpp/disassemble.hpp"

#include "emit/cpp/compat_target.hpp"
#include "emit/cpp/llvm_target.hpp"

#include <llvm/MC/MCDisassembler/MCDisassembler.h>
#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCTargetOptions.h>
#include <map>
#include <mutex>
#include <vector>

namespace twinir {
namespace {

enum class Kind : std::uint8_t { other, flat, scratch, matrix };

Kind kind_of(llvm::StringRef name) {
  if (name.starts_with("FLAT_")) return Kind::flat;
  if (name.starts_with("SCRATCH_")) return Kind::scratch;
  for (const char* prefix : {"V_WMMA", "V_SWMMAC", "V_MFMA", "V_SMFMAC"})
    if (name.starts_with(prefix)) return Kind::matrix;
  return Kind::other;
}

/// Everything about a processor that does not change from one call to the next.
struct Processor {
  std::string triple;
  std::unique_ptr<llvm::MCRegisterInfo> registers;
  std::unique_ptr<llvm::MCAsmInfo> info;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget;
  std::unique_ptr<llvm::MCInstrInfo> instructions;
  std::vector<Kind> kinds; // by opcode

  explicit Processor(const std::string& arch) : triple(compat::triple(arch)) {
    const auto& backend = amdgpu_backend();
    registers = compat::create_registers(backend, triple);
    info = compat::create_asm_info(backend, triple, *registers, options);
    subtarget = compat::create_subtarget(backend, triple, arch);
    instructions.reset(backend.createMCInstrInfo());
    for (unsigned opcode = 0; opcode < instructions->getNumOpcodes(); ++opcode)
      kinds.push_back(kind_of(instructions->getName(opcode)));
  }

private:
  llvm::MCTargetOptions options;
};

const Processor& processor(const std::string& arch) {
  static std::mutex mutex;
  static std::map<std::string, Processor> all;
  const std::scoped_lock lock(mutex);
  return all.try_emplace(arch, arch).first->second;
}

void count(InstructionCounts& counts, Kind kind) {
  ++counts.all;
  if (kind == Kind::flat) ++counts.flat;
  if (kind == Kind::scratch) ++counts.scratch;
  if (kind == Kind::matrix) ++counts.matrix;
}

} // namespace

InstructionCounts count_instructions(const std::string& arch, llvm::ArrayRef<std::uint8_t> code) {
  InstructionCounts counts;
  if (code.empty() || !knows_target(arch)) return counts;
  const auto& cpu = processor(arch);
  const auto context = compat::create_mc_context(cpu.triple, *cpu.info, *cpu.registers, *cpu.subtarget);
  const std::unique_ptr<llvm::MCDisassembler> disassembler(amdgpu_backend().createMCDisassembler(*cpu.subtarget, *context));
  constexpr std::uint64_t word = 4;
  while (!code.empty()) {
    llvm::MCInst instruction;
    std::uint64_t size = 0;
    const auto status = disassembler->getInstruction(instruction, size, code, 0, llvm::nulls());
    if (status == llvm::MCDisassembler::Success) count(counts, cpu.kinds[instruction.getOpcode()]);
    code = code.drop_front(std::min<std::uint64_t>(std::max(size, word), code.size()));
  }
  return counts;
}

} // namespace twinir
