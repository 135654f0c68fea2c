// SPDX-License-Identifier: MIT
// Kernels that must be refused: each code of the 1xxx range, with the author's line where a builder call is at fault.
#include "dsl/builder.hpp"
#include "dsl/error.hpp"
#include "dsl/json.hpp"

#include <catch2/catch.hpp>

using namespace twinir;

namespace {

const Target& target(const char* name = "gfx1250") { return find_target(name); }

template <class F> Diagnostic refusal(F f) {
  try {
    f();
  } catch (const UserError& e) {
    return e.diagnostic();
  }
  return {Code::internal, "accepted", "", "", ""};
}

/// A kernel body with i32 n, f32 f, pointers o (inout f32), x (in f32), LDS s.
struct Kit {
  KernelBuilder k;
  Pointer o, x, s;
  Value n, f;
  explicit Kit(const char* gpu = "gfx1250")
      : k("t", target(gpu), Workgroup{64}), o(k.global("o", f32)), x(k.global_in("x", f32)), s(k.lds("s", f32, 64)), n(k.arg("n", i32)), f(k.arg("f", f32)) {}
};
template <class F> Diagnostic body(F f, const char* gpu = "gfx1250") {
  return refusal([&] {
    Kit kit(gpu);
    f(kit);
    (void)kit.k.finish();
  });
}
Diagnostic block(int x, int y = 1, int z = 1) {
  return refusal([&] { (void)KernelBuilder("t", target(), Workgroup{x, y, z}).finish(); });
}
Diagnostic lds(const char* gpu, std::int64_t bytes) {
  return refusal([&] {
    KernelBuilder k("t", target(gpu), Workgroup{64});
    (void)k.lds("s", i8, bytes);
    (void)k.finish();
  });
}
Diagnostic named(const std::string& name) {
  return refusal([&] { (void)KernelBuilder(name, target(), Workgroup{64}).finish(); });
}

} // namespace

TEST_CASE("types that do not go together, at the author's line") {
  const auto d = body([](Kit& t) { t.o[0] = t.f + t.n; });
  CHECK(d.code == Code::type_mismatch);
  CHECK(d.where.starts_with("kernels.cpp:"));
  CHECK(d.found.find("f32, i32") != std::string::npos);
  CHECK(body([](Kit& t) { t.o[0] = t.n; }).code == Code::type_mismatch);
  CHECK(body([](Kit& t) { t.o.as(i32)[0] = t.n; }).code == Code::internal); // not refused: a pointer is a view
  CHECK(body([](Kit& t) { t.o.as(i8)[0] = t.n; }).code == Code::internal);  // raw bytes
  CHECK(body([](Kit& t) { t.o[0] = splat(t.f, 4); }).code == Code::internal);
  CHECK(body([](Kit& t) { t.x[0] = t.f; }).code == Code::type_mismatch);
  CHECK(body([](Kit& t) { t.o[t.f] = t.f; }).code == Code::type_mismatch);
  CHECK(body([](Kit& t) { t.k.if_(t.n, [] {}); }).code == Code::type_mismatch);
  CHECK(body([](Kit& t) { (void)fma(t.f, t.f, t.n); }).code == Code::type_mismatch);
  CHECK(body([](Kit& t) { (void)sqrt(t.n); }).code == Code::type_mismatch);
  CHECK(body([](Kit& t) { (void)umulh(zext(t.n, Scalar::i64), 3); }).code == Code::type_mismatch);
  CHECK(body([](Kit& t) { t.k.for_range(0, t.f, 1, [](Value) {}); }).code != Code::internal);
}

TEST_CASE("a select between LDS and global pointers is refused") {
  CHECK(body([](Kit& t) { (void)select(t.n < 1, t.s.address(), t.o.address()); }).code == Code::type_mismatch);
}

TEST_CASE("work-group limits name both numbers") {
  CHECK(block(1024).code == Code::internal);
  for (const auto& d : {block(1025), block(2048), block(0), block(-1), block(32, 33), block(65536, 65536, 65536)}) {
    CHECK(d.code == Code::workgroup_too_large);
    CHECK(d.expected.find("1024") != std::string::npos);
  }
}

TEST_CASE("LDS limits per target, one byte more is refused before LLVM") {
  struct Row {
    const char* gpu;
    std::int64_t limit;
  };
  for (const auto& r : {Row{"gfx1150", 65536}, Row{"gfx950", 163840}, Row{"gfx1250", 327680}}) {
    CHECK(lds(r.gpu, r.limit).code == Code::internal);
    const auto d = lds(r.gpu, r.limit + 1);
    CHECK(d.code == Code::lds_too_large);
    CHECK(d.found.find(std::to_string(r.limit + 1)) != std::string::npos);
    CHECK(d.expected.find(std::to_string(r.limit)) != std::string::npos);
  }
  CHECK(lds("gfx1250", std::int64_t{1} << 40).code == Code::lds_too_large);
  CHECK(lds("gfx1250", 0).code == Code::bad_lds_array);
  CHECK(lds("gfx1250", -5).code == Code::bad_lds_array);
}

TEST_CASE("names") {
  for (const std::string name : {"k 3x3/\"q\"", "a\\b", "3d", "\xc3\xa9", "", "llvm.foo", "main.kd", "a-b", "a\nb"}) CHECK(named(name).code == Code::bad_name);
  CHECK(named(std::string(1100, 'k')).code == Code::bad_name);
  CHECK(named(std::string(200, 'k')).code == Code::internal);
  CHECK(refusal([] {
          KernelBuilder k("t", target(), Workgroup{64});
          (void)k.arg("n", i32);
          (void)k.arg("n", f32);
        }).code == Code::duplicate_name);
  CHECK(refusal([] { (void)KernelBuilder("t", target(), Workgroup{64}).arg("entry", i32); }).code == Code::duplicate_name);
  CHECK(body([](Kit& t) { t.o[t.k.let(std::string(1100, 'v'), t.n * 2)] = t.f; }).code == Code::bad_name);
  CHECK(body([](Kit& t) { t.o[t.k.let("a b", t.n * 2)] = t.f; }).code == Code::bad_name);
  CHECK(body([](Kit& t) { // one hint for two values is a second name, not a fault
          t.o[t.k.let("v", t.n * 2)] = t.f;
          t.o[t.k.let("v", t.n * 3)] = t.f;
        }).code == Code::internal);
}

TEST_CASE("shifts by the width or more are refused when constant") {
  CHECK(body([](Kit& t) { t.o[t.n >> 31] = t.f; }).code == Code::internal);
  CHECK(body([](Kit& t) { t.o[t.n >> 32] = t.f; }).code == Code::shift_too_wide);
  CHECK(body([](Kit& t) { t.o[t.n << 33] = t.f; }).code == Code::shift_too_wide);
  CHECK(body([](Kit& t) { t.o[lshr(t.n, -1)] = t.f; }).code == Code::shift_too_wide);
  CHECK(body([](Kit& t) { t.o[zext(t.n, Scalar::i64) >> 64] = t.f; }).code == Code::shift_too_wide);
  CHECK(body([](Kit& t) { t.o[zext(trunc(t.n, Scalar::i8) << 8, Scalar::i32)] = t.f; }).code == Code::shift_too_wide);
}

TEST_CASE("constants") {
  CHECK(body([](Kit& t) { t.o[0] = t.f * std::numeric_limits<double>::quiet_NaN(); }).code ==
        Code::internal); // no fault
  CHECK(body([](Kit& t) { t.o[t.n + (std::int64_t{1} << 40)] = t.f; }).code == Code::bad_constant);
  CHECK(body([](Kit& t) { t.o[t.n + 0.5] = t.f; }).code == Code::bad_constant);
  CHECK(body([](Kit& t) { t.o[t.n / 0] = t.f; }).code == Code::division_by_zero);
  CHECK(body([](Kit& t) { t.o[0] = splat(t.f, 4)[4]; }).code == Code::bad_index);
  CHECK(body([](Kit& t) { t.o[0] = twinir::shuffle(splat(t.f, 4), splat(t.f, 4), {0, 9})[0]; }).code == Code::bad_index);
  CHECK(body([](Kit& t) { t.k.for_range(0, t.n, 0, [](Value) {}); }).code == Code::bad_constant);
}

TEST_CASE("values stay in their kernel and region") {
  CHECK(body([](Kit& t) {
          Value inner;
          t.k.if_(t.n < 1, [&] { inner = t.o[0]; });
          t.o[1] = inner;
        }).code == Code::scope_violation);
  CHECK(body([](Kit& t) {
          Value counter;
          t.k.for_range(0, t.n, 1, [&](Value i) { counter = i; });
          t.o[counter] = t.f;
        }).code == Code::scope_violation);
  CHECK(body([](Kit& t) {
          Kit other;
          t.o[other.n] = t.f;
        }).code == Code::foreign_value);
  CHECK(body([](Kit& t) { t.o[0] = Value(); }).code == Code::foreign_value);
  CHECK(refusal([] {
          Kit t;
          (void)t.k.finish();
          t.o[0] = t.f;
        }).code == Code::builder_finished);
}

TEST_CASE("operations that the target lacks are refused by name") {
  const auto product = [](int fragment, int sums) {
    return [=](Kit& t) { t.o[0] = t.k.mma(t.k.zero(vec(f16, fragment)), t.k.zero(vec(f16, fragment)), t.k.zero(vec(f32, sums)))[0]; };
  };
  CHECK(body(product(16, 8)).code == Code::internal);
  CHECK(body(product(16, 8), "gfx1150").code == Code::internal);
  CHECK(body(product(8, 16), "gfx950").code == Code::internal);
  CHECK(body(product(8, 8)).code == Code::type_mismatch);
  CHECK(body(product(16, 8), "gfx950").code == Code::type_mismatch);
  CHECK(body(product(8, 8), "gfx1201").code == Code::internal);
  CHECK(body(product(16, 8), "gfx1201").code == Code::type_mismatch);
  const auto bytes = [](Kit& t) {
    const auto four = t.k.zero(vec(i32, 4));
    (void)t.k.mma(four, four, t.k.zero(vec(i32, 16)), MatrixNumber::fp8, MatrixNumber::fp8);
  };
  const auto d = body(bytes, "gfx1150");
  CHECK(d.code == Code::op_not_on_target);
  CHECK(d.found.find("fp8 by fp8") != std::string::npos);
  CHECK(body(bytes, "gfx950").code == Code::type_mismatch);
  CHECK(body([](Kit& t) { t.k.wait_load_lds(0); }, "gfx1250").code == Code::op_not_on_target);
  CHECK(body([](Kit& t) { t.k.wait_async(0); }, "gfx1150").code == Code::op_not_on_target);
  CHECK(body([](Kit& t) { t.k.barrier_signal(); }, "gfx950").code == Code::op_not_on_target);
}

TEST_CASE("attributes") {
  CHECK(body([](Kit& t) { t.o.store(0, t.f, 3); }).code == Code::bad_alignment);
  CHECK(body([](Kit& t) { t.o.store(0, t.f, 8192); }).code == Code::bad_alignment);
  CHECK(body([](Kit& t) { t.k.fence("relaxed", "workgroup"); }).code == Code::bad_attribute);
  CHECK(body([](Kit& t) { t.k.setprio(4); }).code == Code::bad_attribute);
  CHECK(body([](Kit& t) { t.k.wait_async(64); }).code == Code::bad_attribute);
  CHECK(body([](Kit& t) { t.k.if_(t.n < 1, [&] { t.k.return_if(t.n < 0); }); }).code == Code::early_return_nested);
}

TEST_CASE("atomics") {
  const auto view = [](Kit& t) { return t.o.as(i32); };
  CHECK(body([&](Kit& t) { (void)view(t).atomic_add(t.n, 1, Scope::agent); }).code == Code::internal);
  CHECK(body([&](Kit& t) { (void)t.o.atomic_add(t.n, 1.0, Scope::agent); }).code == Code::type_mismatch);
  CHECK(body([&](Kit& t) { (void)view(t).atomic_fadd(t.n, 1, Scope::agent); }).code == Code::type_mismatch);
  CHECK(body([&](Kit& t) { (void)view(t).atomic_add(t.n, zext(t.n, Scalar::i64), Scope::agent); }).code ==
        Code::type_mismatch);
  CHECK(body([&](Kit& t) { (void)t.o.as(i8).atomic_add(t.n, 1, Scope::agent); }).code == Code::type_mismatch);
  CHECK(body([&](Kit& t) {
          (void)t.o.as(vec(f32, 2)).atomic_fadd(t.n, t.k.zero(vec(f32, 2)), Scope::agent);
        }).code == Code::type_mismatch);
  const auto d = body([](Kit& t) { (void)t.x.atomic_fadd(t.n, 1.0, Scope::agent); });
  CHECK(d.code == Code::type_mismatch);
  CHECK(d.where.starts_with("kernels.cpp:"));
  CHECK(d.found.find("may only be read") != std::string::npos);
  CHECK(body([](Kit& t) { (void)t.k.global_out("w", i32).atomic_add(0, 1, Scope::agent); }).code ==
        Code::type_mismatch);
  CHECK(body([](Kit& t) { (void)t.k.constant_in("c", i32).atomic_add(0, 1, Scope::agent); }).code ==
        Code::type_mismatch);
  CHECK(body([&](Kit& t) { (void)view(t).atomic_compare(t.n, 1.5, 2, Scope::agent); }).code ==
        Code::bad_constant);
}

TEST_CASE("assertions") {
  CHECK(body([](Kit& t) { t.k.assert_that(t.n < 1, "small"); }).code == Code::internal);
  CHECK(body([](Kit& t) { t.k.assert_that(t.n, "small"); }).code == Code::type_mismatch);
  CHECK(body([](Kit& t) { t.k.assert_that(t.n < 1, "a b"); }).code == Code::bad_name);
}

TEST_CASE("a bound argument is a constant and no parameter; a name that no argument has is refused") {
  const auto build = [](const std::string& bound) {
    KernelBuilder k({"baked", {{bound, 3}}}, find_target("gfx1250"), Workgroup{64});
    const auto y = k.global_out<i32>("y");
    y[k.workitem()] = k.arg<i32>("n") * 2;
    return k.finish();
  };
  CHECK(build("n").params.size() == 1);
  try {
    (void)build("m");
    FAIL("accepted");
  } catch (const UserError& e) {
    CHECK(e.diagnostic().code == Code::unknown_binding);
  }
}

TEST_CASE("unrolling has a cap") {
  CHECK(body([](Kit& t) {
          for (int i = 0; i < 2'000'000; ++i) (void)(t.n + i);
        }).code == Code::bad_unroll);
}
