// SPDX-License-Identifier: MIT
// Helpers of the host executor's tests: kernels from a few lines of IR, launches, expected faults.
#pragma once
#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "dsl/error.hpp"
#include "runtime/host_executor.hpp"

namespace twinir::test {

/// The plugin of the newest LLVM that was built.
[[nodiscard]] host::HostExecutor& executor();

/// The surroundings of a kernel's body.
struct KernelText {
  std::string arguments; ///< "ptr addrspace(1) %out, i32 %n"
  std::string body;      ///< instructions; without a final "ret void"
  unsigned block = 64;   ///< items, in x
  std::string cpu = "gfx1250";
  std::string globals = {};  ///< LDS arrays, tables, declarations
  std::string features = {}; ///< "+wavefrontsize64"
};

/// A module with the kernel @k. The body sees %t (workitem.id.x), %g (workgroup.id.x) and %i = %g * block +
/// %t.
[[nodiscard]] std::string module_text(const KernelText& text);
/// Loads it.
[[nodiscard]] host::Kernel load(const KernelText& text, bool checked = true, unsigned opt_level = 2);

/// Bytes of a value list.
template <class Value>
[[nodiscard]] host::Buffer buffer_of(const std::vector<Value>& values, const char* name = "in") {
  host::Buffer buffer = executor().alloc(values.size() * sizeof(Value), name, false);
  buffer.write(values);
  return buffer;
}
template <class Value> [[nodiscard]] std::vector<Value> values_of(const host::Buffer& buffer) {
  const auto span = buffer.as<Value>();
  return {span.begin(), span.end()};
}
[[nodiscard]] host::Buffer output_of(std::size_t bytes, const char* name = "out");

/// Runs out[i] = f(in[i]) for a kernel of (ptr in, ptr out): `steps` computes %y of type `to` from %x of type
/// `from`. Requires a clean report.
struct MapText {
  std::string from;
  std::string to;
  std::string steps;
  std::string cpu = "gfx1250";
};
[[nodiscard]] host::Kernel load_map(const MapText& text, bool checked = true);
template <class Out, class In>
[[nodiscard]] std::vector<Out> map(const MapText& text, std::vector<In> values, bool checked = true) {
  const std::size_t count = values.size();
  values.resize((count + 63) / 64 * 64);
  const host::Kernel kernel = load_map(text, checked);
  const host::Buffer in = buffer_of(values);
  const host::Buffer out = output_of(values.size() * sizeof(Out));
  host::KernelArguments arguments(kernel.info());
  arguments.set(0, in).set(1, out);
  const host::LaunchReport report =
      kernel.run(arguments, {.grid = {static_cast<unsigned>(values.size() / 64), 1, 1}, .block = {64, 1, 1}});
  for (const host::Fault& fault : report.faults) FAIL_CHECK(fault.text());
  std::vector<Out> result = values_of<Out>(out);
  result.resize(count);
  return result;
}

/// The fault of a code, or a failed test.
[[nodiscard]] host::Fault only_fault(const host::LaunchReport& report, const std::string& code);
/// Whether the report has no faults; prints them.
[[nodiscard]] bool clean(const host::LaunchReport& report);
/// Code and text of the UserError that `act` throws; an empty code when it throws none.
struct Thrown {
  std::string code;
  std::string text;
};
template <class Act> [[nodiscard]] Thrown thrown_by(Act&& act) {
  try {
    act();
  } catch (const UserError& error) {
    return {to_string(error.code()), error.what()};
  }
  return {};
}
[[nodiscard]] bool contains(std::string_view text, std::string_view part);

} // namespace twinir::test
