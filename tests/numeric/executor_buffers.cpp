// SPDX-License-Identifier: MIT
// Raw buffer resources: the range rule, both offsets, per access and not per element.
#include "executor_support.hpp"

namespace {

using namespace twinir;
using namespace twinir::test;

// Loads a pair at byte %o + %s and stores it at the same place of the output resource.
const KernelText pair_copy{.arguments = "ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %records, i32 %s",
                           .body = R"(
  %rin = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %in, i16 0, i64 %records, i32 822243328)
  %rout = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %out, i16 0, i64 %records, i32 822243328)
  %o = mul i32 %i, 8
  %v = call <2 x i32> @llvm.amdgcn.raw.ptr.buffer.load.v2i32(ptr addrspace(8) %rin, i32 %o, i32 %s, i32 0)
  %w = add <2 x i32> %v, <i32 1, i32 1>
  call void @llvm.amdgcn.raw.ptr.buffer.store.v2i32(<2 x i32> %w, ptr addrspace(8) %rout, i32 %o, i32 %s, i32 0))"};

struct Result {
  host::LaunchReport report;
  std::vector<int> out;
};

Result run(std::uint64_t records, int soffset, bool checked = true) {
  const host::Kernel kernel = load(pair_copy, checked);
  const host::Buffer in = buffer_of(std::vector<int>(128, 5));
  const host::Buffer out = output_of(512);
  host::KernelArguments arguments(kernel.info());
  arguments.set(0, in).set(1, out).set(2, records).set(3, soffset);
  host::LaunchReport report = kernel.run(arguments, {.block = {64, 1, 1}});
  return {std::move(report), values_of<int>(out)};
}

TEST_CASE("buffer accesses in range") {
  const Result result = run(512, 0);
  CHECK(clean(result.report));
  CHECK(result.report.clamped_buffer_accesses == 0);
  CHECK(result.out == std::vector<int>(128, 6));
}

TEST_CASE("buffer accesses out of range: loads give 0, stores vanish, whole accesses only") {
  for (const bool checked : {true, false}) {
    const Result result = run(508, 0, checked); // the last pair lies half outside
    CHECK(clean(result.report));
    CHECK(result.report.clamped_buffer_accesses == 2);
    CHECK(result.out[125] == 6);
    CHECK(result.out[126] == -1);
    CHECK(result.out[127] == -1);
    const Result shifted = run(512, 16, checked);
    CHECK(shifted.report.clamped_buffer_accesses == 4);
    CHECK(shifted.out[3] == -1);
    CHECK(shifted.out[4] == 6);
    CHECK(run(512, -16, checked).report.clamped_buffer_accesses == 128); // offsets are unsigned
  }
}

TEST_CASE("a resource larger than its buffer is caught in checked mode") {
  const Result result = run(1024, 16);
  const host::Fault fault = result.report.faults.front();
  CHECK(fault.code == "TIR5003");
  CHECK(fault.item == 62);
  CHECK(contains(fault.ir, "raw.ptr.buffer"));
  CHECK(result.report.faults.size() == 2);
}

TEST_CASE("a load out of range gives 0") {
  const host::Kernel kernel = load({.arguments = "ptr addrspace(1) %in, ptr addrspace(1) %out", .body = R"(
  %r = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %in, i16 0, i64 128, i32 0)
  %o = mul i32 %t, 4
  %v = call float @llvm.amdgcn.raw.ptr.buffer.load.f32(ptr addrspace(8) %r, i32 %o, i32 0, i32 0)
  %p = getelementptr float, ptr addrspace(1) %out, i32 %t
  store float %v, ptr addrspace(1) %p)"});
  const host::Buffer in = buffer_of(std::vector<float>(32, 2.5f));
  const host::Buffer out = output_of(256);
  host::KernelArguments arguments(kernel.info());
  arguments.set(0, in).set(1, out);
  CHECK(clean(kernel.run(arguments, {.block = {64, 1, 1}})));
  CHECK(out.as<float>()[31] == 2.5f);
  CHECK(out.as<float>()[32] == 0.0f);
}

TEST_CASE("several resources at once, chosen by lane") {
  const host::Kernel kernel = load({.arguments = "ptr addrspace(1) %a, ptr addrspace(1) %b", .body = R"(
  %ra = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %a, i16 0, i64 256, i32 0)
  %rb = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %b, i16 0, i64 256, i32 0)
  %odd = trunc i32 %t to i1
  %r = select i1 %odd, ptr addrspace(8) %ra, ptr addrspace(8) %rb
  %o = mul i32 %t, 4
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 %t, ptr addrspace(8) %r, i32 %o, i32 0, i32 0))"});
  const host::Buffer a = output_of(256);
  const host::Buffer b = output_of(256);
  host::KernelArguments arguments(kernel.info());
  arguments.set(0, a).set(1, b);
  CHECK(clean(kernel.run(arguments, {.block = {64, 1, 1}})));
  CHECK(a.as<int>()[5] == 5);
  CHECK(a.as<int>()[4] == -1);
  CHECK(b.as<int>()[4] == 4);
}

TEST_CASE("resources with a stride are refused") {
  const Thrown thrown = thrown_by([] {
    (void)load({.arguments = "ptr addrspace(1) %a", .body = R"(
  %r = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %a, i16 16, i64 256, i32 0)
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 %t, ptr addrspace(8) %r, i32 0, i32 0, i32 0))"});
  });
  CHECK(thrown.code == "TIR5001");
  CHECK(contains(thrown.text, "stride"));
}

} // namespace
