// SPDX-License-Identifier: MIT
// gfx950's loads into LDS: where their bytes go, that they are there only after a wait, and what is refused.
#include <algorithm>

#include "executor_support.hpp"

namespace {

using namespace twinir;
using namespace twinir::test;

/// The operand of s_waitcnt that waits for vmcnt alone.
std::string wait(int count) {
  const int packed = 0x0F70 | (count & 15) | (count >> 4) << 14;
  return "  call void @llvm.amdgcn.s.waitcnt(i32 " + std::to_string(packed) + ")\n";
}

struct Case {
  int bytes = 16;
  std::string base = "getelementptr i8, ptr addrspace(3) @lds, i32 0"; ///< of the first copy
  std::string between = wait(0);
  std::string guard = "true"; ///< of the copies
  bool checked = true;
  std::string cpu = "gfx950";
};

/// Lane i copies `bytes` from byte bytes * (63 - i) of the input, and again 1024 bytes behind; out has all of
/// LDS that is copied.
std::string body_of(const Case& c) {
  const auto copy = [&](int offset) {
    return "  call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) %src, ptr addrspace(3) %base, i32 " +
           std::to_string(c.bytes) + ", i32 " + std::to_string(offset) + ", i32 0)\n";
  };
  return "  %last = sub i32 63, %t\n  %so = mul i32 %last, " + std::to_string(c.bytes) +
         "\n  %src = getelementptr i8, ptr addrspace(1) %in, i32 %so\n  %base = " + c.base + "\n  br i1 " +
         c.guard + ", label %copy, label %on\ncopy:\n" + copy(0) + copy(1024) + "  br label %on\non:\n" +
         c.between + "  %n = xor i32 %t, 1\n  %no = mul i32 %n, " + std::to_string(c.bytes) +
         "\n  %l = getelementptr i8, ptr addrspace(3) @lds, i32 %no\n  %a = load i32, ptr addrspace(3) %l, "
         "align 4\n"
         "  %l2 = getelementptr i8, ptr addrspace(3) %l, i32 1024\n  %b = load i32, ptr addrspace(3) %l2, "
         "align 4\n"
         "  %s = sub i32 %b, %a\n  %p = getelementptr i32, ptr addrspace(1) %out, i32 %t\n"
         "  store i32 %s, ptr addrspace(1) %p, align 4\n";
}

host::LaunchReport run(const Case& c, std::vector<int>* out = nullptr, const std::string& after = "") {
  const host::Kernel kernel =
      load({.arguments = "ptr addrspace(1) %in, ptr addrspace(1) %out",
            .body = body_of(c) + after,
            .block = 64,
            .cpu = c.cpu,
            .globals = "@lds = internal addrspace(3) global [2048 x i8] poison, align 16"},
           c.checked);
  std::vector<int> values(512);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>(i * i);
  const host::Buffer in = buffer_of(values), result = output_of(256);
  host::KernelArguments arguments(kernel.info());
  arguments.set(0, in).set(1, result);
  host::LaunchReport report = kernel.run(arguments, {.block = {64, 1, 1}});
  if (out != nullptr) *out = values_of<int>(result);
  return report;
}

bool has(const host::LaunchReport& report, const std::string& code) {
  return std::ranges::any_of(report.faults, [&](const host::Fault& f) { return f.code == code; });
}

TEST_CASE("lane i's bytes go to base + i times their number, from its own address") {
  for (const int bytes : {4, 12, 16}) {
    INFO(bytes);
    std::vector<int> out;
    CHECK(clean(run({.bytes = bytes}, &out)));
    for (int i = 0; i < 64; ++i) {
      const int from = bytes / 4 * (63 - (i ^ 1)), behind = from + 256;
      CHECK(out[static_cast<std::size_t>(i)] == behind * behind - from * from);
    }
  }
}

TEST_CASE("lanes that are off leave their place in LDS as it was") {
  // Every lane reads its neighbour's place, at two sites: those of even lanes nobody wrote.
  const auto report = run({.base = "getelementptr i8, ptr addrspace(3) @lds, i32 0\n  %bit = and i32 %t, 1\n "
                                   " %odd = icmp ne i32 %bit, 0",
                           .guard = "%odd"});
  CHECK(report.faults.size() == 2);
  for (const auto& fault : report.faults) {
    CHECK(fault.code == "TIR5004");
    CHECK(fault.count == 32);
  }
}

TEST_CASE("loads into LDS without a wait, or with one that is too weak, fault") {
  for (const bool checked : {true, false}) {
    const auto report = run({.between = "", .checked = checked});
    CHECK(has(report, "TIR5009"));
    CHECK(has(report, "TIR5004") == checked);
  }
  const auto weak = run({.between = wait(1)});
  CHECK(has(weak, "TIR5004"));
  CHECK(has(weak, "TIR5009"));
  const auto late = run({.between = wait(1)}, nullptr, wait(0));
  CHECK(has(late, "TIR5004"));
  CHECK(!has(late, "TIR5009"));
  CHECK(clean(run({.between = wait(2) + wait(63) + wait(1) + wait(0)})));
  CHECK(has(run({.between = wait(16)}), "TIR5009"));
}

TEST_CASE("a base that differs between lanes is a fault") {
  const auto report = run({.base = "getelementptr i8, ptr addrspace(3) @lds, i32 %t"});
  const auto fault = std::ranges::find(report.faults, "TIR5007", &host::Fault::code);
  REQUIRE(fault != report.faults.end());
  CHECK(contains(fault->found, "an LDS base that is not the same in the whole wave"));
  CHECK(contains(fault->ir, "global.load.lds"));
}

TEST_CASE("a copy past the group's LDS and one to an odd place fault") {
  CHECK(has(run({.base = "getelementptr i8, ptr addrspace(3) @lds, i32 16"}), "TIR5003"));
  CHECK(has(run({.bytes = 4, .base = "getelementptr i8, ptr addrspace(3) @lds, i32 2"}), "TIR5012"));
}

TEST_CASE("other sizes and other targets are refused") {
  CHECK(thrown_by([] { (void)run({.bytes = 8}); }).code == "TIR5001");
  CHECK(thrown_by([] { (void)run({.cpu = "gfx1250"}); }).code == "TIR5001");
}

} // namespace
