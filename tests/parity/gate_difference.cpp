// SPDX-License-Identifier: MIT
// First differences, and the statements they come from.
#include "dsl/pretty.hpp"
#include "instances/family.hpp"
#include "parity/difference.hpp"

#include <catch2/catch.hpp>

using namespace twinir;

TEST_CASE("the first differing line with its neighbours", "[gate]") {
  const auto d = find_difference("a\nb\nc\nd\ne\nf\n", "a\nb\nc\nd\nE\nf\n", {});
  CHECK(d.line == 5);
  CHECK(d.before == std::vector<std::string>{"b", "c", "d"});
  CHECK(d.left == std::vector<std::string>{"e", "f"});
  CHECK(d.right == std::vector<std::string>{"E", "f"});
}

TEST_CASE("texts of different length part where one ends", "[gate]") {
  const auto d = find_difference("a\n", "a\nb\n", {});
  CHECK(d.line == 2);
  CHECK(d.left.empty());
  CHECK(d.right == std::vector<std::string>{"b"});
  CHECK(render(d, "C++", "Python").find("the text has ended") != std::string::npos);
  CHECK(find_difference("a", "a\n", {}).left == std::vector<std::string>{"(no newline at the end)"});
}

TEST_CASE("a line names its statement", "[gate]") {
  const auto kernel = find_family("saxpy").build(Json::object(), find_target("gfx1250"));
  const Stmt* loop = nullptr;
  for (const auto& s : kernel.body)
    if (s.op == Op::for_) loop = &s;
  REQUIRE(loop != nullptr);
  const auto& counter = loop->carry.at(0).name;
  CHECK(find_statement("  %" + counter + " = phi i32 [ 0, %entry ]", kernel) == pretty(*loop));
  CHECK(find_statement(loop->name + ".body:          ; preds = %x", kernel) == pretty(*loop));
  CHECK(find_statement("  br i1 %" + loop->name + ".cond, label %a, label %b", kernel) == pretty(*loop));
  const auto& last = loop->body.back();
  REQUIRE(last.op == Op::store);
  CHECK(find_statement("  store float %" + last.args[0].name + ", ptr addrspace(1) %" + last.args[1].name +
                           ", align 4",
                       kernel) == pretty(last));
  CHECK(find_statement("declare i32 @llvm.x()", kernel).empty());
}

TEST_CASE("a kernel reads like one", "[gate]") {
  const auto text = pretty(find_family("saxpy").build(Json::object(), find_target("gfx1250")));
  INFO(text);
  CHECK(text.starts_with("kernel saxpy_f32_b256 for gfx1250, 256 items\n"));
  CHECK(text.find("  in x: p1 align 4") != std::string::npos);
  CHECK(text.find("load x[") != std::string::npos);
  CHECK(text.find("for ") != std::string::npos);
}

TEST_CASE("unified differences are cut", "[golden]") {
  std::string a, b;
  for (int i = 0; i < 100; ++i) a += "old\n", b += "new\n";
  const auto text = unified_difference("head\n" + a, "head\n" + b, 10);
  CHECK(text.find("@@ -2,100 +2,100 @@") != std::string::npos);
  CHECK(text.find("... 95 more lines") != std::string::npos);
}
