// SPDX-License-Identifier: MIT
// Trials 13 and 14: quotients, remainders and overflowing products of emitted IR on the host executor.
#include "dsl/builder.hpp"
#include "instances/conv/problem.hpp"
#include "instances/magic.hpp"
#include "kernel_kit.hpp"

#include <catch2/catch.hpp>

using namespace twinir;

namespace {

/// q[i], r[i] = n[i] / d, n[i] % d
KernelDef division() {
  KernelBuilder k{"divide", find_target("gfx1250"), Workgroup{64}};
  auto n = k.global_in("n", i32);
  auto q = k.global_out("q", i32), r = k.global_out("r", i32);
  auto d = k.arg<i32>("d"), count = k.arg<i32>("count");
  const MagicArg by_d(k, "d");
  k.for_range(k.global_id(), count, k.global_size(), [&](Value i) {
    const Value dividend = n[i], quotient = by_d.quotient(dividend);
    q[i] = quotient;
    r[i] = dividend - quotient * d;
  });
  return k.finish();
}

struct Answer {
  std::int64_t quotient, remainder;
  friend bool operator==(const Answer&, const Answer&) = default;
};

/// As a launch would: the host refuses what is out of range, then the kernel runs.
Answer divide(std::int64_t n, std::int64_t d) {
  static const kit::Ready kernel(division());
  check_dividend(n);
  const auto magic = magic_divisor(d);
  auto in = kit::executor().alloc(4, "n", false), q = kit::executor().alloc(4, "q", false), r = kit::executor().alloc(4, "r", false);
  in.write(std::vector<std::int32_t>{static_cast<std::int32_t>(n)});
  kernel.run({{"n", kit::address(in)}, {"q", kit::address(q)}, {"r", kit::address(r)}, {"d", d}, {"count", std::int64_t{1}},
              {"d_m", std::uint64_t{magic.multiplier}}, {"d_s", std::uint64_t{magic.shift}}},
             {1, 1, 1});
  return {q.as<std::int32_t>()[0], r.as<std::int32_t>()[0]};
}

Code code_of(std::int64_t n, std::int64_t d) {
  try {
    (void)divide(n, d);
  } catch (const UserError& e) {
    return e.code();
  }
  return Code::internal;
}

/// out[0] = 67108864 * x, promised not to overflow
KernelDef product() {
  KernelBuilder k{"product", find_target("gfx1250"), Workgroup{1}};
  auto out = k.global_out("out", i32);
  auto x = k.arg<i32>("x");
  out[0] = mul(x, 67108864, Wrap::nsw);
  return k.finish();
}

} // namespace

TEST_CASE("trial 14: the pairs that other libraries get wrong") {
  struct Row {
    std::int64_t n, d;
    Answer right;
  };
  for (const auto& row : {Row{109226, 320, {341, 106}}, Row{98304, 192, {512, 0}}, Row{67109119, 320, {209715, 319}},
                          Row{33554495, 192, {174762, 191}}, Row{1073741824, 25, {42949672, 24}}, Row{1073741824, 5, {214748364, 4}}}) {
    CAPTURE(row.n, row.d);
    CHECK(divide(row.n, row.d) == row.right);
  }
}

TEST_CASE("trial 14: the ends of the range") {
  constexpr std::int64_t last = 2147483647;
  for (std::int64_t d : {std::int64_t{1}, std::int64_t{2}, std::int64_t{3}, std::int64_t{641}, std::int64_t{6700417}, std::int64_t{1073741825}, last - 1, last}) {
    CAPTURE(d);
    CHECK(divide(last, d) == Answer{last / d, last % d});
    CHECK(divide(0, d) == Answer{0, 0});
  }
  CHECK(divide(858993461, 9) == Answer{95443717, 8});
  CHECK(divide(1431655770, 7) == Answer{204522252, 6});
}

TEST_CASE("trial 14: n = 2^31 and d = 0 are refused, never divided") {
  CHECK(code_of(std::int64_t{1} << 31, 7) == Code::index_overflow);
  CHECK(code_of(-1, 7) == Code::index_overflow);
  CHECK(code_of(7, 0) == Code::index_overflow);
  CHECK(code_of(7, std::int64_t{1} << 31) == Code::index_overflow);
  CHECK_THROWS_AS((void)conv::checked_product({2048, 2048, 512}, conv::index_limit, "elements"), UserError);
  CHECK(conv::checked_product({2048, 2048, 511}, conv::index_limit, "elements") == 2143289344);
}

TEST_CASE("trial 13: the executor reports the overflow of 67108864 * x at 32 and 63, not at 31") {
  const kit::Ready kernel(product());
  const auto report = [&](std::int64_t x, std::int32_t* value = nullptr) {
    auto out = kit::executor().alloc(4, "out", false);
    auto done = kernel.kernel.run(pack_kernargs(kernel.def, {{"out", kit::address(out)}, {"x", x}}), {.block = {1, 1, 1}});
    if (value != nullptr) *value = out.as<std::int32_t>()[0];
    return done;
  };
  std::int32_t value = 0;
  CHECK(report(31, &value).faults.empty());
  CHECK(value == 31 * 67108864);
  for (std::int64_t x : {32, 63}) {
    const auto done = report(x);
    REQUIRE(done.faults.size() == 1);
    CHECK(done.faults[0].code == "TIR5007");
    CHECK(done.faults[0].ir.find("nsw") != std::string::npos);
  }
}
