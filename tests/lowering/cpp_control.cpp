// SPDX-License-Identifier: MIT
// docs/ir_text_contract.md clauses C7 to C10: names, blocks, predecessors, metadata. The same in every flavor.
#include "cpp_support.hpp"

#include <catch2/catch.hpp>

namespace twinir::lowering {
namespace {

const std::string condition = R"({"op":"icmp","n":"c","t":"i1","a":["i","j"],"pred":"eq"},)" "\n";

/// The body of the kernel as every plugin prints it; they agree here.
std::string body_of(const KernelText& kernel) {
  std::string common;
  for (const auto& llvm : plugins()) {
    const auto text = llvm.emit(kernel.json());
    CHECK(llvm.reprint(text) == text);
    const auto body = between(text, "\nentry:\n", "\n}\n");
    if (!common.empty()) CHECK(body == common);
    common = body;
  }
  return common;
}

} // namespace

TEST_CASE("C7 and C8 if without else") {
  const KernelText k{condition + R"({"op":"if","n":"w","a":["c"],"body":[
{"op":"store","a":["f","y"],"align":4}]})"};
  CHECK(body_of(k) == R"(
entry:
  %c = icmp eq i32 %i, %j
  br i1 %c, label %w.then, label %w.end

w.then:                                           ; preds = %entry
  store float %f, ptr addrspace(1) %y, align 4
  br label %w.end

w.end:                                            ; preds = %w.then, %entry
  ret void)");
}

TEST_CASE("C8 if with results") {
  const KernelText k{condition + R"({"op":"if","n":"w","a":["c"],"results":[["r","f32","u",["f32","0"]],["s","i32","i","v"]],"body":[
{"op":"fneg","n":"u","t":"f32","a":["f"]}],"else":[
{"op":"add","n":"v","t":"i32","a":["i","j"]}]},
{"op":"store","a":["r","y"],"align":4})"};
  CHECK(body_of(k) == R"(
entry:
  %c = icmp eq i32 %i, %j
  br i1 %c, label %w.then, label %w.else

w.then:                                           ; preds = %entry
  %u = fneg float %f
  br label %w.end

w.else:                                           ; preds = %entry
  %v = add i32 %i, %j
  br label %w.end

w.end:                                            ; preds = %w.else, %w.then
  %r = phi float [ %u, %w.then ], [ 0.000000e+00, %w.else ]
  %s = phi i32 [ %i, %w.then ], [ %v, %w.else ]
  store float %r, ptr addrspace(1) %y, align 4
  ret void)");
}

TEST_CASE("C8 for with an if inside") {
  const KernelText k{condition + R"({"op":"for","n":"p","a":[["i32","0"],"j",["i32","2"]],"carry":[["n",["i32","0"],"n.next"],["a","f","r"]],"body":[
{"op":"if","n":"w","a":["c"],"results":[["r","f32","u","a"]],"body":[
{"op":"fadd","n":"u","t":"f32","a":["a","g"]}],"else":[]}]},
{"op":"store","a":["a","y"],"align":4})"};
  CHECK(body_of(k) == R"(
entry:
  %c = icmp eq i32 %i, %j
  br label %p.head

p.head:                                           ; preds = %w.end, %entry
  %n = phi i32 [ 0, %entry ], [ %n.next, %w.end ]
  %a = phi float [ %f, %entry ], [ %r, %w.end ]
  %p.cond = icmp slt i32 %n, %j
  br i1 %p.cond, label %p.body, label %p.end

p.body:                                           ; preds = %p.head
  br i1 %c, label %w.then, label %w.else

w.then:                                           ; preds = %p.body
  %u = fadd float %a, %g
  br label %w.end

w.else:                                           ; preds = %p.body
  br label %w.end

w.end:                                            ; preds = %w.else, %w.then
  %r = phi float [ %u, %w.then ], [ %a, %w.else ]
  %n.next = add i32 %n, 2
  br label %p.head

p.end:                                            ; preds = %p.head
  store float %a, ptr addrspace(1) %y, align 4
  ret void)");
}

TEST_CASE("C8 a loop that carries the values of the round before") {
  const KernelText k{R"({"op":"for","n":"p","a":["l",["i64","a"],["i64","1"]],"carry":[["n","l","n.next"],["a","f","z"],["z","g","a"]],"body":[]})"};
  const auto body = body_of(k);
  CHECK(body.find("  %n = phi i64 [ %l, %entry ], [ %n.next, %p.body ]\n"
                  "  %a = phi float [ %f, %entry ], [ %z, %p.body ]\n"
                  "  %z = phi float [ %g, %entry ], [ %a, %p.body ]\n"
                  "  %p.cond = icmp slt i64 %n, 10\n") != std::string::npos);
}

TEST_CASE("C9 predecessors behind long labels") {
  const std::string name(60, 'a');
  const KernelText k{condition + R"({"op":"if","n":")" + name + R"(","a":["c"],"body":[]})"};
  CHECK(body_of(k).find("\n" + name + ".then: ; preds = %entry\n") != std::string::npos);
  CHECK(body_of(k).find("\n" + name + ".end: ; preds = %" + name + ".then, %entry\n") != std::string::npos);
}

TEST_CASE("C10 metadata") {
  const std::string loop = R"(,"a":[["i32","0"],"j",["i32","1"]],"f":["nounroll"],"carry":[[")";
  const KernelText k{R"({"op":"load","n":"u","t":"f32","a":["x"],"f":["nontemporal"],"align":4},
{"op":"for","n":"p")" + loop + R"(n",["i32","0"],"n.next"]],"body":[
{"op":"load","n":"v","t":"f32","a":["x"],"f":["invariant","nontemporal"],"align":4}]},
{"op":"for","n":"q")" + loop + R"(m",["i32","0"],"m.next"]],"body":[]})"};
  for (const auto& llvm : plugins()) {
    const auto text = llvm.emit(k.json());
    CHECK(lines_with(text, "  %u") == "  %u = load float, ptr addrspace(1) %x, align 4, !nontemporal !2");
    CHECK(lines_with(text, "  %v") == "  %v = load float, ptr addrspace(1) %x, align 4, !invariant.load !3, !nontemporal !2");
    CHECK(text.find("  br label %p.head, !llvm.loop !4\n") != std::string::npos);
    CHECK(text.find("  br label %q.head, !llvm.loop !6\n") != std::string::npos);
    CHECK(lines_with(text, "!") == "!llvm.module.flags = !{!0}\n!0 = !{i32 1, !\"amdhsa_code_object_version\", i32 600}\n"
                                   "!1 = !{i32 64, i32 1, i32 1}\n!2 = !{i32 1}\n!3 = !{}\n!4 = distinct !{!4, !5}\n"
                                   "!5 = !{!\"llvm.loop.unroll.disable\"}\n!6 = distinct !{!6, !5}");
  }
}

} // namespace twinir::lowering
