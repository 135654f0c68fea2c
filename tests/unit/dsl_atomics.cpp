// SPDX-License-Identifier: MIT
// Atomics, assertions and traps in the DSL: their statements, what the scheduler moves across them, their
// meaning.
#include "dsl/builder.hpp"
#include "dsl/error.hpp"
#include "dsl/interpreter.hpp"
#include "dsl/json.hpp"
#include "dsl/pretty.hpp"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>

using namespace twinir;

namespace {

struct Kit {
  KernelBuilder k{"t", find_target("gfx1250"), Workgroup{64}};
  Pointer s = k.lds("s", i32, 64), o = k.global("o", i32), f = k.global("f", f32);
  Value n = k.arg("n", i32);
};

template <class F> KernelDef built(F body) {
  Kit kit;
  body(kit);
  return kit.k.finish();
}

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

/// Loads of LDS and of global memory left when each is read before and after an atomic on `s` or `o`.
std::size_t loads_around(bool lds, Order order) {
  return count(write_json(built([&](Kit& t) {
                 const Value a = t.s[1], b = t.o[1];
                 (void)(lds ? t.s : t.o).atomic_add(t.n, 1, Scope::workgroup, order);
                 t.f[0] = bitcast(a + b + t.s[1] + t.o[1], f32);
               })),
               "\"op\":\"load\"");
}

/// What one item's atomic on o[0] leaves there and gives.
template <class F> std::pair<std::int32_t, std::int32_t> updated(std::int32_t first, F atomic) {
  const auto def = built([&](Kit& t) { t.k.if_(t.k.workitem() == 0, [&] { t.o[1] = atomic(t); }); });
  std::vector<std::int32_t> o{first, 99};
  std::vector<float> f(1);
  InterpreterMemory memory;
  const auto at = memory.add("o", o), other = memory.add("f", f);
  interpret(def, {{1, 1, 1}, interpreter_kernargs(def, {{"o", at}, {"f", other}, {"n", 3}})}, memory);
  return {o[0], o[1]};
}

} // namespace

TEST_CASE("an atomic is a statement with a result, its order and its scope") {
  const auto text = write_json(built([](Kit& t) {
    const auto old = t.k.let("old", t.s.atomic_umax(t.n, 7, Scope::workgroup, Order::acq_rel));
    t.o[old] = old;
  }));
  CHECK(
      text.find(
          R"({"op":"atomic.umax","n":"old","t":"i32","a":["v1",["i32","7"]],"order":"acq_rel","scope":"workgroup"})") !=
      std::string::npos);
}

TEST_CASE("two equal atomics are two, and one whose result nobody uses stays") {
  const auto text = write_json(built([](Kit& t) {
    t.o.atomic_add(0, 1, Scope::agent);
    t.o.atomic_add(0, 1, Scope::agent);
  }));
  CHECK(count(text, "atomic.add") == 2);
}

TEST_CASE("a monotonic atomic ends the epoch of its own address space, any other that of both") {
  CHECK(loads_around(true, Order::monotonic) == 3);
  CHECK(loads_around(false, Order::monotonic) == 3);
  for (const auto order : {Order::acquire, Order::release, Order::acq_rel})
    CHECK(loads_around(true, order) == 4);
}

TEST_CASE("the result of an atomic in a region is not used outside") {
  try {
    (void)built([](Kit& t) {
      Value old;
      t.k.if_(t.n < 1, [&] { old = t.o.atomic_add(0, 1, Scope::agent); });
      t.o[1] = old;
    });
    FAIL("accepted");
  } catch (const UserError& e) {
    CHECK(e.code() == Code::scope_violation);
  }
}

TEST_CASE("interpreter: what each atomic leaves and gives") {
  using Result = std::pair<std::int32_t, std::int32_t>;
  CHECK(updated(5, [](Kit& t) { return t.o.atomic_add(0, t.n, Scope::agent); }) == Result{8, 5});
  CHECK(updated(1, [](Kit& t) { return t.o.atomic_sub(0, t.n, Scope::agent); }) == Result{-2, 1});
  CHECK(updated(-1, [](Kit& t) { return t.o.atomic_umin(0, t.n, Scope::agent); }) == Result{3, -1});
  CHECK(updated(-1, [](Kit& t) { return t.o.atomic_umax(0, t.n, Scope::agent); }) == Result{-1, -1});
  CHECK(updated(-1, [](Kit& t) { return t.o.atomic_smin(0, t.n, Scope::agent); }) == Result{-1, -1});
  CHECK(updated(-1, [](Kit& t) { return t.o.atomic_smax(0, t.n, Scope::agent); }) == Result{3, -1});
  CHECK(updated(6, [](Kit& t) { return t.o.atomic_and(0, t.n, Scope::agent); }) == Result{2, 6});
  CHECK(updated(6, [](Kit& t) { return t.o.atomic_or(0, t.n, Scope::agent); }) == Result{7, 6});
  CHECK(updated(6, [](Kit& t) { return t.o.atomic_xor(0, t.n, Scope::agent); }) == Result{5, 6});
  CHECK(updated(6, [](Kit& t) { return t.o.atomic_exchange(0, t.n, Scope::agent); }) == Result{3, 6});
  CHECK(updated(6, [](Kit& t) { return t.o.atomic_compare(0, 6, t.n, Scope::agent); }) == Result{3, 6});
  CHECK(updated(6, [](Kit& t) { return t.o.atomic_compare(0, 5, t.n, Scope::agent); }) == Result{6, 6});
  const auto bits = [](float x) { return std::bit_cast<std::int32_t>(x); };
  const auto as_float = [](Kit& t) { return t.o.as(f32); };
  CHECK(updated(bits(1.5f), [&](Kit& t) {
          return bitcast(as_float(t).atomic_fadd(0, 2.0, Scope::agent), i32);
        }) == Result{bits(3.5f), bits(1.5f)});
  CHECK(updated(bits(-0.0f), [&](Kit& t) {
          return bitcast(as_float(t).atomic_fmax(0, 0.0, Scope::agent), i32);
        }) == Result{0, bits(-0.0f)});
  CHECK(updated(bits(NAN), [&](Kit& t) {
          return bitcast(as_float(t).atomic_fmin(0, 2.0, Scope::agent), i32);
        }) == Result{bits(2.0f), bits(NAN)});
}

TEST_CASE("interpreter: assertions and traps") {
  const auto code = [](const auto& body) {
    try {
      (void)updated(0, [&](Kit& t) { return body(t), t.n; });
    } catch (const UserError& e) {
      return e.diagnostic();
    }
    return Diagnostic{Code::internal, "", "", "", ""};
  };
  CHECK(code([](Kit& t) { t.k.assert_that(t.n == 3, "three"); }).code == Code::internal);
  const auto four = code([](Kit& t) { t.k.assert_that(t.n == 4, "four"); });
  CHECK(four.code == Code::exec_trap);
  CHECK(four.found.find("assertion 'four' does not hold at 'assert four: v") != std::string::npos);
  CHECK(code([](Kit& t) { t.k.trap(); }).code == Code::exec_trap);
  CHECK(code([](Kit& t) { t.k.if_(t.n == 4, [&] { t.k.trap(); }); }).code == Code::internal);
}

TEST_CASE("an assertion of a known truth is none; a name that is taken gets a number") {
  const auto text = write_json(built([](Kit& t) {
    t.k.assert_that(Value(&t.k, t.k.node(1, i1)), "known");
    t.k.assert_that(t.n == 1, "one");
    t.k.assert_that(t.n == 2, "one");
  }));
  CHECK(count(text, "\"op\":\"assert\"") == 2);
  CHECK(text.find(R"("n":"one_2")") != std::string::npos);
}
