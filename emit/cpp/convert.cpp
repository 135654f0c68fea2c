// SPDX-License-Identifier: MIT
// Conversions.
#include "dsl/error.hpp"
#include "emit/cpp/handlers.hpp"

#include <utility>

namespace twinir::handlers {
namespace {

using Opcode = llvm::Instruction::CastOps;

constexpr std::pair<Op, Opcode> opcodes[] = {
    {Op::trunc, llvm::Instruction::Trunc},     {Op::zext, llvm::Instruction::ZExt},
    {Op::sext, llvm::Instruction::SExt},       {Op::fptrunc, llvm::Instruction::FPTrunc},
    {Op::fpext, llvm::Instruction::FPExt},     {Op::fptoui, llvm::Instruction::FPToUI},
    {Op::fptosi, llvm::Instruction::FPToSI},   {Op::uitofp, llvm::Instruction::UIToFP},
    {Op::sitofp, llvm::Instruction::SIToFP},   {Op::bitcast, llvm::Instruction::BitCast}};

Opcode opcode(Op op) {
  for (const auto& [key, code] : opcodes)
    if (key == op) return code;
  throw InternalError("no cast opcode for '" + std::string(info(op).name) + "'");
}

} // namespace

void cast(Emitter& e, const Stmt& s) {
  e.insert(llvm::CastInst::Create(opcode(s.op), e.arg(s, 0), e.type(s.type)), s.name);
}

} // namespace twinir::handlers
