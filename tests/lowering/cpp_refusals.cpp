// SPDX-License-Identifier: MIT
// What is refused before LLVM is asked, and what LLVM and lld refuse: by code, without a word on stderr.
#include "cpp_support.hpp"

#include <catch2/catch.hpp>
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

namespace twinir::lowering {
namespace {

const std::string copy_body = R"({"op":"workitem.x","n":"t","t":"i32"},
{"op":"gep","n":"a","t":"p1","e":"f32","a":["x","t"],"f":["inbounds"]},
{"op":"load","n":"v","t":"f32","a":["a"],"align":4},
{"op":"gep","n":"c","t":"p1","e":"f32","a":["y","t"],"f":["inbounds"]},
{"op":"store","a":["v","c"],"align":4})";

std::string text_for(const LlvmPlugin& llvm, const std::string& target) {
  KernelText k{copy_body};
  k.target = target;
  return llvm.emit(k.json());
}

/// A kernel that calls one intrinsic on poison.
std::string call_text(const LlvmPlugin& llvm, const std::string& target, const std::string& call, const std::string& declare) {
  const auto text = replaced(text_for(llvm, target), "entry:\n", "entry:\n" + std::string(call.starts_with("void") ? "  call " : "  %call = call ") + call + "\n");
  return replaced(text, "\nattributes #0", "\ndeclare " + declare + "\n\nattributes #0");
}

Diagnostic refused_compile(const LlvmPlugin& llvm, const std::string& text, const std::string& target) {
  return refusal([&] { (void)llvm.compile(text, {target, 3, Output::code_object}); });
}

/// What the calls write to stderr, file descriptor and all.
std::string stderr_of(const std::function<void()>& calls) {
  auto* file = std::tmpfile();
  std::fflush(stderr);
  const int saved = dup(2);
  dup2(fileno(file), 2);
  calls();
  std::fflush(stderr);
  dup2(saved, 2);
  close(saved);
  std::string text(static_cast<std::size_t>(std::max(std::ftell(file), 0L)), '\0');
  std::fseek(file, 0, SEEK_END);
  text.resize(static_cast<std::size_t>(std::ftell(file)));
  std::rewind(file);
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  return text;
}

} // namespace

TEST_CASE("unknown targets are refused", "[link]") {
  for (const auto& llvm : plugins()) {
    const auto refused = refused_compile(llvm, replaced(text_for(llvm, "gfx1150"), "gfx1150", "gfx9999"), "gfx9999");
    CHECK(refused.code == Code::target_unknown_to_flavor);
    CHECK(refused.found == "target 'gfx9999'");
    CHECK(refused_compile(llvm, text_for(llvm, "gfx1150"), "").code == Code::target_unknown_to_flavor);
  }
  if (const auto* llvm = plugin("llvm19"))
    for (const char* target : {"gfx1250", "gfx950"}) {
      const auto refused = refused_compile(*llvm, text_for(*llvm, target), target);
      CHECK(refused.code == Code::target_unknown_to_flavor);
      CHECK(refused.expected == "a target that llvm19 generates code for: gfx1150, gfx1201");
    }
  if (const auto* llvm = plugin("llvm21")) // it lists gfx1250, but dies on kernels for it
    CHECK(refused_compile(*llvm, text_for(*llvm, "gfx1250"), "gfx1250").code == Code::target_unknown_to_flavor);
}

TEST_CASE("a text for another target is refused", "[link]") {
  for (const auto& llvm : plugins()) {
    const auto refused = refused_compile(llvm, text_for(llvm, "gfx1201"), "gfx1150");
    CHECK(refused.code == Code::wrong_arch);
    CHECK(refused.found == "function 'k' for target-cpu 'gfx1201'");
    const auto text = text_for(llvm, "gfx1150");
    const auto foreign = replaced(text, between(text, "target triple = \"", "\"\n"), "target triple = \"x86_64-pc-linux-gnu");
    CHECK(foreign != text);
    CHECK(refused_compile(llvm, foreign, "gfx1150").code == Code::wrong_arch);
  }
}

TEST_CASE("matrix intrinsics of another generation are refused", "[link]") {
  const auto* llvm = plugin("llvm22");
  if (llvm == nullptr) return;
  const auto wmma = [](const std::string& fragment, const std::string& mangled) {
    const std::string name = " @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32." + mangled;
    return std::pair{"<8 x float>" + name + "(" + fragment + " poison, " + fragment + " poison, <8 x float> poison)",
                     "<8 x float>" + name + "(" + fragment + ", " + fragment + ", <8 x float>)"};
  };
  const auto gfx12 = wmma("<8 x half>", "v8f16"), gfx11 = wmma("<16 x half>", "v16f16");
  for (const char* target : {"gfx1250", "gfx1150", "gfx950"}) {
    const auto refused = refused_compile(*llvm, call_text(*llvm, target, gfx12.first, gfx12.second), target);
    CHECK(refused.code == Code::op_not_on_target);
    CHECK(refused.found == "intrinsic 'llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v8f16'");
  }
  CHECK(refused_compile(*llvm, call_text(*llvm, "gfx1201", gfx11.first, gfx11.second), "gfx1201").code == Code::op_not_on_target);
  CHECK(llvm->compile(call_text(*llvm, "gfx1201", gfx12.first, gfx12.second), {"gfx1201"}).report.arch == "gfx1201");
  CHECK(llvm->compile(call_text(*llvm, "gfx1150", gfx11.first, gfx11.second), {"gfx1150"}).report.arch == "gfx1150");
}

TEST_CASE("other intrinsics of another generation are refused by our own target table", "[link]") {
  const auto* llvm = plugin("llvm22");
  if (llvm == nullptr) return;
  const std::string call = "float @llvm.amdgcn.cvt.f32.fp8(i32 5, i32 0)", declaration = "float @llvm.amdgcn.cvt.f32.fp8(i32, i32 immarg)";
  const auto refused = refused_compile(*llvm, call_text(*llvm, "gfx1150", call, declaration), "gfx1150");
  CHECK(refused.code == Code::op_not_on_target);
  CHECK(refused.found == "intrinsic 'llvm.amdgcn.cvt.f32.fp8'");
  CHECK(refused.expected == "an operation that gfx1150 has ('cvt.f32.fp8' needs fp8)");
  CHECK(llvm->compile(call_text(*llvm, "gfx1250", call, declaration), {"gfx1250"}).report.arch == "gfx1250");
  for (const char* target : {"gfx1150", "gfx950"}) {
    const auto signal = call_text(*llvm, target, "void @llvm.amdgcn.s.barrier.signal(i32 -1)", "void @llvm.amdgcn.s.barrier.signal(i32 immarg)");
    CHECK(refused_compile(*llvm, signal, target).code == Code::op_not_on_target);
    const auto wait = call_text(*llvm, target, "void @llvm.amdgcn.s.wait.asynccnt(i16 0)", "void @llvm.amdgcn.s.wait.asynccnt(i16 immarg)");
    CHECK(refused_compile(*llvm, wait, target).code == Code::op_not_on_target);
  }
}

TEST_CASE("intrinsics that do not exist are refused by the link", "[link]") {
  for (const auto& llvm : plugins()) {
    const auto text = call_text(llvm, "gfx1150", "i32 @llvm.amdgcn.no.such.thing(i32 1)", "i32 @llvm.amdgcn.no.such.thing(i32)");
    const auto used = replaced(text, "float %v,", "float %w,");
    const auto stored = replaced(used, "  %c = ", "  %w = bitcast i32 %call to float\n  %c = ");
    const auto refused = refused_compile(llvm, stored, "gfx1150");
    CHECK(refused.code == Code::link_failed);
    CHECK(refused.found.find("llvm.amdgcn.no.such.thing") != std::string::npos);
    CHECK(refused.found.find("/dev/shm") == std::string::npos);
  }
}

TEST_CASE("work-group sizes and LDS beyond the target are refused", "[link]") {
  for (const auto& llvm : plugins()) {
    // From 23 on the verifier holds the attribute against this metadata.
    const auto text = replaced(text_for(llvm, "gfx1150"), " !reqd_work_group_size !1", "");
    for (const char* size : {"64,32", "2048,2048", "1,1025", "0,64", "64", "a,b", "64,"}) {
      const auto refused = refused_compile(llvm, replaced(text, "\"64,64\"", "\"" + std::string(size) + "\""), "gfx1150");
      CHECK(refused.code == Code::workgroup_too_large);
    }
    CHECK(llvm.compile(replaced(text, "\"64,64\"", "\"1024,1024\""), {"gfx1150"}).report.kernels.at(0).max_items == 1024);
  }
}

TEST_CASE("LDS limits of the targets", "[link]") {
  const auto* llvm = plugin("llvm22");
  if (llvm == nullptr) return;
  const std::pair<const char*, int> limits[] = {{"gfx1150", 65536}, {"gfx1201", 65536}, {"gfx950", 163840}, {"gfx1250", 327680}};
  for (const auto& [target, limit] : limits) {
    KernelText k{R"({"op":"workitem.x","n":"t","t":"i32"},
{"op":"gep","n":"a","t":"p3","e":"i8","a":["@s","t"]},
{"op":"store","a":[["i8","1"],"a"],"align":1},
{"op":"barrier"},
{"op":"gep","n":"c","t":"p3","e":"i8","a":["@s","i"]},
{"op":"load","n":"v","t":"i8","a":["c"],"align":1},
{"op":"store","a":["v","y"],"align":1})"};
    k.target = target, k.lds = R"({"n":"s","t":"i8","count":)" + std::to_string(limit) + R"(,"align":16})";
    const auto text = llvm->emit(k.json());
    CHECK(llvm->compile(text, {target}).report.kernels.at(0).lds_bytes == static_cast<std::uint64_t>(limit));
    const auto more = replaced(text, "[" + std::to_string(limit) + " x i8]", "[" + std::to_string(limit + 1) + " x i8]");
    const auto refused = refused_compile(*llvm, more, target);
    CHECK(refused.code == Code::lds_too_large);
    CHECK(refused.found.starts_with(std::to_string(limit + 1) + " bytes"));
    CHECK(refused.expected.starts_with("at most " + std::to_string(limit)));
  }
}

TEST_CASE("malformed texts are refused") {
  for (const auto& llvm : plugins()) {
    const auto text = text_for(llvm, "gfx1150");
    for (const auto& bad : {std::string("define"), replaced(text, "%t = call", "%t call"), replaced(text, "ret void", "ret i32 0"),
                            replaced(text, "float %v,", "float %missing,"), text.substr(0, text.size() / 2)}) {
      CHECK(refusal([&] { (void)llvm.reprint(bad); }).code == Code::verify_failed);
      CHECK(refused_compile(llvm, bad, "gfx1150").code == Code::verify_failed);
    }
  }
}

TEST_CASE("texts without a kernel are refused", "[link]") {
  for (const auto& llvm : plugins()) {
    const auto text = text_for(llvm, "gfx1150");
    CHECK(refused_compile(llvm, text.substr(0, text.find("\n; Function")), "gfx1150").code == Code::verify_failed);
    CHECK(refused_compile(llvm, "", "gfx1150").code == Code::wrong_arch);
  }
}

TEST_CASE("bad kernel JSON is refused") {
  for (const auto& llvm : plugins())
    for (const char* bad : {"", "{", "[]", "{}", "nonsense", R"({"schema":"twinir-kernel-9"})"})
      CHECK(refusal([&] { (void)llvm.emit(bad); }).code == Code::malformed_kernel);
}

TEST_CASE("bad options are refused", "[link]") {
  for (const auto& llvm : plugins()) {
    const auto text = text_for(llvm, "gfx1150");
    CHECK(refusal([&] { (void)llvm.compile(text, {"gfx1150", 4}); }).code == Code::bad_usage);
    CHECK(refusal([&] { (void)llvm.compile(text, {"gfx1150", 3, static_cast<Output>(9)}); }).code == Code::bad_usage);
  }
}

TEST_CASE("features that LLVM does not know are refused", "[link]") {
  for (const auto& llvm : plugins()) {
    const auto with = [&](const std::string& attributes) {
      return replaced(text_for(llvm, "gfx1150"), "\"target-cpu\"=\"gfx1150\"", "\"target-cpu\"=\"gfx1150\" " + attributes);
    };
    CHECK(refused_compile(llvm, with("\"target-features\"=\"+no-such-feature\""), "gfx1150").code == Code::codegen_failed);
    CHECK(refused_compile(llvm, with("\"tune-cpu\"=\"gfx9999\""), "gfx1150").code == Code::target_unknown_to_flavor);
    CHECK(llvm.compile(with("\"target-features\"=\"+cumode\""), {"gfx1150"}).report.arch == "gfx1150");
  }
}

TEST_CASE("nothing is printed to stderr", "[link]") {
  const auto said = stderr_of([] {
    for (const auto& llvm : plugins()) {
      (void)text_for(llvm, "gfx1250");
      (void)refused_compile(llvm, replaced(text_for(llvm, "gfx1150"), "gfx1150", "gfx9999"), "gfx9999");
      (void)refused_compile(llvm, call_text(llvm, "gfx1150", "void asm sideeffect \"nonsense\", \"\"()", "void @unused()"), "gfx1150");
      (void)refusal([&] { (void)llvm.inspect("nonsense"); });
      (void)llvm.compile(text_for(llvm, "gfx1150"), {"gfx1150"});
    }
  });
  CHECK(said.empty());
}

} // namespace twinir::lowering
