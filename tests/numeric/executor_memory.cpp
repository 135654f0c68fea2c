// SPDX-License-Identifier: MIT
// Checked memory: bounds, initialisation, alignment, LDS races; each fault with a near twin that has none.
#include "executor_support.hpp"

namespace {

using namespace twinir;
using namespace twinir::test;

const host::LaunchOptions one_group{.block = {64, 1, 1}};

// out[i + shift] = in[i + shift_in]
const KernelText copy{.arguments = "ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %si, i32 %so",
                      .body = R"(
  %a = add i32 %i, %si
  %b = add i32 %i, %so
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %a
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %b
  %v = load i32, ptr addrspace(1) %p, align 4
  store i32 %v, ptr addrspace(1) %q, align 4)"};

host::LaunchReport run_copy(const host::Buffer& in, const host::Buffer& out, int shift_in, int shift_out,
                            bool checked = true) {
  const host::Kernel kernel = load(copy, checked);
  host::KernelArguments arguments(kernel.info());
  arguments.set(0, in).set(1, out).set(2, shift_in).set(3, shift_out);
  return kernel.run(arguments, one_group);
}

TEST_CASE("an access outside a buffer is reported, and reads 0") {
  const host::Buffer in = buffer_of(std::vector<int>(64, 5), "input");
  const host::Buffer out = output_of(256, "output");
  CHECK(clean(run_copy(in, out, 0, 0)));
  const host::Fault read = only_fault(run_copy(in, out, 2, 0), "TIR5003");
  CHECK(read.item == 62);
  CHECK(read.count == 2);
  CHECK(read.lane == 30);
  CHECK(read.wave == 1);
  CHECK(read.ir == "%v = load i32, ptr addrspace(1) %p, align 4");
  CHECK(read.found == "load of 4 bytes at byte 256 of buffer 'input' of 256 bytes");
  CHECK(out.as<int>()[63] == 0);
  const host::Fault write = only_fault(run_copy(in, out, 0, -1), "TIR5003");
  CHECK(write.found == "store of 4 bytes at byte -4 of buffer 'output' of 256 bytes");
  CHECK(write.item == 0);
}

TEST_CASE("an access to no buffer at all is reported") {
  const host::Kernel kernel = load(copy);
  const host::Buffer out = output_of(256);
  host::KernelArguments arguments(kernel.info());
  arguments.set(0, std::uint64_t{0}).set(1, out).set(2, 4).set(3, 0);
  const host::Fault fault = only_fault(kernel.run(arguments, one_group), "TIR5003");
  CHECK(fault.found == "load of 4 bytes at 0x10: no buffer there");
}

TEST_CASE("reads of bytes that nobody wrote are reported, byte by byte") {
  host::Buffer in = output_of(256, "workspace");
  const host::Buffer out = output_of(256);
  in.write(std::vector<int>(32, 1));
  const host::Fault fault = only_fault(run_copy(in, out, 0, 0), "TIR5004");
  CHECK(fault.item == 32);
  CHECK(fault.count == 32);
  CHECK(contains(fault.found, "4 bytes at byte 128 of buffer 'workspace'"));
  in.write_bytes(std::vector<std::byte>(255));
  CHECK(only_fault(run_copy(in, out, 0, 0), "TIR5004").item == 63);
  in.mark_written();
  CHECK(clean(run_copy(in, out, 0, 0)));
}

TEST_CASE("what a launch writes counts as written, checked or not") {
  const host::Buffer in = buffer_of(std::vector<int>(64, 5));
  for (const bool checked : {true, false}) {
    const host::Buffer middle = output_of(256);
    const host::Buffer out = output_of(256);
    CHECK(clean(run_copy(in, middle, 0, 0, checked)));
    CHECK(clean(run_copy(middle, out, 0, 0)));
    CHECK(out.as<int>()[63] == 5);
  }
}

TEST_CASE("unchecked: a stray access ends its group, not the process") {
  const host::Buffer in = buffer_of(std::vector<int>(64, 5), "input");
  const host::Buffer out = output_of(256, "output");
  for (const std::string extra : {"", "  %f = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %v)\n"}) {
    KernelText text = copy;
    text.body += "\n" + extra;
    const host::Kernel kernel = load(text, false);
    host::KernelArguments arguments(kernel.info());
    arguments.set(0, in).set(1, out).set(2, 1 << 28).set(3, 0);
    for (const unsigned threads : {1u, 4u}) {
      const host::Fault fault = only_fault(
          kernel.run(arguments, {.grid = {5, 1, 1}, .block = {64, 1, 1}, .threads = threads}), "TIR5003");
      CHECK(fault.item == 0);
      CHECK(fault.count == 5);
      CHECK(fault.found ==
            "an access at byte 1073741824 of buffer 'input' of 256 bytes; the work-group ended");
    }
    arguments.set(2, 0);
    CHECK(clean(kernel.run(arguments, one_group)));
  }
}

TEST_CASE("fresh buffers hold poison and are aligned") {
  const host::Buffer buffer = output_of(1000);
  CHECK(reinterpret_cast<std::uintptr_t>(buffer.data()) % 256 == 0);
  CHECK(std::all_of(buffer.data(), buffer.data() + 1000, [](std::byte b) { return b == std::byte{0xff}; }));
  const host::Buffer empty = output_of(0);
  CHECK(empty.data() != nullptr);
  CHECK(thrown_by([] { (void)output_of(std::size_t{1} << 50); }).code == "TIR5011");
}

TEST_CASE("an address that is less aligned than promised is reported") {
  const KernelText text{.arguments = "ptr addrspace(1) %p, i32 %o", .body = R"(
  %q = getelementptr i8, ptr addrspace(1) %p, i32 %o
  store <4 x i32> zeroinitializer, ptr addrspace(1) %q, align 16)"};
  const host::Kernel kernel = load(text);
  const host::Buffer out = output_of(256);
  host::KernelArguments arguments(kernel.info());
  arguments.set(0, out).set(1, 16);
  CHECK(clean(kernel.run(arguments, one_group)));
  arguments.set(1, 24);
  CHECK(contains(only_fault(kernel.run(arguments, one_group), "TIR5012").found, "8 past a multiple of 16"));
  const host::Kernel unchecked = load(text, false);
  CHECK(clean(unchecked.run(arguments, one_group)));
}

TEST_CASE("tables of the module and hidden arguments are readable in checked mode") {
  const KernelText text{.arguments = "ptr addrspace(1) %out, i32 %n",
                        .body = R"(
  %e = getelementptr [4 x i32], ptr addrspace(4) @table, i32 0, i32 %n
  %v = load i32, ptr addrspace(4) %e
  %h = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %x = load i32, ptr addrspace(4) %h
  %s = add i32 %v, %x
  store i32 %s, ptr addrspace(1) %out)",
                        .globals =
                            "@table = private addrspace(4) constant [4 x i32] [i32 7, i32 8, i32 9, i32 10]"};
  const host::Kernel kernel = load(text);
  const host::Buffer out = output_of(4);
  host::KernelArguments arguments(kernel.info());
  arguments.set(0, out).set(1, 3);
  CHECK(clean(kernel.run(arguments, one_group)));
  CHECK(out.as<int>()[0] == 11);
  arguments.set(1, 4);
  CHECK(only_fault(kernel.run(arguments, one_group), "TIR5003").count == 64);
}

// lds[t] = t; (barrier); out[t] = lds[t + shift]
std::string exchange(const std::string& between) {
  return R"(
  %l = getelementptr i32, ptr addrspace(3) @lds, i32 %t
  store i32 %t, ptr addrspace(3) %l, align 4
  )" + between +
         R"(
  %o = add i32 %t, %shift
  %m = getelementptr i32, ptr addrspace(3) @lds, i32 %o
  %v = load i32, ptr addrspace(3) %m, align 4
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %v, ptr addrspace(1) %p, align 4)";
}

host::LaunchReport run_exchange(const std::string& between, int shift, unsigned size = 64,
                                std::uint32_t order = 0) {
  const host::Kernel kernel = load({.arguments = "ptr addrspace(1) %out, i32 %shift",
                                    .body = exchange(between),
                                    .globals = "@lds = internal addrspace(3) global [" +
                                               std::to_string(size) + " x i32] poison, align 16"});
  const host::Buffer out = output_of(256);
  host::KernelArguments arguments(kernel.info());
  arguments.set(0, out).set(1, shift);
  return kernel.run(arguments, {.block = {64, 1, 1}, .lane_order = order});
}

const std::string barrier = "call void @llvm.amdgcn.s.barrier()";
const std::string split =
    "call void @llvm.amdgcn.s.barrier.signal(i32 -1)\n  call void @llvm.amdgcn.s.barrier.wait(i16 -1)";
const std::string wave_barrier = "call void @llvm.amdgcn.wave.barrier()";

TEST_CASE("LDS: out of range and uninitialised") {
  CHECK(clean(run_exchange(barrier, 0)));
  const host::Fault far = only_fault(run_exchange(barrier, 1), "TIR5003");
  CHECK(far.item == 63);
  CHECK(far.found == "load of 4 bytes at byte 256 of the group's LDS of 256 bytes");
  CHECK(only_fault(run_exchange(barrier, -1), "TIR5003").item == 0);
  const host::Fault poison = only_fault(run_exchange(barrier, 1, 65), "TIR5004");
  CHECK(poison.item == 63);
  CHECK(contains(poison.found, "byte 256 of LDS"));
}

TEST_CASE("LDS: races between waves and inside a wave") {
  CHECK(clean(run_exchange("", 0)));
  CHECK(clean(run_exchange(barrier, 0)));
  CHECK(clean(run_exchange(split, 0)));
  for (const std::uint32_t order : {0u, 3u, 4u}) {
    const host::LaunchReport racy = run_exchange("", -1, 64, order);
    CHECK(std::any_of(racy.faults.begin(), racy.faults.end(),
                      [](const host::Fault& f) { return f.code == "TIR5005"; }));
  }
  const auto races = [](const host::LaunchReport& report) {
    std::uint64_t count = 0;
    for (const host::Fault& fault : report.faults) count += fault.code == "TIR5005" ? fault.count : 0;
    return count;
  };
  CHECK(races(run_exchange(barrier, -1)) == 0);
  CHECK(races(run_exchange(split, -1)) == 0);
  CHECK(races(run_exchange(wave_barrier, -1)) == 1); // item 32 reads what the other wave writes
}

// A store between signal and wait is ordered with neither side of the barrier.
TEST_CASE("LDS: the two halves of a split barrier order only what lies outside them") {
  const auto between = [](const std::string& inside) {
    return "call void @llvm.amdgcn.s.barrier.signal(i32 -1)\n" + inside +
           "\n  call void @llvm.amdgcn.s.barrier.wait(i16 -1)";
  };
  const std::string store = R"(
  %n = getelementptr i32, ptr addrspace(3) @lds, i32 %t
  store i32 7, ptr addrspace(3) %n, align 4)";
  CHECK(clean(run_exchange(between(store), 0)));
  const host::LaunchReport racy = run_exchange(between(store), -1);
  CHECK(std::any_of(racy.faults.begin(), racy.faults.end(),
                    [](const host::Fault& f) { return f.code == "TIR5005"; }));
  CHECK(only_fault(run_exchange(split, -1), "TIR5003").item == 0);
}

TEST_CASE("LDS: many readers, then one writer without a barrier") {
  const auto run = [](const std::string& between) {
    const host::Kernel kernel = load({.arguments = "ptr addrspace(1) %out",
                                      .body = R"(
  %first = icmp eq i32 %t, 0
  br i1 %first, label %init, label %go
init:
  store i32 1, ptr addrspace(3) @lds, align 4
  br label %go
go:
  call void @llvm.amdgcn.s.barrier()
  %v = load i32, ptr addrspace(3) @lds, align 4
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %v, ptr addrspace(1) %p, align 4
  )" + between + R"(
  %last = icmp eq i32 %t, 63
  br i1 %last, label %write, label %end
write:
  store i32 2, ptr addrspace(3) @lds, align 4
  br label %end
end:)",
                                      .globals = "@lds = internal addrspace(3) global i32 poison, align 4"});
    const host::Buffer out = output_of(256);
    host::KernelArguments arguments(kernel.info());
    arguments.set(0, out);
    return kernel.run(arguments, one_group);
  };
  CHECK(clean(run(barrier)));
  // The writer's own wave has read before it, whatever runs first.
  const host::LaunchReport racy = run("");
  CHECK(only_fault(racy, "TIR5005").count > 0);
  CHECK(std::any_of(racy.faults.begin(), racy.faults.end(), [](const host::Fault& fault) {
    return fault.item == 63 && contains(fault.found, "reads") && contains(fault.ir, "store i32 2");
  }));
}

TEST_CASE("LDS: atomics do not race with each other, bytes do not race with their neighbours") {
  const auto run = [](const std::string& update) {
    const host::Kernel kernel =
        load({.arguments = "ptr addrspace(1) %out",
              .body = R"(
  %first = icmp eq i32 %t, 0
  br i1 %first, label %init, label %go
init:
  store i32 0, ptr addrspace(3) @lds, align 4
  br label %go
go:
  call void @llvm.amdgcn.s.barrier()
  )" + update + R"(
  call void @llvm.amdgcn.s.barrier()
  %v = load i32, ptr addrspace(3) @lds, align 4
  store i32 %v, ptr addrspace(1) %out, align 4)",
              .globals = "@lds = internal addrspace(3) global [17 x i32] poison, align 4"});
    const host::Buffer out = output_of(4);
    host::KernelArguments arguments(kernel.info());
    arguments.set(0, out);
    const host::LaunchReport report = kernel.run(arguments, one_group);
    return std::pair(report, out.as<int>()[0]);
  };
  const auto atomic = run("%o = atomicrmw add ptr addrspace(3) @lds, i32 1 monotonic");
  CHECK(clean(atomic.first));
  CHECK(atomic.second == 64);
  const auto plain = run("%o = load i32, ptr addrspace(3) @lds, align 4\n  %n = add i32 %o, 1\n"
                         "  store i32 %n, ptr addrspace(3) @lds, align 4");
  CHECK(only_fault(plain.first, "TIR5005").count > 0);
  const auto bytes =
      run("%b = getelementptr i8, ptr addrspace(3) @lds, i32 %t\n  %c = getelementptr i8, ptr addrspace(3) "
          "%b, i32 4\n  %d = trunc i32 %t to i8\n  store i8 %d, ptr addrspace(3) %c, align 1");
  CHECK(clean(bytes.first));
}

TEST_CASE("every group starts with fresh LDS poison") {
  const host::Kernel kernel =
      load({.arguments = "ptr addrspace(1) %out",
            .body = R"(
  %l = getelementptr i32, ptr addrspace(3) @lds, i32 %t
  %v = load i32, ptr addrspace(3) %l, align 4
  store i32 %i, ptr addrspace(3) %l, align 4
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %v, ptr addrspace(1) %p, align 4)",
            .globals = "@lds = internal addrspace(3) global [64 x i32] poison, align 4"});
  const host::Buffer out = output_of(3 * 256);
  host::KernelArguments arguments(kernel.info());
  arguments.set(0, out);
  CHECK(only_fault(kernel.run(arguments, {.grid = {3, 1, 1}, .block = {64, 1, 1}, .threads = 1}), "TIR5004")
            .count == 192);
  for (const int value : out.as<int>()) CHECK(value == -1);
}

TEST_CASE("LDS pointers survive 32-bit integers, memcpy is checked as a range") {
  const host::Kernel kernel =
      load({.arguments = "ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n",
            .body = R"(
  %first = icmp eq i32 %t, 0
  br i1 %first, label %go, label %end
go:
  %a = ptrtoint ptr addrspace(3) @lds to i32
  %b = add i32 %a, 16
  %l = inttoptr i32 %b to ptr addrspace(3)
  call void @llvm.memcpy.p3.p1.i32(ptr addrspace(3) align 4 %l, ptr addrspace(1) align 4 %in, i32 %n, i1 false)
  call void @llvm.memcpy.p1.p3.i32(ptr addrspace(1) align 4 %out, ptr addrspace(3) align 4 %l, i32 %n, i1 false)
  br label %end
end:)",
            .globals = "@lds = internal addrspace(3) global [64 x i32] poison, align 16"});
  const host::Buffer in = buffer_of(std::vector<int>(64, 3));
  const host::Buffer out = output_of(256);
  host::KernelArguments arguments(kernel.info());
  arguments.set(0, in).set(1, out).set(2, 240);
  CHECK(clean(kernel.run(arguments, one_group)));
  CHECK(out.as<int>()[59] == 3);
  arguments.set(2, 244);
  CHECK(only_fault(kernel.run(arguments, one_group), "TIR5003").item == 0);
}

} // namespace
