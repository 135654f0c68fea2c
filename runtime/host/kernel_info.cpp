// SPDX-License-Identifier: MIT
#include "runtime/host/kernel_info.hpp"

#include "runtime/host/refusal.hpp"

namespace twinir::exec {

using namespace llvm;

namespace {

StringRef attribute(const Function& kernel, StringRef name) {
  return kernel.getFnAttribute(name).getValueAsString();
}

bool has_feature(const Function& kernel, StringRef feature) {
  SmallVector<StringRef> features;
  attribute(kernel, "target-features").split(features, ',');
  return is_contained(features, feature);
}

std::uint32_t wave_size(const Function& kernel) {
  if (has_feature(kernel, "+wavefrontsize64")) return 64;
  if (has_feature(kernel, "+wavefrontsize32")) return 32;
  return attribute(kernel, "target-cpu").starts_with("gfx9") ? 64 : 32;
}

void describe_argument(const Argument& argument, const DataLayout& layout, KernelImage& image) {
  Type* type = argument.hasByRefAttr() ? argument.getParamByRefType() : argument.getType();
  const Align align = argument.hasByRefAttr()
                          ? argument.getParamAlign().value_or(layout.getABITypeAlign(type))
                          : layout.getABITypeAlign(type);
  KernelArgument described;
  described.name = argument.getName().str();
  described.offset = alignTo(image.kernarg_bytes, align);
  described.size = layout.getTypeAllocSize(type);
  described.type = printed([&](raw_ostream& out) { type->print(out); });
  described.writable = !argument.onlyReadsMemory() || argument.hasByRefAttr();
  image.kernarg_bytes = described.offset + described.size;
  image.arguments.push_back(std::move(described));
}

void describe_shape(const Function& kernel, GroupShape& shape) {
  if (const MDNode* node = kernel.getMetadata("reqd_work_group_size");
      node != nullptr && node->getNumOperands() == 3)
    for (unsigned i = 0; i < 3; ++i)
      shape.block[i] =
          static_cast<std::uint32_t>(mdconst::extract<ConstantInt>(node->getOperand(i))->getZExtValue());
  const auto [least, most] = attribute(kernel, "amdgpu-flat-work-group-size").split(',');
  std::uint32_t low = 0;
  std::uint32_t high = 0;
  if (least.getAsInteger(10, low) || most.getAsInteger(10, high) || low > high) return;
  shape.least = low;
  shape.most = std::min(high, 1024u);
}

} // namespace

Function& only_kernel(Module& module) {
  Function* kernel = nullptr;
  unsigned count = 0;
  for (Function& function : module)
    if (function.getCallingConv() == CallingConv::AMDGPU_KERNEL && !function.isDeclaration()) {
      kernel = &function;
      ++count;
    }
  if (count != 1)
    throw Refusal{ExecCode::unsupported, std::to_string(count) + " kernels in the module",
                  "exactly one amdgpu_kernel", "pass one kernel a module"};
  return *kernel;
}

void describe_kernel(const Function& kernel, KernelImage& image) {
  image.name = kernel.getName().str();
  for (const Argument& argument : kernel.args()) describe_argument(argument, kernel.getDataLayout(), image);
  describe_shape(kernel, image.shape);
  image.wave = wave_size(kernel);
}

std::uint64_t lds_limit(const Function& kernel) {
  struct Limit {
    StringRef cpu;
    std::uint64_t bytes;
  };
  constexpr std::uint64_t usual = 65536;
  const Limit limits[] = {{"gfx1250", 327680}, {"gfx1251", 327680}, {"gfx950", 163840}};
  const StringRef cpu = attribute(kernel, "target-cpu");
  for (const Limit& limit : limits)
    if (cpu == limit.cpu) return limit.bytes;
  return usual;
}

void check_lds_size(const KernelImage& image, std::uint64_t limit) {
  if (image.lds_bytes <= limit) return;
  throw Refusal{ExecCode::lds_too_large, std::to_string(image.lds_bytes) + " bytes of LDS",
                "at most " + std::to_string(limit) + " bytes, the target's limit", "use smaller LDS arrays"};
}

} // namespace twinir::exec
