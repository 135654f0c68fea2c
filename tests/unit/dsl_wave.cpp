// SPDX-License-Identifier: MIT
// Wave collectives on the interpreter: every function of dsl/wave.hpp against its definition, and what is
// refused.
#include "dsl/constant.hpp"
#include "dsl/error.hpp"
#include "dsl/interpreter.hpp"
#include "dsl/wave.hpp"

#include <catch2/catch.hpp>
#include <functional>
#include <limits>

using namespace twinir;

namespace {

constexpr int items = 128;
const char* const targets[] = {"gfx1250", "gfx950"}; // waves of 32 and of 64

/// What a kernel leaves in `out`, one word per item; `make` gives an item's value from its number.
using Make = std::function<Value(KernelBuilder&, Value)>;

KernelDef kernel_of(const char* target, const Make& make) {
  KernelBuilder k{"wave", find_target(target), Workgroup{items}};
  auto out = k.global_out("out", i32);
  const auto item = k.workitem();
  out[item] = make(k, item);
  return k.finish();
}

std::vector<std::uint32_t> run(const char* target, const Make& make) {
  const auto def = kernel_of(target, make);
  std::vector<std::uint32_t> out(items);
  InterpreterMemory memory;
  const auto address = memory.add("out", out);
  interpret(def, {{1, 1, 1}, interpreter_kernargs(def, {{"out", address}})}, memory);
  return out;
}

using Expect = std::function<std::uint32_t(std::uint32_t item, std::uint32_t lane, std::uint32_t wave)>;

void check(const Make& make, const Expect& expect) {
  for (const auto* target : targets) {
    const auto wave = static_cast<std::uint32_t>(find_target(target).wave);
    const auto out = run(target, make);
    for (std::uint32_t i = 0; i < items; ++i) {
      CAPTURE(target, i);
      REQUIRE(out[i] == expect(i, i % wave, wave));
    }
  }
}

int code_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const UserError& e) {
    return static_cast<int>(e.diagnostic().code);
  }
  return 0;
}

Value number(const Value& condition) { return zext(condition, Scalar::i32); }
Value low_word(const Value& v) { return v.type() == i64 ? trunc(v, Scalar::i32) : v; }

/// 3, 10, 17, ..., 0 to 18: positive and small.
std::uint32_t mixed(std::uint32_t item) { return (item * 7 + 3) % 19; }
Value mixed(const Value& item) { return urem(item * 7 + 3, 19); }

} // namespace

TEST_CASE("wave: readlane and ballot") {
  check([](auto& k, Value i) { return k.readlane(i * 3, 5); },
        [](auto i, auto lane, auto) { return (i - lane + 5) * 3; });
  check([](auto& k, Value i) { return bitcast(k.readlane(bitcast(i, f32), 2), i32); },
        [](auto i, auto lane, auto) { return i - lane + 2; });
  check([](auto& k, Value i) { return low_word(k.ballot((i & 3) == 1)); },
        [](auto, auto, auto) { return 0x22222222u; });
  const Make odd_lanes = [](auto& k, Value i) {
    return k.if_value((i & 1) == 1, [&] { return low_word(k.ballot(i > 0)); }, [&] { return k.zero(i32); });
  };
  check(odd_lanes, [](auto i, auto, auto) { return i % 2 ? 0xAAAAAAAAu : 0u; });
}

TEST_CASE("wave: votes") {
  check([](auto&, Value i) { return number(wave_any(i == 40)); },
        [](auto i, auto, auto wave) { return i / wave == 40 / wave ? 1u : 0u; });
  check([](auto&, Value i) { return number(wave_all(i < 64)); },
        [](auto i, auto, auto) { return i < 64 ? 1u : 0u; });
  const Make inside = [](auto& k, Value i) {
    return k.if_value((i & 1) == 0, [&] { return number(wave_all((i & 1) == 0)); },
                      [&] { return k.constant(i32, 7); });
  };
  check(inside, [](auto i, auto, auto) { return i % 2 ? 7u : 1u; });
}

TEST_CASE("wave: shuffles") {
  check([](auto& k, Value i) { return wave_shuffle(i, k.lane() * 5); },
        [](auto i, auto lane, auto wave) { return i - lane + lane * 5 % wave; });
  check([](auto&, Value i) { return wave_shuffle_xor(i, 9); }, [](auto i, auto, auto) { return i ^ 9; });
  check([](auto&, Value i) { return wave_shuffle_up(i, 3); },
        [](auto i, auto lane, auto) { return lane < 3 ? i : i - 3; });
  check([](auto&, Value i) { return wave_shuffle_down(i, 3); },
        [](auto i, auto lane, auto wave) { return lane + 3 >= wave ? i : i + 3; });
  const Make halves = [](auto&, Value i) {
    return fptoui(wave_shuffle_xor(uitofp(i, Scalar::f16), 1), Scalar::i32);
  };
  check(halves, [](auto i, auto, auto) { return i ^ 1; });
  const Make from_off = [](auto& k, Value i) {
    return k.if_value((i & 1) == 0, [&] { return wave_shuffle(i + 1, k.lane() + 1); }, [&] { return i; });
  };
  check(from_off, [](auto i, auto, auto) { return i % 2 ? i : 0u; });
}

TEST_CASE("wave: reductions") {
  const auto over_wave = [](auto i, auto lane, auto wave, auto combine, std::uint32_t first) {
    for (std::uint32_t j = i - lane; j < i - lane + wave; ++j) first = combine(first, mixed(j));
    return first;
  };
  const auto sum = [&](auto i, auto lane, auto wave) {
    return over_wave(i, lane, wave, std::plus<std::uint32_t>(), 0);
  };
  check([](auto&, Value i) { return wave_reduce(mixed(i), Combine::add); }, sum);
  check([](auto&,
           Value i) { return fptoui(wave_reduce(uitofp(mixed(i), Scalar::f32), Combine::add), Scalar::i32); },
        sum);
  check([](auto&, Value i) { return wave_reduce(mixed(i) - 9, Combine::max); },
        [](auto, auto, auto) { return 9u; });
  check([](auto&, Value i) { return wave_reduce(mixed(i) - 9, Combine::min); },
        [](auto, auto, auto) { return static_cast<std::uint32_t>(-9); });
  const Make halves = [](auto&, Value i) {
    return fptosi(wave_reduce(-sitofp(mixed(i), Scalar::f16), Combine::min), Scalar::i32);
  };
  check(halves, [](auto, auto, auto) { return static_cast<std::uint32_t>(-18); });
}

TEST_CASE("wave: scans") {
  const auto up_to = [](auto i, auto lane, std::uint32_t end) {
    std::uint32_t sum = 0;
    for (std::uint32_t j = 0; j < lane + end; ++j) sum += mixed(i - lane + j);
    return sum;
  };
  check([](auto&, Value i) { return wave_inclusive_scan(mixed(i), Combine::add); },
        [&](auto i, auto lane, auto) { return up_to(i, lane, 1); });
  check([](auto&, Value i) { return wave_exclusive_scan(mixed(i), Combine::add); },
        [&](auto i, auto lane, auto) { return up_to(i, lane, 0); });
  const Make floats = [](auto&, Value i) {
    return fptoui(wave_inclusive_scan(uitofp(mixed(i), Scalar::f32), Combine::add), Scalar::i32);
  };
  check(floats, [&](auto i, auto lane, auto) { return up_to(i, lane, 1); });
  const Make largest = [](auto&, Value i) { return wave_exclusive_scan(mixed(i), Combine::max); };
  check(largest, [](auto i, auto lane, auto) {
    auto best = static_cast<std::uint32_t>(std::numeric_limits<std::int32_t>::min());
    for (std::uint32_t j = 0; j < lane; ++j)
      best = j == 0 ? mixed(i - lane) : std::max(best, mixed(i - lane + j));
    return best;
  });
}

TEST_CASE("wave: what is refused") {
  const auto built = [](const Make& make) { return code_of([&] { (void)kernel_of("gfx1250", make); }); };
  CHECK(built([](auto&, Value i) { return trunc(wave_shuffle_xor(zext(i, Scalar::i64), 1), Scalar::i32); }) ==
        static_cast<int>(Code::type_mismatch));
  CHECK(built([](auto&, Value i) { return wave_shuffle_xor(i, 32); }) == static_cast<int>(Code::bad_index));
  CHECK(built([](auto&, Value i) { return wave_shuffle_up(i, 0); }) == static_cast<int>(Code::bad_index));
  CHECK(built([](auto& k, Value i) { return k.readlane(i, zext(i, Scalar::i64)); }) ==
        static_cast<int>(Code::type_mismatch));
  CHECK(built([](auto& k, Value i) { return k.ballot(i); }) == static_cast<int>(Code::type_mismatch));
  const auto ran = [](const Make& make) { return code_of([&] { (void)run("gfx1250", make); }); };
  CHECK(ran([](auto& k, Value i) { return k.readlane(i, i); }) == static_cast<int>(Code::exec_poison));
  const Make of_an_idle_lane = [](auto& k, Value i) {
    return k.if_value((i & 1) == 0, [&] { return k.readlane(i, 3); }, [&] { return i; });
  };
  CHECK(ran(of_an_idle_lane) == static_cast<int>(Code::exec_partial_wave));
}
