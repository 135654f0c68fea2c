// SPDX-License-Identifier: MIT
// Integer and floating-point arithmetic.
#include "dsl/error.hpp"
#include "emit/cpp/handlers.hpp"

#include <utility>

namespace twinir::handlers {
namespace {

using Opcode = llvm::Instruction::BinaryOps;

constexpr std::pair<Op, Opcode> opcodes[] = {
    {Op::add, llvm::Instruction::Add},   {Op::sub, llvm::Instruction::Sub},   {Op::mul, llvm::Instruction::Mul},
    {Op::udiv, llvm::Instruction::UDiv}, {Op::sdiv, llvm::Instruction::SDiv}, {Op::urem, llvm::Instruction::URem},
    {Op::srem, llvm::Instruction::SRem}, {Op::and_, llvm::Instruction::And},  {Op::or_, llvm::Instruction::Or},
    {Op::xor_, llvm::Instruction::Xor},  {Op::shl, llvm::Instruction::Shl},   {Op::lshr, llvm::Instruction::LShr},
    {Op::ashr, llvm::Instruction::AShr}, {Op::fadd, llvm::Instruction::FAdd}, {Op::fsub, llvm::Instruction::FSub},
    {Op::fmul, llvm::Instruction::FMul}, {Op::fdiv, llvm::Instruction::FDiv}};

Opcode opcode(Op op) {
  for (const auto& [key, code] : opcodes)
    if (key == op) return code;
  throw InternalError("no binary opcode for '" + std::string(info(op).name) + "'");
}

void set_flags(llvm::Instruction& instruction, const Stmt& s) {
  if (s.flags.empty()) return;
  if (s.has("nuw")) instruction.setHasNoUnsignedWrap();
  if (s.has("nsw")) instruction.setHasNoSignedWrap();
  if (s.has("exact")) instruction.setIsExact();
  if (s.has("contract")) instruction.setHasAllowContract(true);
}

} // namespace

void binary(Emitter& e, const Stmt& s) {
  auto* left = e.arg(s, 0);
  auto* instruction = llvm::BinaryOperator::Create(opcode(s.op), left, e.arg(s, 1));
  set_flags(*instruction, s);
  e.insert(instruction, s.name);
}

void fneg(Emitter& e, const Stmt& s) { e.insert(llvm::UnaryOperator::CreateFNeg(e.arg(s, 0)), s.name); }

} // namespace twinir::handlers
