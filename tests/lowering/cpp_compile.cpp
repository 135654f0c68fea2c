// SPDX-License-Identifier: MIT
// Kernels become code objects, with the same bytes every time.
#include "cpp_support.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <thread>
#include <unistd.h>

namespace twinir::lowering {
namespace {

/// Reverses 64 floats of each group through LDS.
const std::string reverse_body = R"({"op":"workitem.x","n":"t","t":"i32"},
{"op":"workgroup.x","n":"w","t":"i32"},
{"op":"shl","n":"m","t":"i32","a":["w",["i32","6"]]},
{"op":"add","n":"n","t":"i32","a":["m","t"]},
{"op":"gep","n":"a","t":"p1","e":"f32","a":["x","n"],"f":["inbounds"]},
{"op":"load","n":"v","t":"f32","a":["a"],"align":4},
{"op":"gep","n":"o","t":"p3","e":"f32","a":["@s","t"],"f":["inbounds"]},
{"op":"store","a":["v","o"],"align":4},
{"op":"fence","order":"release","scope":"workgroup"},
{"op":"barrier"},
{"op":"fence","order":"acquire","scope":"workgroup"},
{"op":"sub","n":"r","t":"i32","a":[["i32","3f"],"t"]},
{"op":"gep","n":"p","t":"p3","e":"f32","a":["@s","r"],"f":["inbounds"]},
{"op":"load","n":"u","t":"f32","a":["p"],"align":4},
{"op":"gep","n":"q","t":"p1","e":"f32","a":["y","n"],"f":["inbounds"]},
{"op":"store","a":["u","q"],"align":4})";

/// One matrix product per wave.
const std::string product_body = R"({"op":"workitem.x","n":"t","t":"i32"},
{"op":"gep","n":"pa","t":"p1","e":"v16f16","a":["x","t"],"f":["inbounds"]},
{"op":"load","n":"fa","t":"v16f16","a":["pa"],"align":32},
{"op":"wmma.f32.16x16x32.f16","n":"r","t":"v8f32","a":["fa","fa",["v8f32","0"]]},
{"op":"wmma.f32.16x16x32.bf16","n":"r2","t":"v8f32","a":["vb","vb","r"]},
{"op":"gep","n":"pd","t":"p1","e":"v8f32","a":["y","t"],"f":["inbounds"]},
{"op":"store","a":["r2","pd"],"align":32})";

std::string text_of(const LlvmPlugin& llvm, const std::string& body, const std::string& target) {
  KernelText k{body};
  k.target = target;
  return llvm.emit(k.json());
}

int temporary_folders() {
  int count = 0;
  for (const char* root : {"/dev/shm", "/tmp"})
    for (const auto& entry : std::filesystem::directory_iterator(root))
      count += entry.path().filename().string().starts_with("twinir-" + std::to_string(getpid()) + "-") ? 1 : 0; // of this process
  return count;
}

} // namespace

TEST_CASE("kernels compile for every target the plugin knows", "[link]") {
  for (const auto& llvm : plugins())
    for (const auto& [target, known] : llvm.info().targets) {
      if (!known) continue;
      INFO(llvm.info().flavor << " " << target);
      const auto compiled = llvm.compile(text_of(llvm, reverse_body, target), {target});
      CHECK(compiled.report.arch == target);
      CHECK(compiled.report.bytes == compiled.bytes.size());
      const auto& kernel = compiled.report.kernels.at(0);
      CHECK(kernel.name == "k");
      CHECK(kernel.lds_bytes == 1024);
      CHECK(kernel.max_items == 64);
      CHECK(kernel.wave == (target == "gfx950" ? 64 : 32));
      CHECK(kernel.vgpr_spills + kernel.sgpr_spills + kernel.scratch_bytes + kernel.flat + kernel.scratch + kernel.matrix == 0);
      CHECK(kernel.instructions > 10);
      CHECK(kernel.code_bytes >= 4 * kernel.instructions);
      CHECK(kernel.args.size() == 15);
      CHECK(kernel.args.at(0) == ArgReport{0, 8, "global_buffer"});
      CHECK(kernel.args.at(2) == ArgReport{16, 4, "by_value"});
      CHECK(llvm.inspect(compiled.bytes).json == compiled.report.json);
    }
}

TEST_CASE("a compile tells whether the text re-prints to itself, and compiles alike", "[link]") {
  for (const auto& llvm : plugins()) {
    if (!llvm.info().knows("gfx1150") || !llvm.info().links) continue;
    INFO(llvm.info().flavor);
    const auto text = text_of(llvm, reverse_body, "gfx1150");
    const auto with = [&](const std::string& ir, bool reprint) {
      return llvm.compile(ir, {"gfx1150", 3, Output::code_object, reprint});
    };
    CHECK(with(text, true).reprints);
    CHECK_FALSE(with(text, false).reprints);
    CHECK_FALSE(with("; a comment\n" + text, true).reprints);
    CHECK(with(text, true).bytes == with(text, false).bytes);
    CHECK(with(text, true).report.json == with(text, false).report.json);
  }
}

TEST_CASE("without counts nothing but the counts is missing", "[link]") {
  for (const auto& llvm : plugins()) {
    if (!llvm.info().knows("gfx1150") || !llvm.info().links) continue;
    const auto text = text_of(llvm, reverse_body, "gfx1150");
    const auto counted = llvm.compile(text, {"gfx1150"});
    const auto other = llvm.compile(text, {"gfx1150", 3, Output::code_object, false, false});
    auto expected = counted.report.kernels.at(0);
    CHECK(expected.instructions > 0);
    expected.instructions = expected.flat = expected.scratch = expected.matrix = 0;
    CHECK(other.report.kernels.at(0) == expected);
    CHECK(other.report.json.find("instructions") == std::string::npos);
    CHECK(other.bytes == counted.bytes);
  }
}

TEST_CASE("the flags of the ELF header", "[link]") {
  const auto* llvm = plugin("llvm22");
  if (llvm == nullptr) return;
  const std::pair<const char*, std::uint32_t> flags[] = {{"gfx1250", 0x549}, {"gfx950", 0x54f}, {"gfx1150", 0x43}, {"gfx1201", 0x4e}};
  for (const auto& [target, expected] : flags) {
    const auto report = llvm->compile(text_of(*llvm, reverse_body, target), {target}).report;
    CHECK((report.e_flags & 0xff) == (expected & 0xff));
    if (expected > 0xff) CHECK(report.e_flags == expected);
    CHECK(report.abi == 4);
  }
}

TEST_CASE("matrix products compile for gfx1250", "[link]") {
  const auto* llvm = plugin("llvm22");
  if (llvm == nullptr) return;
  const auto kernel = llvm->compile(text_of(*llvm, product_body, "gfx1250"), {"gfx1250"}).report.kernels.at(0);
  CHECK(kernel.matrix == 2);
  CHECK(kernel.flat + kernel.scratch == 0);
}

TEST_CASE("matrix products compile for the targets that have them", "[link]") {
  const auto product = [](const char* op, const char* fragment, const char* sums) {
    return std::string(R"({"op":"workitem.x","n":"t","t":"i32"},{"op":"gep","n":"pa","t":"p1","e":")") + fragment +
           R"(","a":["x","t"],"f":["inbounds"]},{"op":"load","n":"fa","t":")" + fragment + R"(","a":["pa"],"align":16},{"op":")" + op +
           R"(","n":"r","t":")" + sums + R"(","a":["fa","fa",[")" + sums + R"(","0"]]},{"op":"gep","n":"pd","t":"p1","e":")" + sums +
           R"(","a":["y","t"],"f":["inbounds"]},{"op":"store","a":["r","pd"],"align":16})";
  };
  const char* table[][4] = {{"gfx1150", "wmma.f32.16x16x16.f16", "v16f16", "v8f32"}, {"gfx1150", "wmma.f32.16x16x16.bf16", "v16i16", "v8f32"},
                            {"gfx950", "mfma.f32.32x32x16.f16", "v8f16", "v16f32"},  {"gfx950", "mfma.f32.32x32x16.bf16", "v8bf16", "v16f32"}};
  for (const auto& llvm : plugins())
    for (const auto& [target, op, fragment, sums] : table) {
      if (std::ranges::find(llvm.info().targets, std::pair{std::string(target), true}) == llvm.info().targets.end()) continue;
      INFO(llvm.info().flavor << " " << op);
      const auto kernel = llvm.compile(text_of(llvm, product(op, fragment, sums), target), {target}).report.kernels.at(0);
      CHECK(kernel.matrix == 1);
      CHECK(kernel.vgpr_spills + kernel.scratch_bytes + kernel.flat == 0);
    }
}

/// A square of fragments from memory, its sums stored.
std::string product_of(const std::string& op, const std::string& fragment, const std::string& sums,
                       const std::string& attributes) {
  return R"({"op":"workitem.x","n":"t","t":"i32"},{"op":"gep","n":"pa","t":"p1","e":")" + fragment +
         R"(","a":["x","t"],"f":["inbounds"]},{"op":"load","n":"fa","t":")" + fragment +
         R"(","a":["pa"],"align":8},{"op":")" + op + R"(","n":"r","t":")" + sums + R"(","a":["fa","fa",[")" +
         sums + R"(","0"]])" + attributes + R"(},{"op":"gep","n":"pd","t":"p1","e":")" + sums +
         R"(","a":["y","t"],"f":["inbounds"]},{"op":"store","a":["r","pd"],"align":8})";
}

struct Instruction {
  std::string target, body, name;
};

std::vector<Instruction> instructions() {
  const std::string signs = R"(,"signed_a":1,"signed_b":0)";
  std::vector<Instruction> out = {
      {"gfx1250", product_of("wmma.i32.16x16x64.iu8", "v8i32", "v8i32", signs), "v_wmma_i32_16x16x64_iu8"},
      {"gfx1201", product_of("wmma.i32.16x16x16.iu8.gfx12", "v2i32", "v8i32", signs),
       "v_wmma_i32_16x16x16_iu8"},
      {"gfx1150", product_of("wmma.i32.16x16x16.iu8", "v4i32", "v8i32", signs), "v_wmma_i32_16x16x16_iu8"},
      {"gfx950", product_of("mfma.i32.32x32x32.i8", "v4i32", "v16i32", ""), "v_mfma_i32_32x32x32_i8"},
      {"gfx1201", product_of("wmma.f32.16x16x16.f16.gfx12", "v8f16", "v8f32", ""), "v_wmma_f32_16x16x16_f16"},
      {"gfx1201", product_of("wmma.f32.16x16x16.bf16.gfx12", "v8i16", "v8f32", ""),
       "v_wmma_f32_16x16x16_bf16"},
      {"gfx950", product_of("mfma.f32.16x16x32.f16", "v8f16", "v4f32", ""), "v_mfma_f32_16x16x32_f16"},
      {"gfx950", product_of("mfma.f32.16x16x32.bf16", "v8bf16", "v4f32", ""), "v_mfma_f32_16x16x32_bf16"}};
  for (const std::string a : {"fp8", "bf8"})
    for (const std::string b : {"fp8", "bf8"}) {
      out.push_back({"gfx1250", product_of("wmma.f32.16x16x64." + a + "." + b, "v8i32", "v8f32", ""),
                     "v_wmma_f32_16x16x64_" + a + "_" + b});
      out.push_back({"gfx1201", product_of("wmma.f32.16x16x16." + a + "." + b, "v2i32", "v8f32", ""),
                     "v_wmma_f32_16x16x16_" + a + "_" + b});
      out.push_back({"gfx950", product_of("mfma.f32.32x32x16." + a + "." + b, "i64", "v16f32", ""),
                     "v_mfma_f32_32x32x16_" + a + "_" + b});
    }
  const std::pair<const char*, const char*> copies[] = {{"b32", "global_load_lds_dword "},
                                                        {"b96", "global_load_lds_dwordx3"},
                                                        {"b128", "global_load_lds_dwordx4"}};
  for (const auto& [width, name] : copies)
    out.push_back({"gfx950",
                   R"({"op":"load.lds.)" + std::string(width) +
                       R"(","a":["x","@s"],"offset":16,"aux":0},{"op":"wait.load.lds","count":0})",
                   name});
  return out;
}

TEST_CASE("products of 8 bits and loads into LDS compile to their instruction", "[link]") {
  for (const auto& llvm : plugins())
    for (const auto& [target, body, name] : instructions()) {
      if (!llvm.info().knows(target) || !llvm.info().links) continue;
      INFO(llvm.info().flavor << " " << target << " " << name);
      const auto text = text_of(llvm, body, target);
      const auto assembly = llvm.compile(text, {target, 3, Output::assembly}).bytes;
      CHECK(assembly.find(name) != std::string::npos);
      if (name.starts_with("global_load_lds"))
        CHECK(assembly.find("s_waitcnt vmcnt(0)") != std::string::npos);
      const auto report = llvm.compile(text, {target}).report.kernels.at(0);
      CHECK(report.matrix == (name.starts_with("v_") ? 1 : 0));
      CHECK(report.vgpr_spills + report.scratch_bytes + report.flat == 0);
    }
}

TEST_CASE("the bits of NaN constants are in the code", "[link]") {
  const std::pair<const char*, const char*> table[] = {{R"(["f32","7fa00055"])", "0x7fa00055"},
                                                       {R"(["f32","ffc00001"])", "0xffc00001"},
                                                       {R"(["f16","fd01"])", "fd01"},
                                                       {R"(["v2bf16","7f81"])", "0x7f817f81"},
                                                       {R"(["f64","7ff0000000000055"])", "0x7ff00000"}};
  for (const auto& llvm : plugins())
    for (const auto& [constant, bits] : table) {
      INFO(llvm.info().flavor << " " << constant);
      const auto text =
          text_of(llvm, R"({"op":"store","a":[)" + std::string(constant) + R"(,"y"],"align":4})", "gfx1150");
      CHECK(llvm.compile(text, {"gfx1150", 3, Output::assembly}).bytes.find(bits) != std::string::npos);
    }
}

TEST_CASE("other outputs", "[link]") {
  for (const auto& llvm : plugins()) {
    const auto text = text_of(llvm, reverse_body, "gfx1150");
    const auto assembly = llvm.compile(text, {"gfx1150", 3, Output::assembly}).bytes;
    CHECK(assembly.find(".amdhsa_kernel k\n") != std::string::npos);
    const auto optimised = llvm.compile(text, {"gfx1150", 3, Output::optimised_ir}).bytes;
    CHECK(llvm.reprint(optimised).find("define amdgpu_kernel void @k(") != std::string::npos);
    const auto object = llvm.compile(text, {"gfx1150", 3, Output::object}).bytes;
    CHECK(object.starts_with("\177ELF"));
    CHECK(refusal([&] { (void)llvm.inspect(object); }).code == Code::not_a_code_object);
  }
}

TEST_CASE("every optimisation level compiles", "[link]") {
  for (const auto& llvm : plugins())
    for (unsigned level = 0; level <= 3; ++level)
      CHECK(llvm.compile(text_of(llvm, reverse_body, "gfx1150"), {"gfx1150", level}).report.kernels.size() == 1);
}

TEST_CASE("the same text gives the same bytes, in threads too", "[link]") {
  const auto before = temporary_folders();
  for (const auto& llvm : plugins()) {
    const auto text = text_of(llvm, reverse_body, "gfx1150");
    const auto first = llvm.compile(text, {"gfx1150"}).bytes;
    int wrong = 0;
    const auto work = [&](int& bad) {
      for (int i = 0; i < 4; ++i) bad += llvm.compile(text, {"gfx1150"}).bytes == first ? 0 : 1;
    };
    int other = 0;
    std::thread thread([&] { work(other); });
    work(wrong);
    thread.join();
    CHECK(wrong + other == 0);
  }
  CHECK(temporary_folders() <= before);
}

TEST_CASE("two LLVMs compile at the same time", "[link]") {
  const auto *one = plugin("llvm19"), *two = plugin("llvm22");
  if (one == nullptr || two == nullptr) return;
  const auto text_one = text_of(*one, reverse_body, "gfx1201"), text_two = text_of(*two, reverse_body, "gfx1201");
  const auto bytes_one = one->compile(text_one, {"gfx1201"}).bytes, bytes_two = two->compile(text_two, {"gfx1201"}).bytes;
  bool same_one = false;
  std::thread thread([&] { same_one = one->compile(text_one, {"gfx1201"}).bytes == bytes_one; });
  CHECK(two->compile(text_two, {"gfx1201"}).bytes == bytes_two);
  thread.join();
  CHECK(same_one);
}

TEST_CASE("the stages account for the time", "[link]") {
  for (const auto& llvm : plugins()) {
    const auto ms = llvm.compile(text_of(llvm, reverse_body, "gfx1150"), {"gfx1150"}).ms;
    const double sum = ms.llvm() + ms.inspect;
    CHECK(ms.total > 0);
    CHECK(std::abs(ms.total - sum) < 0.1);
  }
}

} // namespace twinir::lowering
