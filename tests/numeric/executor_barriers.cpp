// SPDX-License-Identifier: MIT
// Barriers: those that open, and the five divergent forms of trial 28, which end the group with a fault.
#include "executor_support.hpp"

namespace {

using namespace twinir;
using namespace twinir::test;

host::LaunchReport run(const std::string& body, bool checked, std::uint32_t order = 0) {
  const host::Kernel kernel =
      load({.arguments = "ptr addrspace(1) %out",
            .body = body,
            .globals = "@lds = internal addrspace(3) global [64 x i32] poison, align 16"},
           checked);
  const host::Buffer out = output_of(256);
  host::KernelArguments arguments(kernel.info());
  arguments.set(0, out);
  return kernel.run(arguments, {.block = {64, 1, 1}, .lane_order = order});
}

// The same fault in both modes and for any order of the lanes.
void check_divergent(const std::string& body, const std::string& found) {
  for (const bool checked : {true, false})
    for (const std::uint32_t order : {0u, 1u, 2u}) {
      const host::Fault fault = only_fault(run(body, checked, order), "TIR5006");
      CHECK(contains(fault.found, found));
      CHECK(contains(fault.ir, "@llvm.amdgcn.s.barrier"));
    }
}

std::string guarded(const std::string& condition,
                    const std::string& barrier = "call void @llvm.amdgcn.s.barrier()") {
  return "  %c = icmp " + condition + "\n  br i1 %c, label %in, label %after\nin:\n  " + barrier +
         "\n  br label %after\nafter:";
}

TEST_CASE("trial 28: a barrier that 48 of 64 items reach") {
  check_divergent(guarded("ult i32 %t, 48"), "barrier reached by 48 of 64 items");
  CHECK(clean(run(guarded("ult i32 %t, 64"), true)));
}

TEST_CASE("trial 28: whole waves skip the barrier") {
  check_divergent(guarded("ult i32 %t, 32"), "barrier reached by 32 of 64 items; 32 have ended");
}

TEST_CASE("trial 28: some items return first") {
  check_divergent("  %c = icmp uge i32 %t, 60\n  br i1 %c, label %gone, label %on\ngone:\n  ret void\non:\n"
                  "  call void @llvm.amdgcn.s.barrier()",
                  "barrier reached by 60 of 64 items; 4 have ended");
}

std::string loop(const std::string& count) {
  return "  br label %head\nhead:\n  %k = phi i32 [ 0, %0 ], [ %k1, %body ]\n  %c = icmp ult i32 %k, " +
         count +
         "\n  br i1 %c, label %body, label %done\nbody:\n  call void @llvm.amdgcn.s.barrier()\n  %k1 = add "
         "i32 %k, 1\n"
         "  br label %head\ndone:";
}

TEST_CASE("trial 28: a barrier in a loop of t iterations") {
  check_divergent(loop("%t"), "barrier reached by 63 of 64 items; 1 have ended");
  CHECK(clean(run(loop("17"), true)));
}

TEST_CASE("trial 28: a barrier in both arms of an if") {
  const std::string body = "  %c = icmp ult i32 %t, 20\n  br i1 %c, label %a, label %b\n"
                           "a:\n  call void @llvm.amdgcn.s.barrier()\n  br label %after\n"
                           "b:\n  call void @llvm.amdgcn.s.barrier()\n  br label %after\nafter:";
  for (const bool checked : {true, false}) {
    const host::Fault fault = only_fault(run(body, checked), "TIR5006");
    CHECK(fault.found == "barrier reached by 20 of 64 items; 44 wait elsewhere");
  }
}

TEST_CASE("a split barrier opens only when everybody has signalled") {
  const std::string exchange = R"(
  %l = getelementptr i32, ptr addrspace(3) @lds, i32 %t
  store i32 %t, ptr addrspace(3) %l, align 4
  call void @llvm.amdgcn.s.barrier.signal(i32 -1)
  %f = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %t)
  call void @llvm.amdgcn.s.barrier.wait(i16 -1)
  %o = xor i32 %t, 63
  %m = getelementptr i32, ptr addrspace(3) @lds, i32 %o
  %v = load i32, ptr addrspace(3) %m, align 4
  %ok = icmp eq i32 %v, %o
  %w = select i1 %ok, i32 %f, i32 -5
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %w, ptr addrspace(1) %p, align 4)";
  for (const std::uint32_t order : {0u, 7u}) CHECK(clean(run(exchange, true, order)));
}

TEST_CASE("split barriers that cannot open") {
  const std::string wait = "call void @llvm.amdgcn.s.barrier.wait(i16 -1)";
  const std::string signal = "call void @llvm.amdgcn.s.barrier.signal(i32 -1)";
  const host::Fault never = only_fault(run("  " + wait, true), "TIR5006");
  CHECK(contains(never.found, "barrier reached by 0 of 64 items"));
  check_divergent(guarded("ult i32 %t, 40", signal) + "\n  " + wait, "barrier reached by 40 of 64 items");
  const host::Fault twice = only_fault(run("  " + signal + "\n  " + signal + "\n  " + wait, true), "TIR5006");
  CHECK(contains(twice.found, "second arrival"));
  CHECK(clean(run("  " + signal + "\n  " + wait + "\n  " + signal + "\n  " + wait, true)));
}

TEST_CASE("groups after a divergent one run as usual") {
  const host::Kernel kernel = load({.arguments = "ptr addrspace(1) %out", .body = R"(
  %lim = mul i32 %g, 32
  %c = icmp uge i32 %t, %lim
  br i1 %c, label %in, label %after
in:
  call void @llvm.amdgcn.s.barrier()
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 1, ptr addrspace(1) %p, align 4
  br label %after
after:)"});
  const host::Buffer out = output_of(3 * 256);
  host::KernelArguments arguments(kernel.info());
  arguments.set(0, out);
  const host::LaunchReport report = kernel.run(arguments, {.grid = {3, 1, 1}, .block = {64, 1, 1}});
  const host::Fault fault = only_fault(report, "TIR5006");
  CHECK(fault.group[0] == 1);
  CHECK(fault.item == 32);
  CHECK(fault.count == 1);
  CHECK(out.as<int>()[0] == 1);
  CHECK(out.as<int>()[127] == -1);
}

TEST_CASE("a barrier makes 10,000 rounds") { CHECK(clean(run(loop("10000"), false))); }

} // namespace
