// SPDX-License-Identifier: MIT
// The matrix multiplies: layouts, operand forms, modifiers, partial waves.
#include <algorithm>
#include <bit>
#include <random>

#include "executor_support.hpp"

namespace {

using namespace twinir;
using namespace twinir::test;

std::uint16_t encode(float value, bool bfloat) {
  if (bfloat) return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16);
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7fffffff) == 0) return static_cast<std::uint16_t>(bits >> 16);
  return static_cast<std::uint16_t>((bits >> 16 & 0x8000) | (((bits >> 13) - (112 << 10)) & 0x7fff));
}

struct Matrices {
  std::vector<std::uint16_t> a = std::vector<std::uint16_t>(512);
  std::vector<std::uint16_t> b = std::vector<std::uint16_t>(512);
  std::vector<float> c = std::vector<float>(256);
  std::vector<float> d = std::vector<float>(256); ///< the right answer
};

// Small multiples of 1/4 are exact in both types; sums stay exact in f32.
Matrices make(bool bfloat, float sign_a, float sign_c) {
  std::mt19937 random(1);
  const auto number = [&] { return static_cast<float>(static_cast<int>(random() % 33) - 16) / 4; };
  float a[16][32];
  float b[32][16];
  Matrices m;
  for (int i = 0; i < 16; ++i)
    for (int k = 0; k < 32; ++k) {
      a[i][k] = number();
      b[k][i] = number();
      const auto place = static_cast<std::size_t>(((k / 8 % 2) * 16 + i) * 16 + k / 16 * 8 + k % 8);
      m.a[place] = encode(a[i][k], bfloat);
      m.b[place] = encode(b[k][i], bfloat);
    }
  for (int r = 0; r < 16; ++r)
    for (int col = 0; col < 16; ++col) {
      const auto place = static_cast<std::size_t>((r / 8 * 16 + col) * 8 + r % 8);
      m.c[place] = number();
      float sum = sign_c * m.c[place];
      for (int k = 0; k < 32; ++k) sum += sign_a * a[r][k] * b[k][col];
      m.d[place] = sum;
    }
  return m;
}

std::string call(bool bfloat, bool long_form, bool negate_a, bool negate_c) {
  const std::string type = bfloat ? "bfloat" : "half";
  const std::string mangled = bfloat ? "bf16" : "f16";
  const std::string name = "@llvm.amdgcn.wmma.f32.16x16x32." + mangled + ".v8f32.v16" + mangled;
  const std::string vector = "<16 x " + type + ">";
  const std::string tail =
      std::string("i16 ") + (negate_c ? "1" : "0") + ", <8 x float> %c, i1 false, i1 false)";
  if (long_form)
    return "call <8 x float> " + name + "(i1 " + (negate_a ? "true" : "false") + ", " + vector +
           " %a, i1 false, " + vector + " %b, " + tail;
  return "call <8 x float> " + name + "(" + vector + " %a, " + vector + " %b, " + tail;
}

// LLVM declares its own intrinsics by itself; a form of another version has to be declared.
std::string declaration(bool bfloat) {
  const std::string vector = std::string("<16 x ") + (bfloat ? "bfloat" : "half") + ">";
  const std::string mangled = bfloat ? "bf16" : "f16";
  return "declare <8 x float> @llvm.amdgcn.wmma.f32.16x16x32." + mangled + ".v8f32.v16" + mangled + "(" +
         vector + ", " + vector + ", i16 immarg, <8 x float>, i1 immarg, i1 immarg)";
}

host::Kernel matrix_kernel(bool bfloat, const std::string& product, unsigned block = 32) {
  const bool short_form = product.find("(i1 ") == std::string::npos;
  const std::string vector = std::string("<16 x ") + (bfloat ? "bfloat" : "half") + ">";
  return load(
      {.arguments = "ptr addrspace(1) %pa, ptr addrspace(1) %pb, ptr addrspace(1) %pc, ptr addrspace(1) %pd",
       .body = "  %qa = getelementptr " + vector + ", ptr addrspace(1) %pa, i32 %t\n  %a = load " + vector +
               ", ptr addrspace(1) %qa, align 32\n  %qb = getelementptr " + vector +
               ", ptr addrspace(1) %pb, i32 %t\n  %b = load " + vector +
               ", ptr addrspace(1) %qb, align 32\n  %qc = getelementptr <8 x float>, ptr addrspace(1) %pc, "
               "i32 %t\n"
               "  %c = load <8 x float>, ptr addrspace(1) %qc, align 32\n  %d = " +
               product +
               "\n  %qd = getelementptr <8 x float>, ptr addrspace(1) %pd, i32 %t\n"
               "  store <8 x float> %d, ptr addrspace(1) %qd, align 32",
       .block = block,
       .globals = short_form ? declaration(bfloat) : std::string()});
}

struct Result {
  host::LaunchReport report;
  std::vector<float> d;
};

Result run(const host::Kernel& kernel, const Matrices& m, unsigned block = 32) {
  const host::Buffer a = buffer_of(m.a);
  const host::Buffer b = buffer_of(m.b);
  const host::Buffer c = buffer_of(m.c);
  const host::Buffer d = output_of(1024);
  host::KernelArguments arguments(kernel.info());
  arguments.set(0, a).set(1, b).set(2, c).set(3, d);
  host::LaunchReport report = kernel.run(arguments, {.block = {block, 1, 1}});
  return {std::move(report), values_of<float>(d)};
}

TEST_CASE("wmma 16x16x32, f16 and bf16, in the form with 6 operands") {
  for (const bool bfloat : {false, true}) {
    const Matrices m = make(bfloat, 1, 1);
    const Result result = run(matrix_kernel(bfloat, call(bfloat, false, false, false)), m);
    CHECK(clean(result.report));
    CHECK(result.d == m.d);
    CHECK(result.report.collectives == 1);
    const Matrices negated = make(bfloat, 1, -1);
    CHECK(run(matrix_kernel(bfloat, call(bfloat, false, false, true)), negated).d == negated.d);
  }
}

TEST_CASE("wmma 16x16x32 in the form with 8 operands, with negation") {
  if (executor().llvm_version().substr(0, 2) != "22") return; // later versions have no such form
  for (const bool bfloat : {false, true}) {
    const Matrices m = make(bfloat, 1, 1);
    CHECK(run(matrix_kernel(bfloat, call(bfloat, true, false, false)), m).d == m.d);
    const Matrices negated = make(bfloat, -1, -1);
    CHECK(run(matrix_kernel(bfloat, call(bfloat, true, true, true)), negated).d == negated.d);
  }
}

TEST_CASE("a matrix multiply in a partial wave or in divergent flow is a fault") {
  const Matrices m = make(false, 1, 1);
  const Result partial = run(matrix_kernel(false, call(false, false, false, false), 31), m, 31);
  CHECK(contains(only_fault(partial.report, "TIR5010").found, "31 of 32 lanes on"));
  const std::string guarded = "phi <8 x float> [ %m, %in ], [ %c, %0 ]";
  const host::Kernel kernel = matrix_kernel(
      false,
      "fadd <8 x float> %c, %c\n  %cc = icmp ult i32 %t, 8\n  br i1 %cc, label %in, label %on\nin:\n  %m = " +
          call(false, false, false, false) + "\n  br label %on\non:\n  %e = " + guarded);
  CHECK(contains(only_fault(run(kernel, m).report, "TIR5010").found, "8 of 32 lanes on"));
}

// --- the shapes of the other targets, with their layouts written out (docs/matrix.md)

struct Held {
  int lane, slot;
};
struct Shape {
  const char *cpu, *name;
  const char* bfloat; ///< element type of bf16 fragments
  int wave, side, depth, fragment, sums;
  Held (*element)(int row, int k);
  Held (*sum)(int row, int column);
  const char* tail; ///< operands behind A, B and C
};
const Shape gfx1150{"gfx1150",
                    "wmma.f32.16x16x16",
                    "i16",
                    32,
                    16,
                    16,
                    16,
                    8,
                    [](int row, int k) {
                      return Held{row, k};
                    },
                    [](int row, int column) {
                      return Held{row % 2 * 16 + column, row / 2};
                    },
                    ""};
const Shape gfx950{"gfx950",
                   "mfma.f32.32x32x16",
                   "bfloat",
                   64,
                   32,
                   16,
                   8,
                   16,
                   [](int row, int k) {
                     return Held{k / 8 * 32 + row, k % 8};
                   },
                   [](int row, int column) {
                     return Held{row / 4 % 2 * 32 + column, row / 8 * 4 + row % 4};
                   },
                   ", i32 0, i32 0, i32 0"};

std::size_t place(Held held, int values) { return static_cast<std::size_t>(held.lane * values + held.slot); }

Matrices make(const Shape& s, bool bfloat) {
  std::mt19937 random(2);
  const auto number = [&] { return static_cast<float>(static_cast<int>(random() % 33) - 16) / 4; };
  Matrices m;
  m.a.assign(static_cast<std::size_t>(s.wave * s.fragment), 0), m.b = m.a;
  m.c.assign(static_cast<std::size_t>(s.side * s.side), 0), m.d = m.c;
  std::vector<std::vector<float>> a, b;
  for (int i = 0; i < s.side; ++i) {
    a.emplace_back(), b.emplace_back();
    for (int k = 0; k < s.depth; ++k) {
      a.back().push_back(number()), b.back().push_back(number());
      m.a[place(s.element(i, k), s.fragment)] = encode(a.back().back(), bfloat);
      m.b[place(s.element(i, k), s.fragment)] = encode(b.back().back(), bfloat);
    }
  }
  for (int r = 0; r < s.side; ++r)
    for (int col = 0; col < s.side; ++col) {
      float sum = m.c[place(s.sum(r, col), s.sums)] = number();
      for (int k = 0; k < s.depth; ++k)
        sum += a[static_cast<std::size_t>(r)][static_cast<std::size_t>(k)] *
               b[static_cast<std::size_t>(col)][static_cast<std::size_t>(k)];
      m.d[place(s.sum(r, col), s.sums)] = sum;
    }
  return m;
}

/// The second half of the wave holds what the first half holds.
void repeat_half(std::vector<std::uint16_t>& values) {
  const auto half = static_cast<std::ptrdiff_t>(values.size() / 2);
  std::copy_n(values.begin(), half, values.begin() + half);
}

std::string vector_of(int count, const std::string& type) {
  return "<" + std::to_string(count) + " x " + type + ">";
}

host::Kernel kernel_of(const Shape& s, bool bfloat, const std::string& tail, int block) {
  const auto fragment = vector_of(s.fragment, bfloat ? s.bfloat : "half"), sums = vector_of(s.sums, "float");
  std::string name = std::string("@llvm.amdgcn.") + s.name + (bfloat ? ".bf16" : ".f16");
  if (s.wave == 32) name += std::string(".v8f32.v16") + (bfloat ? "i16" : "f16");
  const auto at = [](const std::string& type, const char* of) {
    return std::string("  %q") + of + " = getelementptr " + type + ", ptr addrspace(1) %p" + of +
           ", i32 %t\n";
  };
  const auto load_of = [&](const std::string& type, const char* of) {
    return at(type, of) + "  %" + of + " = load " + type + ", ptr addrspace(1) %q" + of + ", align 16\n";
  };
  return load(
      {.arguments = "ptr addrspace(1) %pa, ptr addrspace(1) %pb, ptr addrspace(1) %pc, ptr addrspace(1) %pd",
       .body = load_of(fragment, "a") + load_of(fragment, "b") + load_of(sums, "c") + "  %d = call " + sums +
               " " + name + "(" + fragment + " %a, " + fragment + " %b, " + sums + " %c" + tail + ")\n" +
               at(sums, "d") + "  store " + sums + " %d, ptr addrspace(1) %qd, align 16",
       .block = static_cast<unsigned>(block),
       .cpu = s.cpu});
}

Result run_shape(const host::Kernel& kernel, const Matrices& m, int block) {
  const auto a = buffer_of(m.a), b = buffer_of(m.b), c = buffer_of(m.c), d = output_of(m.c.size() * 4);
  host::KernelArguments arguments(kernel.info());
  arguments.set(0, a).set(1, b).set(2, c).set(3, d);
  auto report = kernel.run(arguments, {.block = {static_cast<unsigned>(block), 1, 1}});
  return {std::move(report), values_of<float>(d)};
}

TEST_CASE("wmma 16x16x16 and mfma 32x32x16, f16 and bf16") {
  for (const auto* s : {&gfx1150, &gfx950})
    for (const bool bfloat : {false, true}) {
      INFO(s->name << (bfloat ? " bf16" : " f16"));
      auto m = make(*s, bfloat);
      if (s == &gfx1150) repeat_half(m.a), repeat_half(m.b);
      const auto result = run_shape(kernel_of(*s, bfloat, s->tail, s->wave), m, s->wave);
      CHECK(clean(result.report));
      CHECK(result.d == m.d);
      const auto partial = run_shape(kernel_of(*s, bfloat, s->tail, s->wave - 1), m, s->wave - 1);
      CHECK(only_fault(partial.report, "TIR5010").code == "TIR5010");
    }
}

TEST_CASE("wmma 16x16x16: each half of the wave multiplies its own copy of the fragments") {
  const auto m = make(gfx1150, false); // the second half holds zeros
  const auto result = run_shape(kernel_of(gfx1150, false, gfx1150.tail, 32), m, 32);
  for (int r = 0; r < 16; ++r) {
    const auto at = place(gfx1150.sum(r, 3), 8);
    CHECK(result.d[at] == (r % 2 ? m.c[at] : m.d[at]));
  }
}

TEST_CASE("matrix multiplies in forms without a meaning here are refused") {
  CHECK(thrown_by([] { (void)kernel_of(gfx950, false, ", i32 0, i32 0, i32 1", 64); }).code == "TIR5001");
}

TEST_CASE("a matrix multiply of the wrong target's wave is refused") {
  const Thrown thrown = thrown_by([] {
    (void)load({.arguments = "ptr addrspace(1) %p",
                .body = "  %a = load <16 x half>, ptr addrspace(1) %p, align 32\n  %b = load <16 x half>, "
                        "ptr addrspace(1) "
                        "%p, align 32\n  %c = load <8 x float>, ptr addrspace(1) %p, align 32\n  %d = " +
                        call(false, false, false, false) +
                        "\n  store <8 x float> %d, ptr addrspace(1) %p, align 32",
                .cpu = "gfx950",
                .globals = declaration(false)});
  });
  CHECK(thrown.code == "TIR5001");
}

} // namespace
