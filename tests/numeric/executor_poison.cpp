// SPDX-License-Identifier: MIT
// Poison and divisions by zero at run time.
#include "executor_support.hpp"

namespace {

using namespace twinir;
using namespace twinir::test;

// "%to = trunc i64 %from to type" and back; i64 itself needs no conversion.
std::string narrowed(const std::string& to, const std::string& from, const std::string& type) {
  return "  " + to + " = " +
         (type == "i64" ? "add i64 " + from + ", 0" : "trunc i64 " + from + " to " + type) + "\n";
}

std::string widened(const std::string& type) {
  return std::string("  %z = ") + (type == "i64" ? "add i64 %y, 0" : "zext " + type + " %y to i64") + "\n";
}

// One item computes %y of `type` from the arguments %a and %b.
host::LaunchReport compute(const std::string& type, const std::string& steps, std::uint64_t a,
                           std::uint64_t b) {
  const host::Kernel kernel =
      load({.arguments = "ptr addrspace(1) %out, i64 %a64, i64 %b64",
            .body = narrowed("%a", "%a64", type) + narrowed("%b", "%b64", type) + steps + "\n" +
                    widened(type) + "  store i64 %z, ptr addrspace(1) %out",
            .block = 1});
  const host::Buffer out = output_of(8);
  host::KernelArguments arguments(kernel.info());
  arguments.set(0, out).set(1, a).set(2, b);
  return kernel.run(arguments, {});
}

struct Row {
  const char* type;
  const char* step;
  std::uint64_t a;
  std::uint64_t b;
  const char* code;  ///< expected, empty: none
  const char* found; ///< part of the text
};

void check(const Row& row) {
  const std::string step = "  %y = " + std::string(row.step) + " " + row.type + " %a, %b";
  const host::LaunchReport report = compute(row.type, step, row.a, row.b);
  INFO(step << " of " << row.a << ", " << row.b);
  if (*row.code == 0) {
    CHECK(clean(report));
    return;
  }
  const host::Fault fault = only_fault(report, row.code);
  CHECK(contains(fault.found, row.found));
  CHECK(contains(fault.ir, row.step));
}

TEST_CASE("trial 24: shifts by the width or more") {
  const Row rows[] = {
      {"i32", "lshr", 5, 31, "", ""},
      {"i32", "lshr", 5, 32, "TIR5007", "poison: shift 32 of 32 bits"},
      {"i32", "lshr", 5, 33, "TIR5007", "poison: shift 33 of 32 bits"},
      {"i32", "lshr", 5, 0xffffffff, "TIR5007", "poison: shift 4294967295 of 32 bits"},
      {"i32", "shl", 5, 31, "", ""},
      {"i32", "shl", 5, 32, "TIR5007", "poison: shift 32 of 32 bits"},
      {"i32", "ashr", 5, 32, "TIR5007", "poison: shift 32 of 32 bits"},
      {"i64", "shl", 1, 63, "", ""},
      {"i64", "shl", 1, 64, "TIR5007", "poison: shift 64 of 64 bits"},
      {"i8", "lshr", 1, 7, "", ""},
      {"i8", "lshr", 1, 8, "TIR5007", "poison: shift 8 of 8 bits"},
  };
  for (const Row& row : rows) check(row);
}

TEST_CASE("a constant shift by the width is reported too, vectors element by element") {
  CHECK(contains(only_fault(compute("i32", "  %y = lshr i32 %a, 32", 5, 0), "TIR5007").found,
                 "shift 32 of 32"));
  const std::string vector = R"(
  %v0 = insertelement <2 x i32> <i32 poison, i32 3>, i32 %b, i32 0
  %w = shl <2 x i32> <i32 1, i32 1>, %v0
  %y = extractelement <2 x i32> %w, i32 1)";
  CHECK(clean(compute("i32", vector, 0, 4)));
  CHECK(only_fault(compute("i32", vector, 0, 40), "TIR5007").count == 1);
}

TEST_CASE("trial 13: the i32 product 67108864 * x") {
  CHECK(clean(compute("i32", "  %y = mul nsw i32 %a, %b", 67108864, 31)));
  for (const std::uint64_t x : {32u, 63u}) {
    const host::Fault fault = only_fault(compute("i32", "  %y = mul nsw i32 %a, %b", 67108864, x), "TIR5007");
    CHECK(fault.found == "poison: i32 67108864 * " + std::to_string(x) + " wraps");
    CHECK(contains(fault.expected, "nsw"));
  }
  CHECK(clean(compute("i32", "  %y = mul i32 %a, %b", 67108864, 63)));
}

TEST_CASE("wraps that were ruled out") {
  const std::uint64_t least = 0x80000000;
  const Row rows[] = {
      {"i32", "add nsw", 0x7fffffff, 0, "", ""},
      {"i32", "add nsw", 0x7fffffff, 1, "TIR5007", "2147483647 + 1 wraps"},
      {"i32", "add nuw", 0x7fffffff, 1, "", ""},
      {"i32", "add nuw", 0xffffffff, 1, "TIR5007", "4294967295 + 1 wraps"},
      {"i32", "sub nsw", least, 1, "TIR5007", "-2147483648 - 1 wraps"},
      {"i32", "sub nuw", 1, 1, "", ""},
      {"i32", "sub nuw", 1, 2, "TIR5007", "1 - 2 wraps"},
      {"i32", "mul nuw", 0x10000, 0xffff, "", ""},
      {"i32", "mul nuw", 0x10000, 0x10000, "TIR5007", "65536 * 65536 wraps"},
      {"i64", "mul nsw", 0x100000000, 0x7fffffff, "", ""},
      {"i64", "mul nsw", 0x100000000, 0x80000000, "TIR5007", "wraps"},
      {"i32", "shl nuw", 0x80000000, 1, "TIR5007", "2147483648 << 1 wraps"},
      {"i32", "shl nuw", 0x40000000, 1, "", ""},
      {"i32", "shl nsw", 0x40000000, 1, "TIR5007", "1073741824 << 1 wraps"},
      {"i32", "lshr exact", 4, 2, "", ""},
      {"i32", "lshr exact", 5, 2, "TIR5007", "loses bits"},
      {"i32", "udiv exact", 6, 3, "", ""},
      {"i32", "udiv exact", 7, 3, "TIR5007", "loses bits"},
      {"i16", "add nsw", 0x7fff, 1, "TIR5007", "i16 32767 + 1 wraps"},
  };
  for (const Row& row : rows) check(row);
}

TEST_CASE("division by zero, and the quotient that does not fit") {
  const Row rows[] = {
      {"i32", "udiv", 7, 1, "", ""},
      {"i32", "udiv", 7, 0, "TIR5008", "division of 7 by 0"},
      {"i32", "urem", 7, 0, "TIR5008", ""},
      {"i32", "sdiv", 7, 0, "TIR5008", ""},
      {"i32", "srem", 7, 0, "TIR5008", ""},
      {"i32", "sdiv", 0x80000000, 0xffffffff, "TIR5007", "-2147483648 / -1"},
      {"i64", "sdiv", 7, 0, "TIR5008", ""},
      {"i32", "sdiv", 0x80000001, 0xffffffff, "", ""},
  };
  for (const Row& row : rows) check(row);
}

TEST_CASE("unchecked divisions by zero do not end the process") {
  const host::Kernel kernel =
      load({.arguments = "ptr addrspace(1) %out, i32 %a, i32 %b",
            .body = "  %y = sdiv i32 %a, %b\n  %z = urem i32 %a, %b\n  %w = add i32 %y, %z\n"
                    "  store i32 %w, ptr addrspace(1) %out",
            .block = 1},
           false);
  const host::Buffer out = output_of(4);
  for (const auto& [a, b] : {std::pair{5, 0}, std::pair{std::numeric_limits<int>::min(), -1}}) {
    host::KernelArguments arguments(kernel.info());
    arguments.set(0, out).set(1, a).set(2, b);
    CHECK(clean(kernel.run(arguments, {})));
  }
}

TEST_CASE("floats that do not fit an integer, false assumptions") {
  const std::string convert = "  %f = bitcast i32 %a to float\n  %y = fptosi float %f to i32";
  CHECK(clean(compute("i32", convert, 0x4effffff, 0)));
  CHECK(contains(only_fault(compute("i32", convert, 0x4f000000, 0), "TIR5007").found, "does not fit i32"));
  CHECK(only_fault(compute("i32", convert, 0x7fc00000, 0), "TIR5007").count == 1);
  const std::string assume =
      "  %c = icmp ult i32 %a, 10\n  call void @llvm.assume(i1 %c)\n  %y = add i32 %a, 1";
  CHECK(clean(compute("i32", assume, 9, 0)));
  CHECK(contains(only_fault(compute("i32", assume, 10, 0), "TIR5007").found, "assumption"));
}

} // namespace
