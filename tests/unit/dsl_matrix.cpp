// SPDX-License-Identifier: MIT
// Matrix products and gfx950's loads into LDS, from the builder to the interpreter.
#include "dsl/builder.hpp"
#include "dsl/error.hpp"
#include "dsl/interpreter.hpp"
#include "dsl/matrix.hpp"

#include <bit>
#include <catch2/catch.hpp>
#include <cstring>

using namespace twinir;

namespace {

using N = MatrixNumber;
using Words = std::vector<std::uint32_t>;

/// A product that a target has, and the operation that stands for it.
struct Row {
  const char* target;
  N a, b;
  int side;
  const char* op;
};
const Row rows[] = {
    {"gfx1250", N::half, N::half, 16, "wmma.f32.16x16x32.f16"},
    {"gfx1250", N::fp8, N::fp8, 16, "wmma.f32.16x16x64.fp8.fp8"},
    {"gfx1250", N::fp8, N::bf8, 16, "wmma.f32.16x16x64.fp8.bf8"},
    {"gfx1250", N::bf8, N::fp8, 16, "wmma.f32.16x16x64.bf8.fp8"},
    {"gfx1250", N::bf8, N::bf8, 16, "wmma.f32.16x16x64.bf8.bf8"},
    {"gfx1250", N::int8, N::uint8, 16, "wmma.i32.16x16x64.iu8"},
    {"gfx1201", N::half, N::half, 16, "wmma.f32.16x16x16.f16.gfx12"},
    {"gfx1201", N::bfloat, N::bfloat, 16, "wmma.f32.16x16x16.bf16.gfx12"},
    {"gfx1201", N::bf8, N::fp8, 16, "wmma.f32.16x16x16.bf8.fp8"},
    {"gfx1201", N::uint8, N::int8, 16, "wmma.i32.16x16x16.iu8.gfx12"},
    {"gfx1150", N::bfloat, N::bfloat, 16, "wmma.f32.16x16x16.bf16"},
    {"gfx1150", N::int8, N::int8, 16, "wmma.i32.16x16x16.iu8"},
    {"gfx950", N::half, N::half, 32, "mfma.f32.32x32x16.f16"},
    {"gfx950", N::half, N::half, 16, "mfma.f32.16x16x32.f16"},
    {"gfx950", N::bfloat, N::bfloat, 16, "mfma.f32.16x16x32.bf16"},
    {"gfx950", N::fp8, N::bf8, 32, "mfma.f32.32x32x16.fp8.bf8"},
    {"gfx950", N::int8, N::int8, 32, "mfma.i32.32x32x32.i8"},
};

/// The code of a small whole number, 0 to 3 (to 1 below 0 where there is a sign).
std::uint32_t code(N n, int value) {
  const bool negative = value < 0;
  const auto index = static_cast<std::size_t>(negative ? -value : value);
  constexpr std::uint32_t codes[][4] = {
      {0, 0x3C00, 0x4000, 0x4200}, {0, 0x3F80, 0x4000, 0x4040}, {0, 0x38, 0x40, 0x44}, {0, 0x3C, 0x40, 0x42}};
  if (is_int(n)) return static_cast<std::uint32_t>(value) & 255;
  return codes[static_cast<std::size_t>(n)][index] | (negative ? 1U << (bit_width(n) - 1) : 0);
}
int number(N n, int i, int k, int step) { return (i * step + k * 3) % 5 - (n == N::uint8 ? 0 : 1); }

Words fragments(const MatrixOp& m, N n, int step) {
  const auto& l = m.layout;
  std::vector<std::byte> bytes(static_cast<std::size_t>(l.wave * l.fragment_values() * bit_width(n) / 8));
  const int size = bit_width(n) / 8;
  for (int copy = 0; copy < l.groups() / l.piece_groups; ++copy)
    for (int i = 0; i < l.side; ++i)
      for (int k = 0; k < l.depth(); ++k) {
        const int lane = l.group_of_k(k, copy * l.piece_groups) * l.side + i;
        const auto bits = code(n, number(n, i, k, step));
        std::memcpy(bytes.data() + (lane * l.fragment_values() + l.slot_of_k(k)) * size, &bits,
                    static_cast<std::size_t>(size));
      }
  Words out(bytes.size() / 4);
  std::memcpy(out.data(), bytes.data(), bytes.size());
  return out;
}

KernelDef product(const Row& r, const MatrixOp& m) {
  KernelBuilder k{"product", find_target(r.target), Workgroup{m.layout.wave}};
  auto a = k.global_in("a", i32), b = k.global_in("b", i32), d = k.global_out("d", m.sums().element());
  const auto i = k.workitem();
  const int words = static_cast<int>(m.fragment.bits()) / 32;
  const auto loaded = [&](const Pointer& from) { return from.load(vec(i32, words), i * words); };
  const auto packed = [&](const Value& v) { return bit_width(m.a) == 8 ? v : bitcast(v, m.fragment); };
  d.store(i * m.layout.sums(),
          k.mma(packed(loaded(a)), packed(loaded(b)), k.zero(m.sums()), r.a, r.b, r.side));
  return k.finish();
}

const Stmt* find(const KernelDef& def, std::string_view op) {
  for (const auto& s : def.body)
    if (info(s.op).name == op) return &s;
  return nullptr;
}

int code_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const UserError& e) {
    return static_cast<int>(e.diagnostic().code);
  }
  return 0;
}

} // namespace

TEST_CASE("mma: the operation of the target for the numbers, and its product") {
  for (const auto& r : rows) {
    INFO(r.op);
    const auto* m = find_matrix_op(find_target(r.target), r.a, r.b, r.side);
    REQUIRE(m != nullptr);
    const auto def = product(r, *m);
    const auto* stmt = find(def, r.op);
    REQUIRE(stmt != nullptr);
    CHECK(stmt->attributes.size() == (m->has_signs() ? 2 : 0));
    auto left = fragments(*m, r.a, 2), right = fragments(*m, r.b, 1);
    Words sums(static_cast<std::size_t>(r.side * r.side));
    InterpreterMemory memory;
    const auto a = memory.add("a", left), b = memory.add("b", right), d = memory.add("d", sums);
    interpret(def, {{1, 1, 1}, interpreter_kernargs(def, {{"a", a}, {"b", b}, {"d", d}})}, memory);
    for (int lane = 0; lane < m->layout.wave; ++lane)
      for (int slot = 0; slot < m->layout.sums(); ++slot) {
        const int row = m->layout.row_of_slot(lane / r.side, slot), column = lane % r.side;
        int sum = 0;
        for (int k = 0; k < m->layout.depth(); ++k) sum += number(r.a, row, k, 2) * number(r.b, column, k, 1);
        const auto found = sums[static_cast<std::size_t>(lane * m->layout.sums() + slot)];
        CHECK(found == (is_int(r.a) ? static_cast<std::uint32_t>(sum)
                                    : std::bit_cast<std::uint32_t>(static_cast<float>(sum))));
      }
  }
}

TEST_CASE("mma: what a target has not is refused, with the numbers") {
  const auto refused = [](const char* target, N a, N b, int side) {
    KernelBuilder k{"refused", find_target(target), Workgroup{64}};
    const auto zero = k.zero(vec(i32, 4));
    try {
      (void)k.mma(zero, zero, k.zero(vec(f32, 8)), a, b, side);
    } catch (const UserError& e) {
      CHECK(e.diagnostic().code == Code::op_not_on_target);
      return e.diagnostic().found;
    }
    return std::string();
  };
  CHECK(refused("gfx1150", N::fp8, N::bf8, 0) == "a matrix product of fp8 by bf8");
  CHECK(refused("gfx950", N::uint8, N::int8, 0) == "a matrix product of u8 by i8");
  CHECK(refused("gfx1250", N::half, N::half, 32) == "a matrix product of f16 by f16, side 32");
  CHECK(refused("gfx1250", N::half, N::bfloat, 0) == "a matrix product of f16 by bf16");
  for (const auto word : {"f16", "bf16", "fp8", "bf8", "i8", "u8"})
    CHECK(to_string(parse_matrix_number(word).value()) == word);
  CHECK_FALSE(parse_matrix_number("f8"));
}

namespace {

/// Two loads a lane, the second 1024 bytes behind; then a wait, and every lane's neighbour.
int load_lds(const std::function<void(KernelBuilder&)>& wait, Words* out = nullptr, int lane_bytes = 0,
             int bytes = 16) {
  KernelBuilder k{"copy", find_target("gfx950"), Workgroup{64}};
  auto x = k.global_in("x", i32), y = k.global_out("y", i32);
  auto stage = k.lds("stage", i32, 512);
  const auto i = k.workitem();
  const auto base = (stage.as(i8) + i * lane_bytes).as(i32);
  for (const int offset : {0, 1024}) k.load_lds(x + (63 - i) * (bytes / 4), base, bytes, offset);
  wait(k);
  const auto there = (i ^ 1) * (bytes / 4);
  y[i] = Value(stage[there + 256]) - stage[there];
  const auto def = k.finish();
  Words from(1024), to(64);
  for (std::uint32_t n = 0; n < from.size(); ++n) from[n] = n * n;
  InterpreterMemory memory;
  const auto xa = memory.add("x", from), ya = memory.add("y", to);
  const int found = code_of([&] {
    interpret(def, {{1, 1, 1}, interpreter_kernargs(def, {{"x", xa}, {"y", ya}})}, memory);
  });
  if (out != nullptr) *out = to;
  return found;
}

} // namespace

TEST_CASE("load_lds: base + bytes * lane, done when it was waited for") {
  for (const int bytes : {4, 12, 16}) {
    Words out;
    CHECK(load_lds([](auto& k) { k.wait_load_lds(0); }, &out, 0, bytes) == 0);
    for (std::uint32_t i = 0; i < 64; ++i) {
      const auto from = static_cast<std::uint32_t>(bytes / 4) * (63 - (i ^ 1));
      CHECK(out[i] == (from + 256) * (from + 256) - from * from);
    }
  }
  CHECK(load_lds([](auto&) {}) == 5004);
  CHECK(load_lds([](auto& k) { k.wait_load_lds(1); }) == 5004);
  CHECK(load_lds([](auto& k) { k.wait_load_lds(0); }, nullptr, 4) == 5007);
}

TEST_CASE("load_lds: other sizes, offsets and targets are refused") {
  const auto refused = [](const char* target, int bytes, int offset) {
    return code_of([&] {
      KernelBuilder k{"refused", find_target(target), Workgroup{64}};
      k.load_lds(k.global_in("x", i32), k.lds("s", i32, 256), bytes, offset);
      k.wait_load_lds(0);
      (void)k.finish();
    });
  };
  CHECK(refused("gfx950", 16, 4095) == 0);
  CHECK(refused("gfx950", 16, 4096) == static_cast<int>(Code::bad_attribute));
  CHECK(refused("gfx950", 8, 0) == static_cast<int>(Code::bad_attribute));
  for (const char* target : {"gfx1250", "gfx1201", "gfx1150"})
    CHECK(refused(target, 4, 0) == static_cast<int>(Code::op_not_on_target));
}
