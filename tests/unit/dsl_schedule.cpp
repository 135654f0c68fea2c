// SPDX-License-Identifier: MIT
// The rules of the scheduler (docs/scheduling.md), on the canonical JSON.
#include "dsl/builder.hpp"
#include "dsl/error.hpp"
#include "dsl/json.hpp"
#include "dsl/lds_view.hpp"

#include <catch2/catch.hpp>
#include <limits>

using namespace twinir;

namespace {

/// What the test kernels have.
struct Kit {
  KernelBuilder k{"t", find_target("gfx1250"), Workgroup{64}};
  Pointer s = k.lds("s", f32, 64), o = k.global("o", f32), x = k.global_in("x", f32);
  Value n = k.arg("n", i32);
};

template <class F> std::string built(F body) {
  Kit kit;
  body(kit);
  return write_json(kit.k.finish());
}

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
}
const std::string load = "\"op\":\"load\"", store = "\"op\":\"store\"";

} // namespace

TEST_CASE("a load stays before the store that follows it") {
  const auto text = built([](Kit& t) {
    const Value v = t.s[t.n];
    t.s[t.n] = 1.0;
    t.o[0] = v;
  });
  CHECK(text.find(load) < text.find(store));
}

TEST_CASE("loads on both sides of a store are two, in one epoch one") {
  CHECK(count(built([](Kit& t) {
          const Value v = t.s[t.n];
          t.s[t.n] = 1.0;
          t.o[0] = v + t.s[t.n];
        }), load) == 2);
  CHECK(count(built([](Kit& t) { t.o[0] = t.s[t.n] * t.s[t.n]; }), load) == 1);
}

TEST_CASE("a store to another address space does not end an epoch") {
  CHECK(count(built([](Kit& t) {
          const Value v = t.s[t.n];
          t.o[1] = 1.0; // global
          t.o[0] = v + t.s[t.n];
        }), load) == 1);
}

TEST_CASE("reads of read-only memory are free of stores") {
  CHECK(count(built([](Kit& t) {
          const Value v = t.x[t.n];
          t.o[1] = 1.0;
          t.k.barrier();
          t.o[0] = v + t.x[t.n];
        }), load) == 1);
}

TEST_CASE("the order of creation does not show") {
  const auto a = built([](Kit& t) {
    const Value p = t.s[t.n], q = t.s[t.n + 1];
    t.o[0] = p * p + q * 3.0;
  });
  const auto b = built([](Kit& t) {
    const Value q3 = Value(t.s[t.n + 1]) * 3.0;
    const Value p = t.s[t.n];
    const Value pp = p * p;
    t.o[0] = pp + q3;
  });
  CHECK(a == b);
}

TEST_CASE("a value is computed in the innermost region that has all its uses") {
  const auto one = built([](Kit& t) {
    const auto e = t.k.let("e", t.n * t.n);
    t.k.if_(t.n < 1, [&] { t.o[e] = 1.0; });
  });
  CHECK(one.find("\"op\":\"if\"") < one.find("\"n\":\"e\""));
  const auto both = built([](Kit& t) {
    const auto e = t.k.let("e", t.n * t.n);
    t.k.if_(t.n < 1, [&] { t.o[e] = 1.0; }, [&] { t.o[e] = 2.0; });
  });
  CHECK(both.find("\"op\":\"if\"") > both.find("\"n\":\"e\""));
}

TEST_CASE("pin computes a value here") {
  const auto text = built([](Kit& t) {
    const auto e = t.k.pin(t.k.let("e", t.n * t.n));
    t.k.if_(t.n < 1, [&] { t.o[e] = 1.0; });
  });
  CHECK(text.find("\"op\":\"if\"") > text.find("\"n\":\"e\""));
}

TEST_CASE("what does not change in a loop is computed before it, unless it could trap") {
  const auto hoisted = built([](Kit& t) { t.k.for_range(0, t.n, 1, [&](Value i) { t.o[i] = t.k.constant(f32, 1.0) * sitofp(t.n * t.n, Scalar::f32); }); });
  CHECK(hoisted.find("\"op\":\"mul\"") < hoisted.find("\"op\":\"for\""));
  const auto division = built([](Kit& t) { t.k.for_range(0, t.n, 1, [&](Value i) { t.o[i] = sitofp(t.n / t.n, Scalar::f32); }); });
  CHECK(division.find("\"op\":\"sdiv\"") > division.find("\"op\":\"for\""));
}

TEST_CASE("carried and final values are not merged") {
  const auto text = built([](Kit& t) {
    const auto last = t.k.for_carry(0, t.n, 1, {t.k.zero(f32)}, [&](Value, const KernelBuilder::Values& c) {
      t.o[1] = c[0] + 1.0;
      return KernelBuilder::Values{c[0] + 1.0};
    });
    t.o[0] = last[0] + 1.0;
  });
  CHECK(count(text, "\"op\":\"fadd\"") == 2);
}

TEST_CASE("dead values vanish") { CHECK(count(built([](Kit& t) { (void)Value(t.s[t.n * t.n]); }), load) == 0); }

TEST_CASE("an early return guards the rest") {
  const auto text = built([](Kit& t) {
    t.k.return_if(t.n > 3);
    t.o[0] = 1.0;
    t.k.return_if(t.n > 2);
    t.o[1] = 2.0;
  });
  CHECK(count(text, "\"op\":\"if\"") == 2);
  CHECK(text.find("\"op\":\"if\"") < text.find(store));
}

TEST_CASE("a constant condition leaves one branch and no if") {
  const auto text = built([](Kit& t) { t.k.if_(t.k.constant(i1, 1), [&] { t.o[0] = 1.0; }, [&] { t.o[1] = 2.0; }); });
  CHECK(count(text, "\"op\":\"if\"") == 0);
  CHECK(count(text, store) == 1);
}

TEST_CASE("constants fold exactly") {
  const auto kept = built([](Kit& t) {
    const auto k7 = t.k.constant(i32, 7);
    t.o[k7 * 6 - 2] = 1.0;                              // 40
    t.o[(t.n + 0) * 1] = Value(t.o[0]) * 1.0 + -0.0;    // nothing left of the arithmetic
    t.o[1] = Value(t.o[2]) + 0.0;                       // not the identity for -0
  });
  CHECK(count(kept, "\"op\":\"mul\"") == 0);
  CHECK(count(kept, "[\"i32\",\"28\"]") == 1);
  CHECK(count(kept, "\"op\":\"fadd\"") == 1);
  CHECK(count(kept, "\"op\":\"fmul\"") == 0);
}

TEST_CASE("arithmetic with NaN constants is not folded, what moves their bits is") {
  const auto kept = built([](Kit& t) {
    const Value nan = t.k.constant(f32, std::vector<std::uint64_t>{0x7FA00055}), x = t.x[0];
    t.o[0] = nan * 1.0;
    t.o[1] = nan / 1.0;
    t.o[2] = nan + -0.0;
    t.o[3] = nan - 0.0;
    t.o[4] = fma(nan, t.k.constant(f32, 1.0), x) + fma(x, t.k.constant(f32, 1.0), nan);
    const auto pair = vec(f32, 2);
    t.o.as(pair)[5] = t.k.constant(pair, std::vector<std::uint64_t>{0, 0x7FC00000}) * 1.0;
    t.o[6] = select(t.k.constant(i1, 1), nan, x);
    t.o[7] = -fabs(nan);
  });
  CHECK(count(kept, "\"op\":\"fmul\"") == 2);
  for (const char* op : {"fdiv", "fsub", "fneg", "fabs"})
    CHECK(count(kept, "\"op\":\"" + std::string(op) + "\"") == 1);
  CHECK(count(kept, "\"op\":\"fma\"") == 2);
  CHECK(count(kept, "\"op\":\"fadd\"") == 2); // of NaN and -0, and of the two products
  CHECK(count(kept, "\"op\":\"select\"") == 0);
  CHECK(count(kept, "7fa00055") == 8); // of what has it: all but the pair
}

TEST_CASE("a NaN that is given as a number is the quiet one of the type") {
  const auto kept = built([](Kit& t) { t.o[0] = Value(t.x[0]) * std::numeric_limits<double>::quiet_NaN(); });
  CHECK(count(kept, "[\"f32\",\"7fc00000\"]") == 1);
}

TEST_CASE("opaque values are each one of its own") {
  CHECK(count(built([](Kit& t) { t.o[0] = t.k.opaque(Value(t.x[0])) + t.k.opaque(Value(t.x[0])); }), "\"op\":\"opaque\"") == 2);
}

TEST_CASE("names: the smallest hint wins, taken names get a number") {
  const auto text = built([](Kit& t) {
    (void)t.k.let("zz", t.n * 5);
    (void)t.k.let("aa", t.n * 5);
    t.o[t.n * 5] = 1.0;
    t.o[t.k.let("n", t.n * 7)] = 1.0;
  });
  CHECK(count(text, "\"n\":\"aa\"") == 1);
  CHECK(count(text, "\"n\":\"n_2\"") == 1);
}

TEST_CASE("views of LDS: padded rows, swizzled pieces, refusals") {
  const auto padded = built([](Kit& t) { LdsView::padded(t.s, 7, 1)(t.n, t.n + 1) = 1.0; });
  CHECK(count(padded, "\"op\":\"mul\"") == 1); // row * 8
  CHECK(count(padded, "[\"i32\",\"8\"]") == 1);
  const auto swizzled = built([](Kit& t) { LdsView::swizzled(t.s, 8, 2)(t.n, t.n + 1) = 1.0; });
  CHECK(count(swizzled, "\"op\":\"xor\"") == 1); // column ^ (row & 3) * 2
  CHECK(count(swizzled, "[\"i32\",\"3\"]") == 1);
  const auto refused = [](int columns, int piece) {
    Kit t;
    CHECK_THROWS_AS((void)LdsView::swizzled(t.s, columns, piece), UserError);
  };
  refused(8, 3), refused(8, 0), refused(6, 4), refused(12, 4), refused(0, 1);
  Kit t;
  CHECK_THROWS_AS((void)LdsView::padded(t.s, 8, -1), UserError);
}
