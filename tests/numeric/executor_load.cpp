// SPDX-License-Identifier: MIT
// Loading: what a kernel says about itself, and what is refused.
#include "executor_support.hpp"

namespace {

using namespace twinir;
using namespace twinir::test;

std::string load_code(const KernelText& text) {
  return thrown_by([&] { (void)load(text); }).code;
}
std::string load_message(const KernelText& text) {
  return thrown_by([&] { (void)load(text); }).text;
}

KernelText with_lds(unsigned bytes, const std::string& cpu) {
  return {.arguments = "ptr addrspace(1) %out",
          .body = "  %v = load i8, ptr addrspace(3) @lds\n  store i8 %v, ptr addrspace(1) %out",
          .cpu = cpu,
          .globals =
              "@lds = internal addrspace(3) global [" + std::to_string(bytes) + " x i8] poison, align 16"};
}

TEST_CASE("a kernel describes its arguments with the device's layout") {
  const host::Kernel kernel = load({.arguments = "ptr addrspace(1) %a, i8 %b, i64 %c, <3 x float> %d, half "
                                                 "%e, ptr addrspace(4) byref({i32, i64}) %f",
                                    .body = "",
                                    .block = 96});
  const host::KernelInfo& info = kernel.info();
  REQUIRE(info.arguments.size() == 6);
  const std::uint64_t offsets[] = {0, 8, 16, 32, 48, 56};
  const std::uint64_t sizes[] = {8, 1, 8, 16, 2, 16};
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(info.arguments[i].offset == offsets[i]);
    CHECK(info.arguments[i].size == sizes[i]);
  }
  CHECK(info.arguments[3].type == "<3 x float>");
  CHECK(info.kernarg_bytes == 72);
  CHECK(info.name == "k");
  CHECK(info.wave == 32);
  CHECK(info.block == std::array<std::uint32_t, 3>{96, 1, 1});
}

TEST_CASE("the wave size follows target and features") {
  const auto wave = [](const char* cpu, const char* features) {
    return load({.arguments = "", .body = "", .cpu = cpu, .features = features}).info().wave;
  };
  CHECK(wave("gfx1250", "") == 32);
  CHECK(wave("gfx950", "") == 64);
  CHECK(wave("gfx1201", "") == 32);
  CHECK(wave("gfx1150", "+wavefrontsize64") == 64);
}

TEST_CASE("LDS beyond the target's limit is refused with both numbers (trial 26)") {
  struct Limit {
    const char* cpu;
    unsigned bytes;
  };
  for (const Limit limit : {Limit{"gfx1150", 65536}, Limit{"gfx1201", 65536}, Limit{"gfx950", 163840},
                            Limit{"gfx1250", 327680}}) {
    CHECK(load(with_lds(limit.bytes, limit.cpu)).info().lds_bytes == limit.bytes);
    const std::string message = load_message(with_lds(limit.bytes + 1, limit.cpu));
    CHECK(contains(message, "TIR1005"));
    CHECK(contains(message, std::to_string(limit.bytes + 1)));
    CHECK(contains(message, std::to_string(limit.bytes)));
  }
}

TEST_CASE("unknown intrinsics and foreign constructs are refused by name") {
  const KernelText unknown{
      .arguments = "ptr addrspace(1) %p",
      .body = "  %v = call i32 @llvm.amdgcn.s.getreg(i32 1)\n  store i32 %v, ptr addrspace(1) %p"};
  CHECK(load_code(unknown) == "TIR5001");
  CHECK(contains(load_message(unknown), "llvm.amdgcn.s.getreg"));
  CHECK(load_code({.arguments = "", .body = "  call void @llvm.amdgcn.s.barrier.signal(i32 3)"}) ==
        "TIR5001");
  CHECK(load_code({.arguments = "", .body = "  call void asm sideeffect \"s_nop 0\", \"\"()"}) == "TIR5001");
  CHECK(load_code({.arguments = "", .body = "  call void @other()", .globals = "declare void @other()"}) ==
        "TIR5001");
  CHECK(load_code({.arguments = "", .body = "  call void @llvm.debugtrap()"}) == "TIR5001");
  CHECK(contains(load_message({.arguments = "float %x, ptr addrspace(1) %p",
                               .body = "  %y = call half @llvm.fptrunc.round.f16.f32(float %x, metadata "
                                       "!\"round.upward\")\n  store half %y, ptr addrspace(1) %p"}),
                 "llvm.fptrunc.round.f16.f32"));
  CHECK(contains(load_message({.arguments = "fp128 %x, ptr addrspace(1) %p",
                               .body = "  %y = fadd fp128 %x, %x\n  store fp128 %y, ptr addrspace(1) %p"}),
                 "__addtf3"));
  CHECK(load_code({.arguments = "ptr %p", .body = "  store i32 0, ptr %p"}) == "TIR5001");
  CHECK(load_code({.arguments = "", .body = "  call void asm sideeffect \"\", \"\"()"}).empty());
}

TEST_CASE("a select between LDS and global pointers is refused (trial 25)") {
  const std::string body = R"(
  %c = icmp eq i32 %t, 0
  %a = addrspacecast ptr addrspace(3) @lds to ptr
  %b = addrspacecast ptr addrspace(1) %p to ptr
  %s = select i1 %c, ptr %a, ptr %b
  %q = getelementptr i32, ptr %s, i32 1
  %v = load i32, ptr %q
  store i32 %v, ptr addrspace(1) %p)";
  const std::string message =
      load_message({.arguments = "ptr addrspace(1) %p",
                    .body = body,
                    .globals = "@lds = internal addrspace(3) global [2 x i32] poison"});
  CHECK(contains(message, "TIR5001"));
  CHECK(contains(message, "flat pointer"));
}

TEST_CASE("a module needs exactly one kernel that LLVM accepts") {
  const auto refused = [](const std::string& text) {
    return thrown_by([&] { (void)executor().load(text); }).code;
  };
  CHECK(refused("this is not IR") == "TIR3004");
  CHECK(refused("target triple = \"amdgcn-amd-amdhsa\"\n") == "TIR5001");
  CHECK(refused("target triple = \"x86_64-linux-gnu\"\n") == "TIR5001");
  CHECK(refused("target triple = \"amdgcn-amd-amdhsa\"\ndefine amdgpu_kernel void @a() {\n ret void\n}\n"
                "define amdgpu_kernel void @b() {\n ret void\n}\n") == "TIR5001");
  CHECK(refused("target triple = \"amdgcn-amd-amdhsa\"\ndefine amdgpu_kernel void @a(i32 %x) {\n"
                "  %y = add i32 %x, %z\n  %z = add i32 %x, 1\n ret void\n}\n") == "TIR3004");
}

TEST_CASE("functions that the kernel calls are part of it") {
  const KernelText text{.arguments = "ptr addrspace(1) %in, ptr addrspace(1) %out",
                        .body = "  %p = getelementptr i32, ptr addrspace(1) %out, i32 %t\n"
                                "  %v = call i32 @twice(i32 %t)\n  store i32 %v, ptr addrspace(1) %p",
                        .globals =
                            "define i32 @twice(i32 %x) noinline {\n  %y = shl i32 %x, 1\n  ret i32 %y\n}"};
  const host::Kernel kernel = load(text);
  const host::Buffer out = output_of(256);
  host::KernelArguments arguments(kernel.info());
  arguments.set(0, out).set(1, out);
  CHECK(clean(kernel.run(arguments, {.block = {64, 1, 1}})));
  CHECK(out.as<int>()[63] == 126);
}

TEST_CASE("two kernels live side by side, and a missing plugin is an error of its own") {
  const KernelText one{.arguments = "ptr addrspace(1) %p", .body = "  store i32 1, ptr addrspace(1) %p"};
  const KernelText two{.arguments = "ptr addrspace(1) %p", .body = "  store i32 2, ptr addrspace(1) %p"};
  const host::Kernel first = load(one);
  const host::Kernel second = load(two);
  const host::Buffer out = output_of(4);
  host::KernelArguments arguments(first.info());
  arguments.set(0, out);
  (void)second.run(arguments, {.block = {64, 1, 1}});
  CHECK(out.as<int>()[0] == 2);
  (void)first.run(arguments, {.block = {64, 1, 1}});
  CHECK(out.as<int>()[0] == 1);
  CHECK(thrown_by([] { (void)host::HostExecutor::open("/nowhere/twinir-exec-22.so"); }).code == "TIR4006");
  CHECK(thrown_by([] { (void)host::find_plugin(7); }).code == "TIR4006");
}

} // namespace
