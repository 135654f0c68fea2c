// SPDX-License-Identifier: MIT
#include "emit/cpp/emitter.hpp"

#include "dsl/error.hpp"
#include "emit/cpp/attributes.hpp"
#include "emit/cpp/handlers.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/ValueSymbolTable.h>

namespace twinir {
namespace {

constexpr unsigned lds_address_space = 3;

llvm::Type* make_scalar(llvm::LLVMContext& context, Scalar scalar) {
  switch (scalar) {
  case Scalar::none: return llvm::Type::getVoidTy(context);
  case Scalar::f16: return llvm::Type::getHalfTy(context);
  case Scalar::bf16: return llvm::Type::getBFloatTy(context);
  case Scalar::f32: return llvm::Type::getFloatTy(context);
  case Scalar::f64: return llvm::Type::getDoubleTy(context);
  case Scalar::p1: return llvm::PointerType::get(context, 1);
  case Scalar::p3: return llvm::PointerType::get(context, lds_address_space);
  case Scalar::p4: return llvm::PointerType::get(context, 4);
  case Scalar::p8: return llvm::PointerType::get(context, 8);
  default: return llvm::IntegerType::get(context, bit_width(scalar));
  }
}

std::uint64_t pack(Type type) { return static_cast<std::uint64_t>(type.scalar) << 6 | type.lanes; }

} // namespace

Emitter::Emitter(llvm::Module& module, const KernelDef& kernel)
    : context_(module.getContext()), module_(module), kernel_(kernel), builder_(compat::make_builder(module)) {
  for (std::size_t i = 0; i < scalar_table.size(); ++i) scalars_[i] = make_scalar(context_, static_cast<Scalar>(i));
}

void Emitter::run() {
  module_.addModuleFlag(llvm::Module::Error, "amdhsa_code_object_version", 600);
  make_lds();
  make_function();
  enter(block("entry"));
  statements(kernel_.body);
  builder_.CreateRetVoid();
}

void Emitter::make_lds() {
  lds_.reserve(kernel_.lds.size());
  for (const auto& array : kernel_.lds) {
    auto* shape = llvm::ArrayType::get(type(array.element), static_cast<std::uint64_t>(array.count));
    auto* global = new llvm::GlobalVariable(module_, shape, false, llvm::GlobalValue::InternalLinkage,
                                            llvm::PoisonValue::get(shape), kernel_.name + "." + array.name, nullptr,
                                            llvm::GlobalValue::NotThreadLocal, lds_address_space);
    global->setAlignment(llvm::Align(static_cast<std::uint64_t>(array.align)));
    lds_.push_back(global);
  }
}

void Emitter::make_function() {
  std::vector<llvm::Type*> types;
  for (const auto& param : kernel_.params) types.push_back(type(param.type));
  auto* shape = llvm::FunctionType::get(type({}), types, false);
  function_ = llvm::Function::Create(shape, llvm::Function::ExternalLinkage, kernel_.name, module_);
  function_->setCallingConv(llvm::CallingConv::AMDGPU_KERNEL);
  for (unsigned i = 0; i < kernel_.params.size(); ++i) {
    const auto& param = kernel_.params[i];
    function_->getArg(i)->setName(param.name);
    set_param_attributes(*function_, i, param.kind, static_cast<std::uint64_t>(param.align),
                         static_cast<std::uint64_t>(param.dereferenceable));
  }
  const auto waves = kernel_.waves_per_eu == 0 ? "" : std::to_string(kernel_.waves_per_eu);
  set_kernel_attributes(*function_, {std::to_string(kernel_.items()), kernel_.target, waves});
  llvm::Metadata* extents[3];
  for (int i = 0; i < 3; ++i)
    extents[i] = llvm::ConstantAsMetadata::get(builder_.getInt32(static_cast<std::uint32_t>(kernel_.block[i])));
  function_->setMetadata("reqd_work_group_size", llvm::MDNode::get(context_, extents));
}

llvm::Type* Emitter::type(Type t) {
  auto* element = scalars_[static_cast<std::size_t>(t.scalar)];
  return t.is_vector() ? llvm::FixedVectorType::get(element, t.lanes) : element;
}

llvm::Value* Emitter::value(const Operand& operand) {
  return operand.is_constant() ? constant(operand) : named(operand.name);
}

llvm::Value* Emitter::named(const std::string& name) {
  if (name[0] == '@') {
    for (std::size_t i = 0; i < lds_.size(); ++i)
      if (name.compare(1, std::string::npos, kernel_.lds[i].name) == 0) return lds_[i];
    throw InternalError("unknown LDS array '" + name + "'");
  }
  // LLVM's own symbol table: a name that was given is a name that is found.
  if (auto* found = function_->getValueSymbolTable()->lookup(name)) return found;
  throw InternalError("unknown value '" + name + "'");
}

llvm::Constant* Emitter::scalar(Type t, std::uint64_t bits) {
  auto* ty = type(t);
  if (t.is_float()) return llvm::ConstantFP::get(context_, llvm::APFloat(ty->getFltSemantics(), llvm::APInt(bit_width(t.scalar), bits)));
  if (t.is_int()) return llvm::ConstantInt::get(context_, llvm::APInt(bit_width(t.scalar), bits));
  if (bits == 0) return llvm::Constant::getNullValue(ty);
  throw InternalError("a pointer constant that is not null");
}

llvm::Constant* Emitter::constant(const Operand& operand) {
  const Type t = operand.type;
  if (operand.poison) return llvm::PoisonValue::get(type(t));
  if (!t.is_vector()) return scalar(t, operand.bits[0]);
  if (operand.bits.size() == 1)
    return llvm::ConstantVector::getSplat(llvm::ElementCount::getFixed(t.lanes), scalar(t.element(), operand.bits[0]));
  std::vector<llvm::Constant*> lanes;
  lanes.reserve(operand.bits.size());
  for (const auto bits : operand.bits) lanes.push_back(scalar(t.element(), bits));
  return llvm::ConstantVector::get(lanes);
}

llvm::Type* Emitter::overload(const Stmt& stmt, const IntrinsicWord& word) {
  if (word.kind == IntrinsicWord::Kind::result) return type(stmt.type);
  if (word.kind == IntrinsicWord::Kind::operand) return type(stmt.args[static_cast<std::size_t>(word.value)].type);
  if (const auto t = parse_type(word.text)) return type(*t);
  throw InternalError("bad overload in intrinsics.def: " + std::string(word.text));
}

llvm::Function* Emitter::declaration(const Stmt& stmt, const IntrinsicInfo& intrinsic) {
  std::uint64_t key = static_cast<std::uint64_t>(stmt.op);
  llvm::SmallVector<llvm::Type*, 3> types;
  for (const auto& word : intrinsic.overloads) {
    types.push_back(overload(stmt, word));
    const Type t = word.kind == IntrinsicWord::Kind::operand ? stmt.args[static_cast<std::size_t>(word.value)].type : stmt.type;
    key = key << 12 | pack(t);
  }
  auto& slot = declarations_[key];
  if (slot == nullptr) slot = compat::declare(module_, intrinsic.id, types);
  return slot;
}

void Emitter::insert(llvm::Instruction* instruction, llvm::StringRef name) {
  builder_.Insert(instruction, name);
  if (instruction->getName() != name) throw InternalError("the name '" + name.str() + "' was given twice");
}

llvm::BasicBlock* Emitter::block(const std::string& name) { return llvm::BasicBlock::Create(context_, name); }

void Emitter::enter(llvm::BasicBlock* block) {
  block->insertInto(function_);
  builder_.SetInsertPoint(block);
}

void Emitter::statements(const std::vector<Stmt>& list) {
  for (const auto& stmt : list) find_handler(stmt.op)(*this, stmt);
}

} // namespace twinir
