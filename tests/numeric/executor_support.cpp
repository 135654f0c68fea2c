// SPDX-License-Identifier: MIT
#include "executor_support.hpp"

namespace twinir::test {

host::HostExecutor& executor() {
  static host::HostExecutor opened = [] {
    for (unsigned major = 24; major > 22; --major) {
      try {
        return host::HostExecutor::open(host::find_plugin(major));
      } catch (const UserError&) {
      }
    }
    return host::HostExecutor::open(host::find_plugin(22));
  }();
  return opened;
}

std::string module_text(const KernelText& text) {
  const std::string block = std::to_string(text.block);
  const std::string features = text.features.empty() ? "" : " \"target-features\"=\"" + text.features + "\"";
  return "target triple = \"amdgcn-amd-amdhsa\"\n" + text.globals + "\ndefine amdgpu_kernel void @k(" +
         text.arguments +
         ") #0 !reqd_work_group_size !0 {\n"
         "  %t = call i32 @llvm.amdgcn.workitem.id.x()\n"
         "  %g = call i32 @llvm.amdgcn.workgroup.id.x()\n"
         "  %gb = mul i32 %g, " +
         block +
         "\n"
         "  %i = add i32 %gb, %t\n" +
         text.body +
         "\n  ret void\n}\n"
         "attributes #0 = { \"target-cpu\"=\"" +
         text.cpu + "\"" + features + " \"amdgpu-flat-work-group-size\"=\"" + block + "," + block +
         "\" }\n"
         "!0 = !{i32 " +
         block + ", i32 1, i32 1}\n";
}

host::Kernel load(const KernelText& text, bool checked, unsigned opt_level) {
  return executor().load(module_text(text), {.checked = checked, .opt_level = opt_level});
}

host::Buffer output_of(std::size_t bytes, const char* name) { return executor().alloc(bytes, name, false); }

host::Kernel load_map(const MapText& text, bool checked) {
  const std::string body = "  %pi = getelementptr " + text.from +
                           ", ptr addrspace(1) %in, i32 %i\n"
                           "  %po = getelementptr " +
                           text.to +
                           ", ptr addrspace(1) %out, i32 %i\n"
                           "  %x = load " +
                           text.from + ", ptr addrspace(1) %pi, align 1\n" + text.steps + "\n  store " +
                           text.to + " %y, ptr addrspace(1) %po, align 1";
  return load({.arguments = "ptr addrspace(1) %in, ptr addrspace(1) %out", .body = body, .cpu = text.cpu},
              checked);
}

host::Fault only_fault(const host::LaunchReport& report, const std::string& code) {
  for (const host::Fault& fault : report.faults)
    if (fault.code != code) FAIL_CHECK("unexpected " + fault.text());
  if (report.faults.empty()) FAIL("no fault; expected " + code);
  return report.faults.front();
}

bool clean(const host::LaunchReport& report) {
  for (const host::Fault& fault : report.faults) UNSCOPED_INFO(fault.text());
  return report.faults.empty();
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

} // namespace twinir::test
