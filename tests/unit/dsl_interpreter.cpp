// SPDX-License-Identifier: MIT
// The interpreter: one line per operation and edge value, every control form, every fault.
#include "dsl/interpreter.hpp"

#include "dsl/builder.hpp"
#include "dsl/constant.hpp"
#include "dsl/error.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <sstream>
#include <utility>

using namespace twinir;

namespace {

const Target& target() { return find_target("gfx1250"); }

/// "7f,0" or "poison" as a constant.
Operand constant(Type type, const std::string& text) {
  Operand out{"", type, {}, text == "poison"};
  std::istringstream in(text);
  for (std::string word; !out.poison && std::getline(in, word, ',');) out.bits.push_back(std::stoull(word, nullptr, 16));
  return out;
}

Attribute attribute(const std::string& text) {
  const auto at = text.find('=');
  const auto value = text.substr(at + 1);
  const bool number = value.find_first_not_of("-0123456789") == std::string::npos;
  return {text.substr(0, at), number ? std::stoll(value) : 0, number ? "" : value};
}

/// "add nuw i32 1 i32 2 -> i32 3": a statement on constants and what it gives, or the code with which it is refused.
struct Row {
  Stmt stmt;
  std::string expected;

  explicit Row(const std::string& text) {
    std::istringstream in(text);
    std::string word;
    in >> word;
    stmt.op = *parse_op(word), stmt.name = "r";
    while (in >> word && word != "->") argument(word, in);
    in >> word;
    stmt.type = *parse_type(word);
    in >> expected;
  }
  void argument(const std::string& word, std::istream& in) {
    if (word.starts_with("mask:")) {
      for (const auto bits : constant(i64, word.substr(5)).bits) stmt.mask.push_back(bits == 0xFF ? -1 : static_cast<int>(bits));
    } else if (word.find('=') != std::string::npos) {
      stmt.attributes.push_back(attribute(word));
    } else if (const auto type = parse_type(word)) {
      std::string bits;
      in >> bits;
      stmt.args.push_back(constant(*type, bits));
    } else {
      stmt.flags.push_back(word);
    }
  }
};

Stmt statement(Op op, std::string name, Type type, std::vector<Operand> args) {
  Stmt s;
  s.op = op, s.name = std::move(name), s.type = type, s.args = std::move(args);
  return s;
}

/// One item that evaluates the row and stores the result, i1 as i8.
KernelDef kernel_of(const Row& row) {
  KernelDef k;
  k.name = "row", k.target = "gfx1250";
  k.params = {{"out", {Scalar::p1, 1}, ParamKind::out, 1, 0}};
  k.body.push_back(row.stmt);
  Operand result{"r", row.stmt.type, {}, false};
  if (result.type.scalar == Scalar::i1) {
    k.body.push_back(statement(Op::zext, "w", result.type.with(Scalar::i8), {result}));
    result = {"w", result.type.with(Scalar::i8), {}, false};
  }
  k.body.push_back(statement(Op::store, "", {}, {result, {"out", {Scalar::p1, 1}, {}, false}}));
  k.body.back().attributes = {{"align", 1, ""}};
  return k;
}

std::string evaluate(const Row& row) {
  const auto k = kernel_of(row);
  std::vector<std::uint8_t> out(256);
  InterpreterMemory memory;
  const auto address = memory.add("out", out);
  try {
    interpret(k, {{1, 1, 1}, interpreter_kernargs(k, {{"out", address}})}, memory);
  } catch (const UserError& e) {
    return to_string(e.code());
  }
  std::ostringstream text;
  const std::size_t size = std::max(1u, byte_size(row.stmt.type.scalar));
  for (std::size_t i = 0; i < row.stmt.type.lanes; ++i) {
    std::uint64_t word = 0;
    for (std::size_t b = size; b-- > 0;) word = word << 8 | out[i * size + b];
    text << (i ? "," : "") << std::hex << word;
  }
  return text.str();
}

void check_rows(std::initializer_list<const char*> rows) {
  for (const auto* text : rows) {
    CAPTURE(text);
    const Row row(text);
    CHECK(evaluate(row) == row.expected);
  }
}

/// Runs a kernel of a builder on one buffer "out"; the code of its fault, or 0.
int run(KernelBuilder& k, std::vector<std::uint32_t>& out, std::array<std::uint32_t, 3> grid = {1, 1, 1}) {
  const auto def = k.finish();
  InterpreterMemory memory;
  const auto address = memory.add("out", out);
  try {
    interpret(def, {grid, interpreter_kernargs(def, {{"out", address}})}, memory);
  } catch (const UserError& e) {
    return static_cast<int>(e.code());
  }
  return 0;
}

int fault(int items, const std::function<void(KernelBuilder&, Pointer)>& body) {
  KernelBuilder k{"faulty", target(), Workgroup{items}};
  body(k, k.global("out", i32));
  std::vector<std::uint32_t> out(64, 5);
  return run(k, out);
}


} // namespace

TEST_CASE("interpreter: integers") {
  check_rows({
      "add i32 ffffffff i32 2 -> i32 1", "add nuw i32 ffffffff i32 1 -> i32 TIR5007", "add nsw i32 7fffffff i32 1 -> i32 TIR5007",
      "add nsw i32 ffffffff i32 1 -> i32 0", "add nuw i64 ffffffffffffffff i64 1 -> i64 TIR5007", "add v2i8 ff,1 v2i8 1 -> v2i8 0,2",
      "sub i16 0 i16 1 -> i16 ffff", "sub nuw i16 0 i16 1 -> i16 TIR5007", "sub nsw i8 80 i8 1 -> i8 TIR5007",
      "mul i32 10000 i32 10000 -> i32 0", "mul nuw i32 10000 i32 10000 -> i32 TIR5007", "mul nsw i64 8000000000000000 i64 ffffffffffffffff -> i64 TIR5007",
      "udiv i32 fffffffe i32 2 -> i32 7fffffff", "udiv exact i32 3 i32 2 -> i32 TIR5007", "udiv i32 1 i32 0 -> i32 TIR5008",
      "sdiv i32 fffffff9 i32 2 -> i32 fffffffd", "sdiv i32 80000000 i32 ffffffff -> i32 TIR5007", "sdiv i64 1 i64 0 -> i64 TIR5008",
      "urem i32 7 i32 4 -> i32 3", "urem i8 7 i8 0 -> i8 TIR5008", "srem i32 fffffff9 i32 4 -> i32 fffffffd", "srem i16 1 i16 0 -> i16 TIR5008",
      "and i8 f0 i8 3c -> i8 30", "or i8 f0 i8 c -> i8 fc", "xor i1 1 i1 1 -> i1 0", "shl i8 81 i8 1 -> i8 2", "shl i8 1 i8 8 -> i8 TIR5007",
      "shl nuw i8 81 i8 1 -> i8 TIR5007", "shl nsw i8 40 i8 1 -> i8 TIR5007", "shl nsw i8 c0 i8 1 -> i8 80", "lshr i32 80000000 i32 1f -> i32 1",
      "lshr exact i32 3 i32 1 -> i32 TIR5007", "ashr i32 80000000 i32 1f -> i32 ffffffff", "ashr i64 1 i64 40 -> i64 TIR5007",
      "umin i8 ff i8 1 -> i8 1", "umax i8 ff i8 1 -> i8 ff", "smin i8 ff i8 1 -> i8 ff", "smax i8 ff i8 1 -> i8 1", "ctpop i32 f0f0 -> i32 8",
      "ctlz i16 1 -> i16 f", "ctlz i16 0 -> i16 10", "cttz i16 0 -> i16 10", "cttz i64 8000000000000000 -> i64 3f", "bitreverse i8 1 -> i8 80",
      "add i32 poison i32 1 -> i32 TIR5007",
  });
}

TEST_CASE("interpreter: floats") {
  check_rows({
      "fadd f32 3f800000 f32 33800000 -> f32 3f800000", "fadd f32 7f7fffff f32 7f7fffff -> f32 7f800000", "fadd f32 7f800000 f32 ff800000 -> f32 7fc00000",
      "fadd f16 3c00 f16 1000 -> f16 3c00", "fadd f16 3c01 f16 1000 -> f16 3c02", "fadd bf16 3f80 bf16 3b80 -> bf16 3f80", "fadd f32 80000000 f32 0 -> f32 0",
      "fsub f32 1 f32 3 -> f32 80000002", "fmul f16 1 f16 3800 -> f16 0", "fmul f16 3 f16 3800 -> f16 2", "fmul f64 4000000000000000 f64 4008000000000000 -> f64 4018000000000000",
      "fdiv f32 3f800000 f32 40400000 -> f32 3eaaaaab", "fdiv f32 3f800000 f32 80000000 -> f32 ff800000", "fdiv f32 0 f32 0 -> f32 7fc00000",
      "minnum f32 7fc00000 f32 3f800000 -> f32 3f800000", "maxnum f32 3f800000 f32 7fc00000 -> f32 3f800000", "minimumnum f32 0 f32 80000000 -> f32 80000000",
      "maximumnum f32 80000000 f32 0 -> f32 0", "maximumnum f16 7e00 f16 7e00 -> f16 7e00", "maxnum f32 bf800000 f32 c0000000 -> f32 bf800000",
      "copysign f16 3c00 f16 8000 -> f16 bc00", "fneg f32 7fc00000 -> f32 ffc00000", "fabs f64 8000000000000000 -> f64 0",
      "floor f32 bfc00000 -> f32 c0000000", "floor f32 80000000 -> f32 80000000", "ceil f32 bf000000 -> f32 80000000", "ftrunc f16 be00 -> f16 bc00",
      "rint f32 40200000 -> f32 40000000", "rint f32 40600000 -> f32 40800000", "sqrt f32 40000000 -> f32 3fb504f3", "sqrt f32 bf800000 -> f32 7fc00000",
      "rsq f32 40800000 -> f32 3f000000", "rsq f32 0 -> f32 7f800000", "rcp f32 40400000 -> f32 3eaaaaab", "rcp f32 80000000 -> f32 ff800000",
      "exp2 f32 41200000 -> f32 44800000", "exp2 f16 4d00 -> f16 7c00", "log2 f32 0 -> f32 ff800000", "log2 f16 4800 -> f16 4200",
      "canonicalize f32 7f800001 -> f32 7fc00001", "canonicalize f32 1 -> f32 1", "frexp.mant f32 41200000 -> f32 3f200000", "frexp.exp f32 41200000 -> i32 4",
      "frexp.exp f16 1 -> i16 ffe9", "frexp.exp f32 7f800000 -> i32 0", "fma f32 3f800001 f32 3f800001 f32 bf800002 -> f32 28800000",
      "fma bf16 3f81 bf16 3f88 bf16 800 -> bf16 3f89", "fma bf16 3f88 bf16 3f88 bf16 800 -> bf16 3f91", "fma bf16 3f88 bf16 3f88 bf16 8800 -> bf16 3f90",
      "ldexp f32 3f800000 i32 ffffff6b -> f32 1", "ldexp f16 3c00 i32 10 -> f16 7c00", "fadd v2f16 3c00,bc00 v2f16 3c00 -> v2f16 4000,0",
  });
}

TEST_CASE("interpreter: comparison and selection") {
  check_rows({
      "icmp pred=eq i32 1 i32 1 -> i1 1", "icmp pred=ne i32 1 i32 1 -> i1 0", "icmp pred=ult i8 1 i8 ff -> i1 1", "icmp pred=slt i8 1 i8 ff -> i1 0",
      "icmp pred=ugt i8 ff i8 1 -> i1 1", "icmp pred=uge i8 1 i8 1 -> i1 1", "icmp pred=ule i8 2 i8 1 -> i1 0", "icmp pred=sgt i8 ff i8 1 -> i1 0",
      "icmp pred=sge i8 80 i8 7f -> i1 0", "icmp pred=sle v2i8 80,7f v2i8 0 -> v2i1 1,0", "fcmp pred=oeq f32 0 f32 80000000 -> i1 1",
      "fcmp pred=oeq f32 7fc00000 f32 7fc00000 -> i1 0", "fcmp pred=ueq f32 7fc00000 f32 0 -> i1 1", "fcmp pred=one f32 7fc00000 f32 0 -> i1 0",
      "fcmp pred=une f32 7fc00000 f32 0 -> i1 1", "fcmp pred=ord f16 7c01 f16 0 -> i1 0", "fcmp pred=uno f16 7c01 f16 0 -> i1 1", "fcmp pred=olt f32 bf800000 f32 0 -> i1 1",
      "fcmp pred=ole f32 0 f32 0 -> i1 1", "fcmp pred=ogt f32 0 f32 0 -> i1 0", "fcmp pred=oge f32 0 f32 0 -> i1 1", "fcmp pred=ult f32 3f800000 f32 0 -> i1 0",
      "fcmp pred=ule f32 7fc00000 f32 0 -> i1 1", "fcmp pred=ugt f32 3f800000 f32 0 -> i1 1", "fcmp pred=uge f32 0 f32 3f800000 -> i1 0",
      "select i1 1 i32 5 i32 6 -> i32 5", "select i1 1 i32 5 i32 poison -> i32 5", "select i1 0 i32 5 i32 poison -> i32 TIR5007",
      "select v2i1 1,0 v2i8 1,2 v2i8 3,4 -> v2i8 1,4", "select i1 0 v2i8 1,2 v2i8 3,4 -> v2i8 3,4", "classify mask=1 f32 7f800001 -> i1 1", "classify mask=2 f32 ffc00000 -> i1 1",
      "classify mask=4 f32 ff800000 -> i1 1", "classify mask=8 f32 bf800000 -> i1 1", "classify mask=16 f32 80000001 -> i1 1", "classify mask=32 f32 80000000 -> i1 1",
      "classify mask=64 f32 0 -> i1 1", "classify mask=128 f16 1 -> i1 1", "classify mask=256 bf16 3f80 -> i1 1", "classify mask=512 f16 7c00 -> i1 1", "classify mask=511 f16 7c00 -> i1 0",
  });
}

TEST_CASE("interpreter: conversion") {
  check_rows({
      "trunc i32 12345678 -> i8 78", "zext i1 1 -> i32 1", "sext i1 1 -> i32 ffffffff", "sext i8 80 -> i64 ffffffffffffff80", "fptrunc f32 477fefff -> f16 7bff",
      "fptrunc f32 477ff000 -> f16 7c00", "fptrunc f32 33000000 -> f16 0", "fptrunc f32 33000001 -> f16 1", "fptrunc f32 7f800001 -> f16 7e00", "fptrunc f64 3ff0020000000001 -> f16 3c01",
      "fptrunc f32 3f808000 -> bf16 3f80", "fptrunc f32 3f818000 -> bf16 3f82", "fpext f16 1 -> f32 33800000", "fpext f16 fc00 -> f32 ff800000", "fpext bf16 3f80 -> f64 3ff0000000000000",
      "fptoui f32 4f7fffff -> i32 ffffff00", "fptoui f32 4f800000 -> i32 TIR5007", "fptoui f32 bf000000 -> i32 0", "fptoui f32 bf800000 -> i8 TIR5007", "fptosi f32 cf000000 -> i32 80000000",
      "fptosi f32 4f000000 -> i32 TIR5007", "fptosi f32 7fc00000 -> i32 TIR5007", "fptosi f64 c3e0000000000000 -> i64 8000000000000000", "fptoui.sat f32 bf800000 -> i32 0",
      "fptoui.sat f32 7f800000 -> i64 ffffffffffffffff", "fptoui.sat f32 7fc00000 -> i8 0", "fptosi.sat f32 7f800000 -> i8 7f", "fptosi.sat f32 ff800000 -> i32 80000000", "fptosi.sat f16 be00 -> i16 ffff",
      "uitofp i64 ffffffffffffffff -> f32 5f800000", "uitofp i64 8000008000000001 -> f32 5f000001", "uitofp i64 8000008000000000 -> f32 5f000000", "uitofp i32 ffff -> f16 7c00",
      "sitofp i32 80000000 -> f32 cf000000", "sitofp i64 ffffffffffffffff -> f64 bff0000000000000", "bitcast v2i16 1,2 -> i32 20001", "bitcast i64 400000003 -> v2i32 3,4",
      "cvt.f32.fp8 byte=1 i32 3800 -> f32 3f800000", "cvt.f32.fp8 byte=0 i32 7f -> f32 7fc00000", "cvt.f32.fp8 byte=0 i32 81 -> f32 bb000000", "cvt.f32.bf8 byte=3 i32 7c000000 -> f32 7f800000",
      "cvt.pk.fp8.f32 word=1 f32 3f800000 f32 43e00000 i32 1234 -> i32 7e381234", "cvt.pk.fp8.f32 word=0 f32 43e80000 f32 7f800000 i32 0 -> i32 7f7e", "cvt.pk.bf8.f32 word=0 f32 3f800000 f32 47700000 i32 ffff0000 -> i32 ffff7c3c",
      "extract v2i32 5,6 i32 1 -> i32 6", "extract v2i32 5,6 i32 2 -> i32 TIR5007", "insert v2i32 5,6 i32 9 i32 0 -> v2i32 9,6", "insert v2i32 poison i32 9 i32 0 -> v2i32 TIR5007",
      "shuffle v2i8 1,2 v2i8 3,4 mask:3,0 -> v2i8 4,1", "shuffle v2i8 1,2 v2i8 poison mask:1,0,1 -> v3i8 2,1,2", "shuffle v2i8 1,2 v2i8 3,4 mask:ff,0 -> v2i8 TIR5007",
  });
}

TEST_CASE("interpreter: if, for and early return under masks") {
  KernelBuilder k{"control", target(), Workgroup{64}};
  auto out = k.global("out", i32);
  auto i = k.workitem();
  auto picked = k.if_value(i < 32, [&] { return i * 2; }, [&] { return i + 1000; });
  auto loop = k.for_carry(0, i, 3, {k.zero(i32), k.constant(i32, 1)}, [&](Value n, const KernelBuilder::Values& c) {
    return KernelBuilder::Values{c[1], c[0] + n}; // the values swap
  });
  k.return_if(k.global_id() == 7);
  k.for_range(0, 2, 1, [&](Value) { k.if_(i > 5, [&] { out[k.global_id()] = picked + loop[0] * 10000 + k.num_groups() * 1000000; }); });
  std::vector<std::uint32_t> result(128, 5);
  REQUIRE(run(k, result, {2, 1, 1}) == 0);
  for (std::uint32_t g = 0; g < 128; ++g) {
    std::uint32_t item = g % 64, a = 0, b = 1;
    for (std::uint32_t n = 0; n < item; n += 3) b = std::exchange(a, b) + n;
    const auto expected = (item < 32 ? item * 2 : item + 1000) + a * 10000 + 2000000;
    CHECK(result[g] == (item > 5 && g != 7 ? expected : 5));
  }
}

TEST_CASE("interpreter: waves, async copies and buffers") {
  KernelBuilder k{"wave", target(), Workgroup{64}};
  auto out = k.global("out", i32);
  auto stage = k.lds("stage", i32, 64);
  auto i = k.workitem();
  auto first = k.if_value((i & 31) > 2, [&] { return k.readfirstlane(i); }, [&] { return k.zero(i32) + k.lane(); });
  k.async_load(out + i, stage + i, 4);
  k.wait_async(0);
  k.barrier_signal();
  k.barrier_wait();
  auto window = k.buffer(out, 4 * 32);
  window.store(i * 4, first + stage[63 - i] * 100 + window.load(i32, i * 4 + 64) * 10000);
  std::vector<std::uint32_t> result(64, 3);
  REQUIRE(run(k, result) == 0);
  for (std::uint32_t g = 0; g < 64; ++g) CHECK(result[g] == (g >= 32 ? 3 : (g > 2 ? 3 : g) + 300 + (g < 16 ? 30000 : 0)));
}

namespace {

/// Where a target's wave holds an element: lane and slot, written out once more (docs/matrix.md).
struct Held {
  std::size_t lane, slot;
};
struct MatrixCase {
  const char* target;
  Type number;
  std::size_t side, depth, fragment, sums;
  Held (*element)(std::size_t row, std::size_t k); ///< of A and B
  Held (*sum)(std::size_t row, std::size_t column);
};
const MatrixCase matrix_cases[] = {
    {"gfx1250", f16, 16, 32, 16, 8, [](std::size_t r, std::size_t k) { return Held{k / 8 % 2 * 16 + r, k / 16 * 8 + k % 8}; },
     [](std::size_t r, std::size_t c) { return Held{r / 8 * 16 + c, r % 8}; }},
    {"gfx1150", f16, 16, 16, 16, 8, [](std::size_t r, std::size_t k) { return Held{r, k}; },
     [](std::size_t r, std::size_t c) { return Held{r % 2 * 16 + c, r / 2}; }},
    {"gfx950", f16, 32, 16, 8, 16, [](std::size_t r, std::size_t k) { return Held{k / 8 * 32 + r, k % 8}; },
     [](std::size_t r, std::size_t c) { return Held{r / 4 % 2 * 32 + c, r / 8 * 4 + r % 4}; }},
};

KernelDef multiply_kernel(const MatrixCase& m, int items) {
  KernelBuilder k{"multiply", find_target(m.target), Workgroup{items}};
  auto a = k.global_in("a", m.number), b = k.global_in("b", m.number), d = k.global_out("d", f32);
  const auto i = k.workitem();
  const int values = static_cast<int>(m.fragment), sums = static_cast<int>(m.sums);
  const auto fragment = vec(m.number, values);
  d.store(i * sums, k.mma(a.load(fragment, i * values), b.load(fragment, i * values), k.zero(vec(f32, sums))));
  return k.finish();
}

double element(std::size_t n, std::size_t m, std::size_t step) { return static_cast<double>((n * step + m * 3) % 11) - 5; }

void check_product(const MatrixCase& m) {
  const std::size_t wave = static_cast<std::size_t>(find_target(m.target).wave);
  std::vector<std::uint16_t> left(wave * m.fragment), right(left.size());
  std::vector<float> product(m.side * m.side);
  const auto bits = [&](double x) { return static_cast<std::uint16_t>(float_bits(m.number.scalar, x)); };
  for (std::size_t n = 0; n < m.side; ++n)
    for (std::size_t k = 0; k < m.depth; ++k) {
      const auto held = m.element(n, k);
      left[held.lane * m.fragment + held.slot] = bits(element(n, k, 5));
      right[held.lane * m.fragment + held.slot] = bits(element(n, k, 7));
    }
  if (std::string(m.target) == "gfx1150") // the second half of the wave repeats the first
    for (auto* half : {&left, &right}) std::copy_n(half->begin(), half->size() / 2, half->begin() + static_cast<std::ptrdiff_t>(half->size() / 2));
  const auto def = multiply_kernel(m, static_cast<int>(wave));
  InterpreterMemory memory;
  const auto la = memory.add("a", left), ra = memory.add("b", right), da = memory.add("d", product);
  interpret(def, {{1, 1, 1}, interpreter_kernargs(def, {{"a", la}, {"b", ra}, {"d", da}})}, memory);
  for (std::size_t row = 0; row < m.side; ++row)
    for (std::size_t column = 0; column < m.side; ++column) {
      double sum = 0;
      for (std::size_t k = 0; k < m.depth; ++k) sum += element(row, k, 5) * element(column, k, 7);
      const auto held = m.sum(row, column);
      CHECK(static_cast<double>(product[held.lane * m.sums + held.slot]) == sum);
    }
}

} // namespace

TEST_CASE("interpreter: a matrix multiply of one wave, on every target that has one") {
  for (auto m : matrix_cases)
    for (const Type number : {f16, bf16}) {
      CAPTURE(m.target, to_string(number));
      m.number = number;
      check_product(m);
    }
}

TEST_CASE("interpreter: every fault has its code") {
  CHECK(fault(1, [](auto&, auto out) { out[64] = 1; }) == 5003);
  CHECK(fault(1, [](auto& k, auto out) { auto s = k.lds("s", i32, 4); s[0] = 1; out[0] = s[out[0]]; }) == 5003);
  CHECK(fault(1, [](auto& k, auto out) { auto s = k.lds("s", i32, 4); out[0] = s[1]; }) == 5004);
  CHECK(fault(32, [](auto& k, auto) { k.if_(k.workitem() < 3, [&] { k.barrier(); }); }) == 5006);
  CHECK(fault(32, [](auto& k, auto) { k.barrier_signal(); k.barrier_signal(); }) == 5006);
  CHECK(fault(32, [](auto& k, auto) { k.barrier_wait(); }) == 5006);
  CHECK(fault(1, [](auto&, auto out) { out[0] = Value(out[1]) << (Value(out[0]) + 27); }) == 5007);
  CHECK(fault(1, [](auto&, auto out) { out[0] = udiv(out[1], Value(out[0]) - 5); }) == 5008);
  CHECK(fault(1, [](auto& k, auto out) { auto s = k.lds("s", i32, 4); k.async_load(out, s, 16); }) == 5009);
  CHECK(fault(1, [](auto&, auto out) { out.as(i8).store(1, Value(out[0]), 4); }) == 5012);
  CHECK(fault(32, [](auto& k, auto out) {
          k.if_(k.workitem() < 31, [&] {
            auto half_one = splat(k.constant(f16, 1.0), 16);
            out[k.workitem()] = bitcast(k.mma(half_one, half_one, k.zero(vec(f32, 8)))[0], i32);
          });
        }) == 5010);
  KernelDef empty;
  empty.name = "empty", empty.target = "gfx1250", empty.params = {{"n", i32, ParamKind::value, 0, 0}};
  InterpreterMemory memory;
  CHECK_THROWS_AS(interpret(empty, {}, memory), UserError);
  CHECK_THROWS_AS(interpreter_kernargs(empty, {}), UserError);
}
