// SPDX-License-Identifier: MIT
// Asynchronous copies: done as late as the waits allow, so that a missing or weak wait shows.
#include "executor_support.hpp"

namespace {

using namespace twinir;
using namespace twinir::test;

// Two copies a lane into two halves of LDS; `between` stands before the reads. The second copy's immediate
// goes to both addresses.
host::LaunchReport run(const std::string& between, std::vector<int>* out = nullptr, bool checked = true,
                       const std::string& after = "") {
  const host::Kernel kernel =
      load({.arguments = "ptr addrspace(1) %in, ptr addrspace(1) %out",
            .body = R"(
  %o = mul i32 %t, 16
  %src = getelementptr i8, ptr addrspace(1) %in, i32 %o
  %dst = getelementptr i8, ptr addrspace(3) @lds, i32 %o
  call void @llvm.amdgcn.global.load.async.to.lds.b128(ptr addrspace(1) %src, ptr addrspace(3) %dst, i32 0, i32 0)
  call void @llvm.amdgcn.global.load.async.to.lds.b128(ptr addrspace(1) %src, ptr addrspace(3) %dst, i32 512, i32 0)
  )" + between + R"(
  %n = xor i32 %t, 1
  %no = mul i32 %n, 16
  %l = getelementptr i8, ptr addrspace(3) @lds, i32 %no
  %a = load <4 x i32>, ptr addrspace(3) %l, align 16
  %l2 = getelementptr i8, ptr addrspace(3) %l, i32 512
  %b = load <4 x i32>, ptr addrspace(3) %l2, align 16
  %s = sub <4 x i32> %b, %a
  %p = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %t
  store <4 x i32> %s, ptr addrspace(1) %p, align 16
  )" + after,
            .block = 32,
            .globals = "@lds = internal addrspace(3) global [1024 x i8] poison, align 16"},
           checked);
  std::vector<int> values(256);
  for (std::size_t i = 0; i < 256; ++i) values[i] = static_cast<int>(i * i);
  const host::Buffer in = buffer_of(values);
  const host::Buffer result = output_of(512);
  host::KernelArguments arguments(kernel.info());
  arguments.set(0, in).set(1, result);
  host::LaunchReport report = kernel.run(arguments, {.block = {32, 1, 1}});
  if (out != nullptr) *out = values_of<int>(result);
  return report;
}

std::string wait(int count) {
  return "call void @llvm.amdgcn.s.wait.asynccnt(i16 " + std::to_string(count) + ")\n";
}

bool has(const host::LaunchReport& report, const std::string& code) {
  return std::any_of(report.faults.begin(), report.faults.end(),
                     [&](const host::Fault& f) { return f.code == code; });
}

TEST_CASE("a wait for every copy gives the data, in one wave without a barrier") {
  std::vector<int> out;
  CHECK(clean(run(wait(0), &out)));
  for (int i = 0; i < 128; ++i) {
    const int from = (i / 4 ^ 1) * 4 + i % 4;
    CHECK(out[static_cast<std::size_t>(i)] == (from + 128) * (from + 128) - from * from);
  }
}

TEST_CASE("a kernel whose waits are deleted faults, checked or not") {
  for (const bool checked : {true, false}) {
    const host::LaunchReport report = run("", nullptr, checked);
    CHECK(has(report, "TIR5009"));
    CHECK(has(report, "TIR5004") == checked);
    for (const host::Fault& fault : report.faults)
      if (fault.code == "TIR5009") {
        CHECK(fault.found == "2 copies pending when the item ended");
        CHECK(contains(fault.ir, "global.load.async.to.lds.b128"));
        CHECK(fault.count == 32);
      }
  }
}

TEST_CASE("a wait that is one copy too weak faults") {
  const host::LaunchReport report = run(wait(1));
  CHECK(has(report, "TIR5004"));
  CHECK(has(report, "TIR5009"));
  const host::LaunchReport late = run(wait(1), nullptr, true, wait(0));
  CHECK(has(late, "TIR5004"));
  CHECK(!has(late, "TIR5009"));
  CHECK(clean(run(wait(1) + "  " + wait(0))));
  CHECK(clean(run(wait(2) + "  " + wait(0))));
}

TEST_CASE("other waits do not wait for copies") {
  CHECK(has(run("call void @llvm.amdgcn.s.wait.dscnt(i16 0)\n  call void @llvm.amdgcn.s.wait.loadcnt(i16 0)"),
            "TIR5009"));
}

TEST_CASE("copies of 4 and 8 bytes, and checks of both ends") {
  const auto copy = [](const std::string& width, int shift, bool checked = true) {
    const host::Kernel kernel =
        load({.arguments = "ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %shift",
              .body = "  %o = mul i32 %t, 8\n  %so = add i32 %o, %shift\n"
                      "  %src = getelementptr i8, ptr addrspace(1) %in, i32 %so\n"
                      "  %dst = getelementptr i8, ptr addrspace(3) @lds, i32 %so\n"
                      "  call void @llvm.amdgcn.global.load.async.to.lds." +
                      width + "(ptr addrspace(1) %src, ptr addrspace(3) %dst, i32 0, i32 0)\n" + wait(0) +
                      "  %v = load i32, ptr addrspace(3) %dst, align 4\n"
                      "  %p = getelementptr i32, ptr addrspace(1) %out, i32 %t\n"
                      "  store i32 %v, ptr addrspace(1) %p, align 4",
              .block = 32,
              .globals = "@lds = internal addrspace(3) global [256 x i8] poison, align 16"},
             checked);
    std::vector<int> values(64);
    for (std::size_t i = 0; i < 64; ++i) values[i] = static_cast<int>(i) + 1;
    const host::Buffer in = buffer_of(values);
    const host::Buffer out = output_of(128);
    host::KernelArguments arguments(kernel.info());
    arguments.set(0, in).set(1, out).set(2, shift);
    const host::LaunchReport report = kernel.run(arguments, {.block = {32, 1, 1}});
    return std::pair(report, out.as<int>()[3]);
  };
  for (const char* width : {"b32", "b64"}) {
    const auto [report, value] = copy(width, 0);
    CHECK(clean(report));
    CHECK(value == 7);
    CHECK(has(copy(width, 8).first, "TIR5003"));
    CHECK(has(copy(width, 8, false).first, "TIR5003"));
    CHECK(has(copy(width, 2).first, "TIR5012"));
  }
}

} // namespace
