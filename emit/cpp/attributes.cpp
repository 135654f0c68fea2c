// SPDX-License-Identifier: MIT
#include "emit/cpp/attributes.hpp"

#include "emit/cpp/compat.hpp"

namespace twinir {

void set_kernel_attributes(llvm::Function& function, const KernelAttributes& values) {
  using llvm::Attribute;
  llvm::AttrBuilder builder(function.getContext());
  for (const auto kind : {Attribute::NoUnwind, Attribute::MustProgress, Attribute::NoRecurse, Attribute::WillReturn})
    builder.addAttribute(kind);
  builder.addAttribute("amdgpu-flat-work-group-size", values.items + "," + values.items);
  if (!values.waves.empty()) builder.addAttribute("amdgpu-waves-per-eu", values.waves);
  builder.addAttribute("target-cpu", values.target);
  builder.addAttribute("uniform-work-group-size", "true");
  function.addFnAttrs(builder);
}

void set_param_attributes(llvm::Function& function, unsigned index, ParamKind kind, std::uint64_t align,
                          std::uint64_t dereferenceable) {
  using llvm::Attribute;
  function.addParamAttr(index, Attribute::NoUndef);
  if (kind == ParamKind::value) return;
  auto& context = function.getContext();
  function.addParamAttr(index, Attribute::NoAlias);
  compat::no_capture(function, index);
  if (kind == ParamKind::in) function.addParamAttr(index, Attribute::ReadOnly);
  if (kind == ParamKind::out) function.addParamAttr(index, Attribute::WriteOnly);
  if (align != 0) function.addParamAttr(index, Attribute::getWithAlignment(context, llvm::Align(align)));
  if (dereferenceable != 0)
    function.addParamAttr(index, Attribute::getWithDereferenceableBytes(context, dereferenceable));
}

} // namespace twinir
