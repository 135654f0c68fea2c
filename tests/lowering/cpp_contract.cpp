// SPDX-License-Identifier: MIT
// docs/ir_text_contract.md clause by clause, for every flavor whose text is known here: C1 to C6, C10 to C17.
#include "cpp_support.hpp"

#include <catch2/catch.hpp>

namespace twinir::lowering {
namespace {

const std::string tail_19 = "-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-"
                            "v2048:2048-n32:64-S32-A5-G1-ni:7:8:9";
const std::string layout_19 = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128" + tail_19;
const std::string layout_22 = "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48" + tail_19;

/// Runs a check for each flavor that was built, with what differs between them.
template <class Check> void for_flavors(const std::string& for_19, const std::string& for_22, Check check) {
  if (const auto* llvm = plugin("llvm19")) check(*llvm, for_19);
  if (const auto* llvm = plugin("llvm22")) check(*llvm, for_22);
}

const std::string pure_19 = "nocallback nofree nosync nounwind speculatable willreturn memory(none)";
const std::string pure_22 = "nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)";

} // namespace

TEST_CASE("C1 module") {
  for_flavors(layout_19, layout_22, [](const LlvmPlugin& llvm, const std::string& layout) {
    for (const char* target : {"gfx1150", "gfx1201", "gfx1250", "gfx950"}) {
      KernelText k{""};
      k.name = "abc", k.target = target, k.lds = "";
      CHECK(between(llvm.emit(k.json()), "; ModuleID", "\n; Function") ==
            "; ModuleID = 'abc'\nsource_filename = \"abc\"\ntarget datalayout = \"" + layout +
                "\"\ntarget triple = \"amdgcn-amd-amdhsa\"\n");
    }
  });
}

TEST_CASE("C2 LDS") {
  for (const auto& llvm : plugins()) {
    KernelText k{""};
    k.name = "kk", k.lds = R"({"n":"t","t":"v4f16","count":32,"align":64},{"n":"s","t":"f32","count":256,"align":16})";
    CHECK(lines_with(llvm.emit(k.json()), "@") == "@kk.t = internal addrspace(3) global [32 x <4 x half>] poison, align 64\n"
                                                  "@kk.s = internal addrspace(3) global [256 x float] poison, align 16");
  }
}

TEST_CASE("C3 function order") {
  const KernelText k{R"({"op":"ctpop","n":"a","t":"i64","a":["l"]},
{"op":"workitem.y","n":"c","t":"i32"},
{"op":"ctpop","n":"e","t":"i32","a":["i"]},
{"op":"ctpop","n":"m","t":"i64","a":["a"]})"};
  for_flavors("noundef i32", "noundef range(i32 0, 1024) i32", [&](const LlvmPlugin& llvm, const std::string& id) {
    const auto text = llvm.emit(k.json());
    CHECK(text.find("\ndefine ") < text.find("\ndeclare "));
    CHECK(lines_with(text, "declare") == "declare i64 @llvm.ctpop.i64(i64) #1\ndeclare " + id +
                                             " @llvm.amdgcn.workitem.id.y() #" + (id.size() > 12 ? "2" : "1") +
                                             "\ndeclare i32 @llvm.ctpop.i32(i32) #1");
  });
}

TEST_CASE("C4 kernel") {
  for (const auto& llvm : plugins()) {
    KernelText k{""};
    k.block = "[32,4,2]", k.waves = 3;
    const auto text = llvm.emit(k.json());
    CHECK(lines_with(text, "; Function Attrs") == "; Function Attrs: mustprogress norecurse nounwind willreturn");
    CHECK(text.find("\ndefine amdgpu_kernel void @k(") != std::string::npos);
    CHECK(text.find(") #0 !reqd_work_group_size !1 {\nentry:\n  ret void\n}\n") != std::string::npos);
    CHECK(lines_with(text, "attributes") ==
          "attributes #0 = { mustprogress norecurse nounwind willreturn \"amdgpu-flat-work-group-size\"=\"256,256\" "
          "\"amdgpu-waves-per-eu\"=\"3\" \"target-cpu\"=\"gfx1250\" \"uniform-work-group-size\"=\"true\" }");
    CHECK(lines_with(text, "!") == "!llvm.module.flags = !{!0}\n!0 = !{i32 1, !\"amdhsa_code_object_version\", i32 600}\n"
                                   "!1 = !{i32 32, i32 4, i32 2}");
    k.waves = 0;
    CHECK(llvm.emit(k.json()).find("waves-per-eu") == std::string::npos);
  }
}

TEST_CASE("C5 parameters") {
  KernelText k{""};
  k.params = R"({"n":"a","t":"p1","k":"in","align":16,"deref":0},{"n":"b","t":"p1","k":"out","align":4,"deref":64},
{"n":"c","t":"p1","k":"inout","align":8,"deref":0},{"n":"e","t":"p4","k":"in","align":4,"deref":8},{"n":"f","t":"v2f16","k":"value"})";
  const std::string text_19 = "ptr addrspace(1) noalias nocapture noundef readonly align 16 %a, ptr addrspace(1) noalias nocapture noundef "
                              "writeonly align 4 dereferenceable(64) %b, ptr addrspace(1) noalias nocapture noundef align 8 %c, "
                              "ptr addrspace(4) noalias nocapture noundef readonly align 4 dereferenceable(8) %e, <2 x half> noundef %f";
  const std::string text_22 = "ptr addrspace(1) noalias noundef readonly align 16 captures(none) %a, ptr addrspace(1) noalias noundef "
                              "writeonly align 4 captures(none) dereferenceable(64) %b, ptr addrspace(1) noalias noundef align 8 "
                              "captures(none) %c, ptr addrspace(4) noalias noundef readonly align 4 captures(none) dereferenceable(8) %e, "
                              "<2 x half> noundef %f";
  for_flavors(text_19, text_22, [&](const LlvmPlugin& llvm, const std::string& params) {
    CHECK(lines_with(llvm.emit(k.json()), "define") == "define amdgpu_kernel void @k(" + params + ") #0 !reqd_work_group_size !1 {");
  });
}

TEST_CASE("C6 attribute groups") {
  const KernelText k{R"({"op":"barrier"},
{"op":"fma","n":"a","t":"f32","a":["f","f","f"]},
{"op":"sched.barrier","mask":0},
{"op":"ctpop","n":"c","t":"i32","a":["i"]})"};
  for_flavors(pure_19, pure_22, [&](const LlvmPlugin& llvm, const std::string& pure) {
    const auto text = llvm.emit(k.json());
    CHECK(text.find("\n; Function Attrs: convergent nocallback nofree nounwind willreturn\n"
                    "declare void @llvm.amdgcn.s.barrier() #1\n\n; Function Attrs: " + pure +
                    "\ndeclare float @llvm.fma.f32(float, float, float) #2\n\n"
                    "; Function Attrs: convergent nocallback nofree nounwind willreturn\n"
                    "declare void @llvm.amdgcn.sched.barrier(i32 immarg) #1\n\n; Function Attrs: " + pure +
                    "\ndeclare i32 @llvm.ctpop.i32(i32) #2\n\nattributes #0 = {") != std::string::npos);
    CHECK(text.find("\nattributes #1 = { convergent nocallback nofree nounwind willreturn }\nattributes #2 = { " + pure + " }\n\n!llvm") !=
          std::string::npos);
  });
}

TEST_CASE("C11 constants") {
  struct Row {
    const char *constant, *llvm22, *llvm19;
  };
  const Row rows[] = {
      {R"(["i32","ffffffff"])", "i32 -1", nullptr},
      {R"(["i64","8000000000000000"])", "i64 -9223372036854775808", nullptr},
      {R"(["i8","80"])", "i8 -128", nullptr},
      {R"(["v4i32","0"])", "<4 x i32> zeroinitializer", nullptr},
      {R"(["v4i32","7"])", "<4 x i32> splat (i32 7)", "<4 x i32> <i32 7, i32 7, i32 7, i32 7>"},
      {R"(["v4i32","1","2","3","4"])", "<4 x i32> <i32 1, i32 2, i32 3, i32 4>", nullptr},
      {R"(["v2f16","3c00"])", "<2 x half> splat (half 0xH3C00)", "<2 x half> <half 0xH3C00, half 0xH3C00>"},
      {R"(["v2f32","80000000"])", "<2 x float> splat (float -0.000000e+00)",
       "<2 x float> <float -0.000000e+00, float -0.000000e+00>"},
      {R"(["v2f32","0","80000000"])", "<2 x float> <float 0.000000e+00, float -0.000000e+00>", nullptr},
      {R"(["v4f32","poison"])", "<4 x float> poison", nullptr},
      {R"(["f32","3dcccccd"])", "float 0x3FB99999A0000000", nullptr},
      {R"(["f32","7f800000"])", "float 0x7FF0000000000000", nullptr},
      {R"(["f32","1"])", "float 0x36A0000000000000", nullptr},
      {R"(["f32","3fc00000"])", "float 1.500000e+00", nullptr},
      {R"(["f16","2e66"])", "half 0xH2E66", nullptr},
      {R"(["bf16","3dcd"])", "bfloat 0xR3DCD", nullptr},
      {R"(["f32","7fc00000"])", "float 0x7FF8000000000000", nullptr},
      {R"(["f32","7fa00000"])", "float 0x7FF4000000000000", nullptr},
      {R"(["f32","ffc00055"])", "float 0xFFF8000AA0000000", nullptr},
      {R"(["f16","fc01"])", "half 0xHFC01", nullptr},
      {R"(["bf16","7fc0"])", "bfloat 0xR7FC0", nullptr},
      {R"(["f64","7ff0000000000001"])", "double 0x7FF0000000000001", nullptr},
      {R"(["v2f32","7fa00000","3f800000"])", "<2 x float> <float 0x7FF4000000000000, float 1.000000e+00>",
       nullptr},
      {R"(["v2f32","7fa00000"])", "<2 x float> splat (float 0x7FF4000000000000)",
       "<2 x float> <float 0x7FF4000000000000, float 0x7FF4000000000000>"},
      {R"(["f64","3fb999999999999a"])", "double 1.000000e-01", nullptr},
      {R"(["f64","400921fb54442d18"])", "double 0x400921FB54442D18", nullptr},
  };
  for (const auto& row : rows) {
    const KernelText k{R"({"op":"store","a":[)" + std::string(row.constant) + R"(,"y"],"align":4})"};
    for_flavors(row.llvm19 != nullptr ? row.llvm19 : row.llvm22, row.llvm22, [&](const LlvmPlugin& llvm, const std::string& literal) {
      CHECK(lines_with(llvm.emit(k.json()), "  store") == "  store " + literal + ", ptr addrspace(1) %y, align 4");
    });
  }
  const KernelText bits{R"({"op":"icmp","n":"c","t":"v2i1","a":[["v2i32","1"],["v2i32","2"]],"pred":"eq"},
{"op":"and","n":"e","t":"v2i1","a":["c",["v2i1","1","0"]]})"};
  for (const auto& llvm : plugins()) CHECK(lines_with(llvm.emit(bits.json()), "  %e") == "  %e = and <2 x i1> %c, <i1 true, i1 false>");
}

TEST_CASE("C11 shuffle masks") {
  const KernelText k{R"({"op":"shuffle","n":"a","t":"v3f32","a":["vf","vf"],"mask":[2,2,2]},
{"op":"shuffle","n":"c","t":"v2f32","a":["vf","vf"],"mask":[0,0]},
{"op":"shuffle","n":"e","t":"v2f32","a":["vf","vf"],"mask":[-1,-1]},
{"op":"shuffle","n":"m","t":"v2f32","a":["vf","vf"],"mask":[-1,0]})"};
  for (const auto& llvm : plugins())
    CHECK(replaced(lines_with(llvm.emit(k.json()), "  %"), "shufflevector <4 x float> %vf, <4 x float> %vf, ", "") ==
          "  %a = <3 x i32> <i32 2, i32 2, i32 2>\n  %c = <2 x i32> zeroinitializer\n  %e = <2 x i32> poison\n"
          "  %m = <2 x i32> <i32 poison, i32 0>");
}

TEST_CASE("C12 calls") {
  const KernelText k{R"({"op":"cttz","n":"a","t":"i32","a":["i"]},
{"op":"fma","n":"c","t":"f32","a":["f","f","f"]},
{"op":"buffer.load","n":"e","t":"i32","a":["q","a",["i32","0"]],"aux":2})"};
  auto with_resource = k;
  with_resource.body = R"({"op":"rsrc","n":"q","t":"p8","a":["x","i"],"flags":7},)" "\n" + k.body;
  for (const auto& llvm : plugins()) {
    const auto text = llvm.emit(with_resource.json());
    CHECK(lines_with(text, "  %a") == "  %a = call i32 @llvm.cttz.i32(i32 %i, i1 false)");
    CHECK(lines_with(text, "  %c") == "  %c = call float @llvm.fma.f32(float %f, float %f, float %f)");
    CHECK(lines_with(text, "  %e") == "  %e = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) %q, i32 %a, i32 0, i32 2)");
  }
}

TEST_CASE("C13 buffer resources") {
  const KernelText k{R"({"op":"rsrc","n":"q","t":"p8","a":["x","i"],"flags":4294967295})"};
  for_flavors("  %q = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p1(ptr addrspace(1) %x, i16 0, i32 %i, i32 -1)",
              "  %q.n = zext i32 %i to i64\n"
              "  %q = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %x, i16 0, i64 %q.n, i32 -1)",
              [&](const LlvmPlugin& llvm, const std::string& expected) { CHECK(lines_with(llvm.emit(k.json()), "  %") == expected); });
}

TEST_CASE("C14 fences") {
  for (const auto& llvm : plugins())
    for (const std::string order : {"acquire", "release", "acq_rel"})
      for (const std::string scope : {"workgroup", "agent", "wavefront", "system"}) {
        const KernelText k{R"({"op":"fence","order":")" + order + R"(","scope":")" + scope + "\"}"};
        const auto named = scope == "system" ? "" : "syncscope(\"" + scope + "\") ";
        CHECK(lines_with(llvm.emit(k.json()), "  fence") == "  fence " + named + order);
      }
}

TEST_CASE("C18 atomics") {
  for (const auto& llvm : plugins()) {
    const auto text = llvm.emit(KernelText{
        R"({"op":"atomic.compare","n":"r","t":"i64","a":["@s","l","l"],"order":"release","scope":"system"},
{"op":"atomic.fadd","n":"f2","t":"f32","a":["@s","f"],"f":["coarse"],"order":"acq_rel","scope":"agent"},
{"op":"load","n":"u","t":"f32","a":["x"],"f":["invariant"],"align":4})"}
                                    .json());
    CHECK(lines_with(text, "  %r.pair") ==
          "  %r.pair = cmpxchg ptr addrspace(3) @k.s, i64 %l, i64 %l release monotonic, align 8");
    CHECK(lines_with(text, "  %r =") == "  %r = extractvalue { i64, i1 } %r.pair, 0");
    CHECK(lines_with(text, "  %f2") ==
          "  %f2 = atomicrmw fadd ptr addrspace(3) @k.s, float %f syncscope(\"agent\") acq_rel, align 4, "
          "!amdgpu.no.fine.grained.memory !2");
    CHECK(lines_with(text, "  %u") == "  %u = load float, ptr addrspace(1) %x, align 4, !invariant.load !2");
    CHECK(llvm.reprint(text) == text);
  }
}

TEST_CASE("C19 assertions and traps declare llvm.trap once") {
  for (const auto& llvm : plugins()) {
    const auto text = llvm.emit(KernelText{R"({"op":"trap"},
{"op":"assert","n":"sure","a":[["i1","1"]]})"}
                                    .json());
    CHECK(lines_with(text, "  br i1") == "  br i1 true, label %sure.end, label %sure.fail");
    CHECK(lines_with(text, "  call void") == "  call void @llvm.trap()\n  call void @llvm.trap()");
    CHECK(lines_with(text, "declare").starts_with("declare void @llvm.trap() #"));
    CHECK(llvm.reprint(text) == text);
  }
}

TEST_CASE("C15 opaque") {
  const KernelText k{R"({"op":"opaque","n":"a","t":"v4f32","a":["vf"],"register":"v"},
{"op":"opaque","n":"c","t":"i64","a":["l"],"register":"s"})"};
  for (const auto& llvm : plugins())
    CHECK(lines_with(llvm.emit(k.json()), "  %") == "  %a = call <4 x float> asm sideeffect \"\", \"=v,0\"(<4 x float> %vf)\n"
                                                    "  %c = call i64 asm sideeffect \"\", \"=s,0\"(i64 %l)");
}

TEST_CASE("C16 refusals") {
  const auto* llvm = plugin("llvm19");
  if (llvm == nullptr) return;
  const KernelText k{R"({"op":"icmp","n":"c","t":"i1","a":["i","j"],"pred":"eq"},
{"op":"if","n":"t","a":["c"],"body":[
{"op":"wait.async","count":0}],"else":[
{"op":"minimumnum","n":"m","t":"f32","a":["f","f"]}]},
{"op":"maximumnum","n":"n","t":"f32","a":["f","f"]})", "some_kernel"};
  const auto refused = refusal([&] { (void)llvm->emit(k.json()); });
  CHECK(refused.code == Code::op_not_in_flavor);
  CHECK(refused.found == "operation 'wait.async' in kernel 'some_kernel'");
  CHECK(refused.expected == "an operation that flavor llvm19 has");
  CHECK(refused.action == "choose a flavor that has it (docs/flavors.md), or a spec that does not need it");
}

TEST_CASE("C17 end") {
  for (const auto& llvm : plugins()) {
    const auto text = llvm.emit(KernelText{""}.json());
    CHECK(text.ends_with("}\n"));
    CHECK(llvm.reprint(text) == text);
  }
}

} // namespace twinir::lowering
