// SPDX-License-Identifier: MIT
// Random straight-line kernels give the same bits from the interpreter and from the emitted IR on the host executor.
#include "dsl/builder.hpp"
#include "dsl/interpreter.hpp"
#include "kernel_kit.hpp"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

using namespace twinir;

namespace {

constexpr std::size_t items = 64, inputs = 4;

/// A kernel of random operations: every value is made of earlier ones, the last ones are stored. Left out: what may
/// differ in the sign or payload of a NaN or the sign of a zero, and what hardware approximates.
class RandomKernel {
public:
  explicit RandomKernel(std::uint32_t seed) : random_(seed), kernel_("random_ops", find_target("gfx1250"), Workgroup{items}) {}

  KernelDef make(int steps) {
    const auto in = kernel_.global_in("in", i32), out = kernel_.global_out("out", i32);
    const auto at = kernel_.workitem() * static_cast<int>(inputs);
    for (int i = 0; i < static_cast<int>(inputs); ++i) add(in[at + i], in.as(f32)[at + i]);
    for (int i = 0; i < steps; ++i) add(integer(), number());
    const auto to = kernel_.workitem() * 8;
    for (int i = 0; i < 4; ++i) {
      out[to + i] = ints_[ints_.size() - 1 - static_cast<std::size_t>(i)];
      out.as(f32)[to + 4 + i] = floats_[floats_.size() - 1 - static_cast<std::size_t>(i)];
    }
    return kernel_.finish();
  }

private:
  void add(Value i, Value f) { ints_.push_back(i), floats_.push_back(f); }
  Value pick(const std::vector<Value>& from) { return from[random_() % from.size()]; }
  Value narrow_sum(Value a, Value b, Scalar kind) { return fpcast(fma(fpcast(a, kind), fpcast(b, kind), fpcast(a, kind)), Scalar::f32); }

  Value integer() {
    const auto a = pick(ints_), b = pick(ints_);
    switch (random_() % 18) {
    case 0: return a + b;
    case 1: return a - b;
    case 2: return a * b;
    case 3: return udiv(a, b | 1);
    case 4: return a % ((b & 255) | 1);
    case 5: return a ^ b;
    case 6: return a << (b & 31);
    case 7: return a >> (b & 31);
    case 8: return lshr(a, b & 31);
    case 9: return smax(umin(a, b), b);
    case 10: return ctpop(a) + ctlz(b);
    case 11: return bitreverse(a) + cttz(b);
    case 12: return umulh(a, b) + smulh(b, a);
    case 13: return fptosi_sat(pick(floats_), Scalar::i32);
    case 14: return fptoui_sat(pick(floats_), Scalar::i32);
    case 15: return select(pick(floats_) < pick(floats_), a, b);
    case 16: return trunc(zext(a, Scalar::i64) * sext(b, Scalar::i64) >> 7, Scalar::i32);
    default: return sext(trunc(a, Scalar::i8), Scalar::i32);
    }
  }

  Value number() {
    const auto a = pick(floats_), b = pick(floats_);
    switch (random_() % 16) {
    case 0: return a + b;
    case 1: return a - b;
    case 2: return a * b;
    case 3: return a / b;
    case 4: return fma(a, b, pick(floats_));
    case 5: return minimumnum(a, b);
    case 6: return maximumnum(a, b);
    case 7: return sqrt(fabs(a));
    case 8: return floor(a) + ceil(b);
    case 9: return rint(a) - ftrunc(b);
    case 10: return sitofp(pick(ints_), Scalar::f32);
    case 11: return fpcast(uitofp(zext(pick(ints_), Scalar::i64) * zext(pick(ints_), Scalar::i64), Scalar::f16), Scalar::f32);
    case 12: return narrow_sum(a, b, Scalar::f16);
    case 13: return narrow_sum(a, b, Scalar::bf16);
    case 14: return ldexp(a, pick(ints_) & 63);
    default: return fpcast(fpcast(a, Scalar::f64) * fpcast(b, Scalar::f64), Scalar::f32);
    }
  }

  std::mt19937 random_;
  KernelBuilder kernel_;
  std::vector<Value> ints_, floats_;
};

std::vector<std::uint32_t> random_words(std::uint32_t seed) {
  constexpr std::uint32_t edges[] = {0, 1, 0x80000000, 0x7FFFFFFF, 0xFFFFFFFF, 0x3F800000, 0x7F800000, 0xFF800000, 0x7FC00000, 0x477FF000, 0x33000001};
  std::mt19937 random(seed);
  std::vector<std::uint32_t> out(items * inputs);
  for (auto& word : out) {
    const auto kind = random() % 3;
    if (kind == 0) word = edges[random() % std::size(edges)];
    else word = kind == 1 ? static_cast<std::uint32_t>(random()) : std::bit_cast<std::uint32_t>(std::ldexp(static_cast<float>(random()) - 2147483648.0f, -24));
  }
  return out;
}

std::vector<std::uint32_t> executed(const KernelDef& def, const std::vector<std::uint32_t>& in) {
  auto x = kit::executor().alloc(in.size() * 4, "in", false), y = kit::executor().alloc(items * 32, "out", false);
  x.write(in);
  const auto kernel = kit::executor().load(kit::plugin().emit(write_json(def)), {.checked = true});
  host::LaunchOptions launch;
  launch.block = {items, 1, 1};
  kernel.run(pack_kernargs(def, {{"in", kit::address(x)}, {"out", kit::address(y)}}), launch).require_clean();
  const auto out = y.as<std::uint32_t>();
  return {out.begin(), out.end()};
}

std::vector<std::uint32_t> interpreted(const KernelDef& def, std::vector<std::uint32_t> in) {
  std::vector<std::uint32_t> out(items * 8);
  InterpreterMemory memory;
  const auto x = memory.add("in", in), y = memory.add("out", out);
  interpret(def, {{1, 1, 1}, interpreter_kernargs(def, {{"in", x}, {"out", y}})}, memory);
  return out;
}

bool both_nan(std::uint32_t a, std::uint32_t b) { return std::isnan(std::bit_cast<float>(a)) && std::isnan(std::bit_cast<float>(b)); }

} // namespace

TEST_CASE("interpreter and host executor agree on random kernels") {
  for (std::uint32_t seed = 1; seed <= 40; ++seed) {
    const auto def = RandomKernel(seed).make(24);
    const auto in = random_words(seed);
    const auto a = executed(def, in), b = interpreted(def, in);
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      CAPTURE(seed, i, a[i], b[i]);
      CHECK((a[i] == b[i] || (i % 8 >= 4 && both_nan(a[i], b[i]))));
    }
  }
}
