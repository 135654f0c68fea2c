// SPDX-License-Identifier: MIT
// Calls of intrinsics, and the value that the optimiser cannot see through.
#include "dsl/error.hpp"
#include "emit/cpp/handlers.hpp"

#include <llvm/IR/InlineAsm.h>

namespace twinir::handlers {
namespace {

llvm::Value* immediate(llvm::Type* type, std::int64_t value) {
  const unsigned width = type->getIntegerBitWidth();
  return llvm::ConstantInt::get(type->getContext(), llvm::APInt(64, static_cast<std::uint64_t>(value)).trunc(width));
}

llvm::Value* call_operand(Emitter& e, const Stmt& s, const IntrinsicWord& word, llvm::Type* type) {
  switch (word.kind) {
  case IntrinsicWord::Kind::operand: return e.arg(s, static_cast<std::size_t>(word.value));
  case IntrinsicWord::Kind::integer: return immediate(type, word.value);
  case IntrinsicWord::Kind::attribute: return immediate(type, s.value(word.text));
  default: throw InternalError("bad operand in intrinsics.def for '" + std::string(info(s.op).name) + "'");
  }
}

} // namespace

void call(Emitter& e, const Stmt& s) {
  const auto& intrinsic = *find_intrinsic(s.op);
  auto* function = e.declaration(s, intrinsic);
  auto* shape = function->getFunctionType();
  if (shape->getNumParams() != intrinsic.operands.size())
    throw InternalError("intrinsics.def has " + std::to_string(intrinsic.operands.size()) + " operands for " +
                        function->getName().str());
  llvm::SmallVector<llvm::Value*, 8> operands;
  for (unsigned i = 0; i < shape->getNumParams(); ++i)
    operands.push_back(call_operand(e, s, intrinsic.operands[i], shape->getParamType(i)));
  e.insert(llvm::CallInst::Create(shape, function, operands), s.name);
}

// s_waitcnt of gfx9: vmcnt in bits 0 to 3 and 14 to 15, the other counters at their greatest, which waits for
// nothing.
void wait_load_lds(Emitter& e, const Stmt& s) {
  constexpr std::int64_t others = 0x0F70;
  auto* function = e.declaration(s, *find_intrinsic(s.op));
  auto* shape = function->getFunctionType();
  const auto count = s.value("count");
  auto* packed = immediate(shape->getParamType(0), others | (count & 15) | (count >> 4) << 14);
  e.insert(llvm::CallInst::Create(shape, function, {packed}), s.name);
}

void opaque(Emitter& e, const Stmt& s) {
  auto* value = e.arg(s, 0);
  auto* shape = llvm::FunctionType::get(value->getType(), {value->getType()}, false);
  auto* code = llvm::InlineAsm::get(shape, "", "=" + s.word("register") + ",0", true);
  e.insert(llvm::CallInst::Create(shape, code, {value}), s.name);
}

} // namespace twinir::handlers
