// SPDX-License-Identifier: MIT
#include "emit/cpp/record.hpp"

#include "dsl/error.hpp"
#include "dsl/target.hpp"
#include "emit/cpp/attributes.hpp"
#include "emit/cpp/build.hpp"
#include "emit/cpp/compat.hpp"
#include "emit/cpp/intrinsics.hpp"
#include "emit/cpp/llvm_target.hpp"

#include <llvm/IR/Constants.h>

namespace twinir {
namespace {
using Json = nlohmann::ordered_json;

std::string between(std::string_view text, std::string_view start, std::string_view end) {
  const auto from = text.find(start);
  if (from == std::string_view::npos) return {};
  const auto begin = from + start.size();
  return std::string(text.substr(begin, text.find(end, begin) - begin));
}

std::string printed(const llvm::Constant& constant) {
  std::string text;
  llvm::raw_string_ostream out(text);
  constant.print(out);
  return out.str();
}

/// An empty kernel with one parameter.
llvm::Function* make_kernel(llvm::Module& module, bool pointer) {
  auto& context = module.getContext();
  llvm::Type* type = pointer ? static_cast<llvm::Type*>(llvm::PointerType::get(context, 1)) : llvm::Type::getInt32Ty(context);
  auto* shape = llvm::FunctionType::get(llvm::Type::getVoidTy(context), {type}, false);
  auto* function = llvm::Function::Create(shape, llvm::Function::ExternalLinkage, "k", module);
  function->setCallingConv(llvm::CallingConv::AMDGPU_KERNEL);
  function->getArg(0)->setName("p");
  auto builder = compat::make_builder(module);
  builder.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", function));
  builder.CreateRetVoid();
  return function;
}

Json record_kernel(const std::string& waves) {
  llvm::LLVMContext context;
  llvm::Module module("k", context);
  set_kernel_attributes(*make_kernel(module, false), {"{items}", "{target}", waves});
  const auto text = print_function(module);
  return {{"comment", text.comment}, {"group", text.group}};
}

std::string record_param(ParamKind kind, bool dereferenceable) {
  constexpr std::uint64_t align = 4096, bytes = 123456789;
  llvm::LLVMContext context;
  llvm::Module module("k", context);
  const bool pointer = kind != ParamKind::value;
  set_param_attributes(*make_kernel(module, pointer), 0, kind, align, dereferenceable ? bytes : 0);
  auto text = between(print_function(module).line, pointer ? "(ptr addrspace(1) " : "(i32 ", " %p)");
  text = replaced(std::move(text), "align " + std::to_string(align), "align {align}");
  return replaced(std::move(text), std::to_string(bytes), "{deref}");
}

Json record_params() {
  Json params = {{"value", record_param(ParamKind::value, false)}};
  for (const auto kind : {ParamKind::in, ParamKind::out, ParamKind::inout}) {
    const std::string name(to_string(kind));
    params[name] = record_param(kind, false);
    params[name + ".deref"] = record_param(kind, true);
  }
  return params;
}

bool numbers_operands_first() {
  llvm::LLVMContext context;
  llvm::Module module("m", context);
  auto* word = llvm::MDNode::get(context, llvm::MDString::get(context, "x"));
  auto* node = llvm::MDNode::getDistinct(context, {nullptr, word});
  node->replaceOperandWith(0, node);
  module.getOrInsertNamedMetadata("m")->addOperand(node);
  return compat::print(module).find("!1 = distinct") != std::string::npos;
}

Json record_style() {
  llvm::LLVMContext context;
  const auto half = printed(*llvm::ConstantFP::get(llvm::Type::getHalfTy(context), 1.0));
  if (half != "half 0xH3C00" && half != "half 1.000000e+00") throw InternalError("an unknown form of float literal: " + half);
  auto* seven = llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), 7);
  const auto vector = printed(*llvm::ConstantVector::getSplat(llvm::ElementCount::getFixed(4), seven));
  return {{"float", half == "half 0xH3C00" ? "hex" : "decimal"},
          {"splat", vector == "<4 x i32> splat (i32 7)"},
          {"metadata", numbers_operands_first() ? "postorder" : "preorder"}};
}

Json record_targets() {
  Json targets = Json::object();
  for (const auto& target : all_targets())
    targets[std::string(target.name)] = {{"known", knows_target(target.name)}, {"triple", compat::triple(target.name)}};
  return targets;
}

std::string record_intrinsics() {
  std::string text;
  for (const auto& row : all_ops()) {
    if (find_intrinsic(row.op) == nullptr) continue;
    if (!text.empty()) text += ",";
    text += "\n" + Json(row.name).dump() + ":" + record_intrinsic(row.op).dump();
  }
  return text;
}

} // namespace

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

PrintedFunction print_function(llvm::Module& module) {
  const auto text = compat::print(module);
  const bool declared = text.find("\ndeclare ") != std::string::npos;
  auto line = (declared ? "declare " : "define ") + between(text, declared ? "\ndeclare " : "\ndefine ", "\n");
  if (const auto number = line.rfind(" #"); number != std::string::npos) line.resize(number);
  return {between(text, "; Function Attrs: ", "\n"), line, between(text, "attributes #0 = { ", " }\n")};
}

std::string record_flavor() {
  const Json head = {{"schema", "twinir-flavor-1"}, {"flavor", flavor_name()}, {"llvm", build.llvm}};
  auto text = head.dump();
  text.pop_back();
  const Json kernels = {{"plain", record_kernel("")}, {"waves", record_kernel("{waves}")}};
  const std::pair<const char*, Json> sections[] = {{"datalayout", data_layout().getStringRepresentation()},
                                                   {"targets", record_targets()},
                                                   {"style", record_style()},
                                                   {"kernel", kernels},
                                                   {"params", record_params()}};
  for (const auto& [key, value] : sections) text += ",\n\"" + std::string(key) + "\":" + value.dump();
  return text + ",\n\"intrinsics\":{" + record_intrinsics() + "}}\n";
}

} // namespace twinir
