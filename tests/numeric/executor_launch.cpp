// SPDX-License-Identifier: MIT
// Launching: validation, ids and hidden arguments, and the same result for any number of threads.
#include "executor_support.hpp"

namespace {

using namespace twinir;
using namespace twinir::test;

const KernelText nothing{.arguments = "ptr addrspace(1) %p, i32 %n", .body = "", .block = 256};

Thrown launch(const host::Kernel& kernel, const host::LaunchOptions& options, std::size_t bytes = 12) {
  const std::vector<std::byte> kernarg(bytes);
  return thrown_by([&] { (void)kernel.run(std::span<const std::byte>(kernarg), options); });
}

TEST_CASE("a launch that does not fit the kernel is refused (trial 26)") {
  const host::Kernel kernel = load(nothing);
  CHECK(launch(kernel, {.block = {256, 1, 1}}).code.empty());
  const Thrown twice = launch(kernel, {.block = {512, 1, 1}});
  CHECK(twice.code == "TIR5002");
  CHECK(contains(twice.text, "512x1x1"));
  CHECK(contains(twice.text, "256x1x1"));
  CHECK(launch(kernel, {.block = {16, 16, 1}}).code == "TIR5002");
  CHECK(launch(kernel, {.grid = {0, 1, 1}, .block = {256, 1, 1}}).code == "TIR5002");
  CHECK(launch(kernel, {.grid = {1, 1, 0}, .block = {256, 1, 1}}).code == "TIR5002");
  CHECK(launch(kernel, {.block = {256, 1, 1}}, 11).code == "TIR5002");
}

TEST_CASE("a kernel without a stated block takes any of an allowed size") {
  const std::string text =
      "target triple = \"amdgcn-amd-amdhsa\"\ndefine amdgpu_kernel void @k() #0 {\n  ret void\n}\n"
      "attributes #0 = { \"amdgpu-flat-work-group-size\"=\"32,128\" \"target-cpu\"=\"gfx1250\" }\n";
  const host::Kernel kernel = executor().load(text);
  CHECK(kernel.info().block == std::array<std::uint32_t, 3>{0, 0, 0});
  CHECK(launch(kernel, {.block = {8, 4, 4}}, 0).code.empty());
  CHECK(launch(kernel, {.block = {33, 1, 1}}, 0).code.empty());
  CHECK(launch(kernel, {.block = {31, 1, 1}}, 0).code == "TIR5002");
  CHECK(launch(kernel, {.block = {129, 1, 1}}, 0).code == "TIR5002");
}

const char* const ids = R"(
  %x = call i32 @llvm.amdgcn.workitem.id.x()
  %y = call i32 @llvm.amdgcn.workitem.id.y()
  %z = call i32 @llvm.amdgcn.workitem.id.z()
  %u = call i32 @llvm.amdgcn.workgroup.id.x()
  %v = call i32 @llvm.amdgcn.workgroup.id.y()
  %w = call i32 @llvm.amdgcn.workgroup.id.z()
  %h = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %hby = getelementptr i8, ptr addrspace(4) %h, i64 4
  %by = load i32, ptr addrspace(4) %hby
  %hgx = getelementptr i8, ptr addrspace(4) %h, i64 12
  %gx = load i16, ptr addrspace(4) %hgx
  %hdim = getelementptr i8, ptr addrspace(4) %h, i64 64
  %dim = load i16, ptr addrspace(4) %hdim
  %wv = mul i32 %w, 3
  %wv1 = add i32 %wv, %v
  %wv2 = mul i32 %wv1, 2
  %gid = add i32 %wv2, %u
  %zy = mul i32 %z, 4
  %zy1 = add i32 %zy, %y
  %zy2 = mul i32 %zy1, 8
  %lid = add i32 %zy2, %x
  %g64 = mul i32 %gid, 64
  %id = add i32 %g64, %lid
  %p = getelementptr [4 x i32], ptr addrspace(1) %out, i32 %id
  %gx32 = zext i16 %gx to i32
  %dim32 = zext i16 %dim to i32
  store i32 %id, ptr addrspace(1) %p
  %p1 = getelementptr i32, ptr addrspace(1) %p, i32 1
  store i32 %by, ptr addrspace(1) %p1
  %p2 = getelementptr i32, ptr addrspace(1) %p, i32 2
  store i32 %gx32, ptr addrspace(1) %p2
  %p3 = getelementptr i32, ptr addrspace(1) %p, i32 3
  store i32 %dim32, ptr addrspace(1) %p3
  ret void
})";

TEST_CASE("ids in three dimensions and hidden arguments") {
  const std::string text =
      "target triple = \"amdgcn-amd-amdhsa\"\ndefine amdgpu_kernel void @k(i32 %n, ptr addrspace(1) %out)"
      " !reqd_work_group_size !0 {" +
      std::string(ids) + "\n!0 = !{i32 8, i32 4, i32 2}\n";
  const host::Kernel kernel = executor().load(text, {.checked = true});
  const host::Buffer out = output_of(2 * 3 * 2 * 64 * 16);
  host::KernelArguments arguments(kernel.info());
  arguments.set(0, 7).set(1, out);
  CHECK(clean(kernel.run(arguments, {.grid = {2, 3, 2}, .block = {8, 4, 2}, .threads = 2})));
  const auto words = out.as<int>();
  for (int i = 0; i < 2 * 3 * 2 * 64; ++i) {
    REQUIRE(words[static_cast<std::size_t>(4 * i)] == i);
    REQUIRE(words[static_cast<std::size_t>(4 * i + 1)] == 3);
    REQUIRE(words[static_cast<std::size_t>(4 * i + 2)] == 8);
    REQUIRE(words[static_cast<std::size_t>(4 * i + 3)] == 3);
  }
}

// Every group races, shifts too far, reads what nobody wrote, and runs past the buffer.
const KernelText faulty{.arguments = "ptr addrspace(1) %out, i32 %n",
                        .body = R"(
  %slot = urem i32 %t, 7
  %l = getelementptr i32, ptr addrspace(3) @lds, i32 %slot
  store i32 %i, ptr addrspace(3) %l
  %wide = lshr i32 %i, %t
  call void @llvm.amdgcn.s.barrier()
  %r = add i32 %slot, 4
  %lr = getelementptr i32, ptr addrspace(3) @lds, i32 %r
  %v = load i32, ptr addrspace(3) %lr
  %s = add i32 %v, %wide
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %s, ptr addrspace(1) %p)",
                        .globals = "@lds = internal addrspace(3) global [12 x i32] poison, align 16"};

bool same(const host::LaunchReport& a, const host::LaunchReport& b) {
  if (a.faults.size() != b.faults.size()) return false;
  for (std::size_t i = 0; i < a.faults.size(); ++i)
    if (a.faults[i].text() != b.faults[i].text() || a.faults[i].count != b.faults[i].count) return false;
  return a.work_items == b.work_items && a.switches == b.switches && a.collectives == b.collectives &&
         a.checks == b.checks;
}

TEST_CASE("reports and buffers do not depend on the number of threads") {
  const host::Kernel kernel = load(faulty);
  const unsigned groups = 37;
  const auto run = [&](const host::Buffer& out, std::uint32_t threads, std::uint32_t order) {
    host::KernelArguments arguments(kernel.info());
    arguments.set(0, out).set(1, 0);
    return kernel.run(arguments,
                      {.grid = {groups, 1, 1}, .block = {64, 1, 1}, .threads = threads, .lane_order = order});
  };
  for (const std::uint32_t order : {0u, 1u, 99u}) {
    const host::Buffer one = output_of(groups * 256 - 64, "out");
    const host::LaunchReport first = run(one, 1, order);
    CHECK(first.faults.size() >= 4);
    for (const std::uint32_t threads : {2u, 4u, 0u}) {
      const host::Buffer other = output_of(groups * 256 - 64, "out");
      const host::LaunchReport report = run(other, threads, order);
      CHECK(same(first, report));
      CHECK(values_of<int>(one) == values_of<int>(other));
    }
  }
}

TEST_CASE("faults are sorted by code and place, and hold the first item") {
  const host::Kernel kernel = load(faulty);
  const host::Buffer out = output_of(37 * 256 - 64);
  host::KernelArguments arguments(kernel.info());
  arguments.set(0, out).set(1, 0);
  const host::LaunchReport report =
      kernel.run(arguments, {.grid = {37, 1, 1}, .block = {64, 1, 1}, .threads = 4, .lane_order = 5});
  CHECK(std::is_sorted(report.faults.begin(), report.faults.end(),
                       [](const host::Fault& a, const host::Fault& b) { return a.code < b.code; }));
  for (const host::Fault& fault : report.faults) {
    if (fault.code == "TIR5003") CHECK((fault.group[0] == 36 && fault.item == 48 && fault.count == 16));
    if (fault.code == "TIR5007") CHECK((fault.group[0] == 0 && fault.item == 32 && fault.count == 37 * 32));
    if (fault.code == "TIR5004") CHECK((fault.group[0] == 0 && fault.item == 3));
  }
}

TEST_CASE("a shuffled lane order changes who writes last, and nothing that is well defined") {
  const KernelText last{.arguments = "ptr addrspace(1) %out",
                        .body = "  store i32 %i, ptr addrspace(1) %out"};
  const host::Kernel kernel = load(last, false);
  const host::Buffer out = output_of(4);
  host::KernelArguments arguments(kernel.info());
  arguments.set(0, out);
  (void)kernel.run(arguments, {.block = {64, 1, 1}});
  CHECK(out.as<int>()[0] == 63);
  bool changed = false;
  for (std::uint32_t seed = 1; seed < 8; ++seed) {
    (void)kernel.run(arguments, {.block = {64, 1, 1}, .lane_order = seed});
    changed |= out.as<int>()[0] != 63;
  }
  CHECK(changed);
}

} // namespace
