// SPDX-License-Identifier: MIT
// Atomics across items, groups and host threads; what checked mode says of them; assertions and traps.
#include "executor_support.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace {

using namespace twinir;
using namespace twinir::test;

const std::string barrier = "  call void @llvm.amdgcn.s.barrier()\n";

/// What `update` on %p, a pointer to the only element of a buffer, leaves of `first`; 40 groups of 64 items.
template <class T> T updated(const std::string& update, T first, unsigned threads = 4) {
  const host::Kernel kernel = load({.arguments = "ptr addrspace(1) %p", .body = "  " + update + "\n"});
  const host::Buffer memory = buffer_of(std::vector<T>{first}, "counter");
  host::KernelArguments arguments(kernel.info());
  arguments.set(0, memory);
  CHECK(clean(kernel.run(arguments, {.grid = {40, 1, 1}, .block = {64, 1, 1}, .threads = threads})));
  return memory.as<T>()[0];
}

TEST_CASE("global atomics of all items, on several threads") {
  CHECK(updated<int>("%o = atomicrmw add ptr addrspace(1) %p, i32 1 syncscope(\"agent\") monotonic, align 4",
                     5) == 5 + 40 * 64);
  CHECK(updated<int>("%o = atomicrmw sub ptr addrspace(1) %p, i32 %i acq_rel, align 4", 0) ==
        -(40 * 64 - 1) * 40 * 64 / 2);
  CHECK(updated<int>("%o = atomicrmw max ptr addrspace(1) %p, i32 %i syncscope(\"agent\") monotonic, align 4",
                     -9) == 40 * 64 - 1);
  CHECK(updated<unsigned>("%o = atomicrmw umin ptr addrspace(1) %p, i32 %i monotonic, align 4", ~0u) == 0);
  CHECK(updated<long>(
            "%w = sext i32 %i to i64\n  %o = atomicrmw xor ptr addrspace(1) %p, i64 %w release, align 8",
            3l) == 3);
  CHECK(updated<float>(
            "%o = atomicrmw fadd ptr addrspace(1) %p, float 0.5 syncscope(\"agent\") monotonic, align 4",
            1.0f) == 1.0f + 20 * 64);
  CHECK(updated<double>("%f = sitofp i32 %i to double\n  %o = atomicrmw fmax ptr addrspace(1) %p, double %f "
                        "monotonic, align 8",
                        -1.0) == 40 * 64 - 1);
}

TEST_CASE("compare-exchange in a loop counts every item once") {
  CHECK(updated<int>(R"(%first = load atomic i32, ptr addrspace(1) %p monotonic, align 4
  br label %head
head:
  %old = phi i32 [ %first, %0 ], [ %found, %head ]
  %new = add i32 %old, 1
  %r.pair = cmpxchg ptr addrspace(1) %p, i32 %old, i32 %new syncscope("agent") acq_rel acquire, align 4
  %found = extractvalue { i32, i1 } %r.pair, 0
  %done = icmp eq i32 %found, %old
  br i1 %done, label %end, label %head
end:)",
                     7) == 7 + 40 * 64);
}

float extreme(const std::string& op, float memory, const std::string& value) {
  return updated<float>(
      "%o = atomicrmw " + op + " ptr addrspace(1) %p, float " + value + " monotonic, align 4", memory, 1);
}

TEST_CASE("float minima and maxima are AMDGPU's: a number before a NaN, -0 below +0") {
  CHECK(extreme("fmin", std::nanf(""), "2.0") == 2.0f);
  CHECK(extreme("fmax", 2.0f, "0x7FF8000000000000") == 2.0f);
  CHECK(std::signbit(extreme("fmin", 0.0f, "-0.0")));
  CHECK(!std::signbit(extreme("fmax", -0.0f, "0.0")));
  CHECK(extreme("fadd", 1e-45f, "0x36A0000000000000") == 2561 * 1e-45f); // 2560 items; subnormals are kept
}

TEST_CASE("an atomic is checked as any access: bounds, initialisation, alignment") {
  const host::Kernel kernel = load({.arguments = "ptr addrspace(1) %p, i32 %o", .body = R"(
  %q = getelementptr i8, ptr addrspace(1) %p, i32 %o
  %v = atomicrmw add ptr addrspace(1) %q, i32 1 monotonic, align 4)"});
  const host::Buffer good = buffer_of(std::vector<int>(4, 1), "counters"), fresh = output_of(16, "fresh");
  const auto run = [&](const host::Buffer& memory, int offset) {
    host::KernelArguments arguments(kernel.info());
    arguments.set(0, memory).set(1, offset);
    return kernel.run(arguments, {.block = {64, 1, 1}});
  };
  CHECK(clean(run(good, 12)));
  CHECK(contains(only_fault(run(good, 16), "TIR5003").found,
                 "atomic of 4 bytes at byte 16 of buffer 'counters'"));
  CHECK(only_fault(run(good, 2), "TIR5012").count == 64);
  const auto first = only_fault(run(fresh, 0), "TIR5004");
  CHECK(first.count == 1); // the first update writes it
  CHECK(contains(first.ir, "atomicrmw add"));
}

host::LaunchReport on_lds(const std::string& body) {
  const host::Kernel kernel =
      load({.arguments = "ptr addrspace(1) %out",
            .body = "  %mine = getelementptr i32, ptr addrspace(3) @lds, i32 %t\n"
                    "  store i32 0, ptr addrspace(3) %mine, align 4\n" +
                    barrier + body,
            .globals = "@lds = internal addrspace(3) global [64 x i32] poison, align 4"});
  const host::Buffer out = output_of(4);
  host::KernelArguments arguments(kernel.info());
  arguments.set(0, out);
  return kernel.run(arguments, {.block = {64, 1, 1}});
}

/// Is a race reported at such an instruction?
bool races_at(const host::LaunchReport& report, const std::string& ir) {
  return std::ranges::any_of(report.faults,
                             [&](const host::Fault& f) { return f.code == "TIR5005" && contains(f.ir, ir); });
}

TEST_CASE("LDS: atomics do not race with atomics, but with plain accesses of the same phase") {
  const std::string update =
      "  %o = atomicrmw add ptr addrspace(3) @lds, i32 1 syncscope(\"workgroup\") monotonic, align 4\n";
  const std::string read = "  %v = load i32, ptr addrspace(3) @lds, align 4\n";
  const std::string last = "  %c = icmp eq i32 %t, 63\n  br i1 %c, label %in, label %end\nin:\n";
  const std::string end = "  br label %end\nend:";
  CHECK(clean(on_lds(update + update.substr(0, 3) + "2" + update.substr(4) + barrier + read)));
  CHECK(clean(on_lds("  %o = atomicrmw fadd ptr addrspace(3) @lds, float 1.0 monotonic, align 4\n" + barrier +
                     read)));
  CHECK(only_fault(on_lds(read + update), "TIR5005").count > 0);
  // The item that updated last: others did before it, or do after it.
  CHECK(races_at(on_lds(update + last + read + end), "load i32"));
  CHECK(races_at(on_lds(update + last + "  store i32 1, ptr addrspace(3) @lds, align 4\n" + end),
                 "store i32 1"));
  CHECK(clean(on_lds(update + barrier + last + "  store i32 1, ptr addrspace(3) @lds, align 4\n" + end)));
}

const std::string assertion = R"(  %c = icmp ult i32 %t, %n
  br i1 %c, label %small.end, label %small.fail

small.fail:
  call void @llvm.trap()
  br label %small.end

small.end:
)";

TEST_CASE("an assertion that does not hold is reported with its name, condition and item, in both modes") {
  for (const bool checked : {true, false}) {
    const host::Kernel kernel =
        load({.arguments = "i32 %n", .body = assertion + barrier, .globals = "declare void @llvm.trap()"},
             checked);
    host::KernelArguments arguments(kernel.info());
    arguments.set(0, 64);
    CHECK(clean(kernel.run(arguments, {.grid = {2, 1, 1}, .block = {64, 1, 1}})));
    arguments.set(0, 40);
    const auto fault = only_fault(kernel.run(arguments, {.grid = {2, 1, 1}, .block = {64, 1, 1}}), "TIR5014");
    CHECK(fault.found == "assertion 'small' does not hold");
    CHECK(fault.ir == "br i1 %c, label %small.end, label %small.fail");
    CHECK(fault.item == 40);
    CHECK(fault.lane == 8);
    CHECK(fault.count == 48);
  }
}

TEST_CASE("a trap is reported; what follows it still runs") {
  const host::Kernel kernel =
      load({.arguments = "ptr addrspace(1) %out",
            .body = "  call void @llvm.trap()\n  store i32 5, ptr addrspace(1) %out, align 4",
            .globals = "declare void @llvm.trap()"});
  const host::Buffer out = output_of(4);
  host::KernelArguments arguments(kernel.info());
  arguments.set(0, out);
  const auto fault = only_fault(kernel.run(arguments, {.block = {64, 1, 1}}), "TIR5014");
  CHECK(fault.found == "a trap was reached");
  CHECK(fault.ir == "call void @llvm.trap()");
  CHECK(fault.count == 64);
  CHECK(out.as<int>()[0] == 5);
}

} // namespace
