// SPDX-License-Identifier: MIT
// The matrix multiplies of 8-bit numbers, and the further shapes of 16-bit ones, against plain sums. Layouts
// and number formats are written out once more.
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "executor_support.hpp"
#include "small_formats.hpp"

namespace {

using namespace twinir;
using namespace twinir::test;

enum class Number { f16, bf16, fp8, bf8, i8, u8 };

bool is_int(Number n) { return n >= Number::i8; }
std::size_t bytes_of(Number n) { return n <= Number::bf16 ? 2 : 1; }
const SmallFormat& format_of(Number n) {
  constexpr const SmallFormat* formats[] = {&half_format, &bfloat_format, &e4m3_format, &e5m2_format};
  return *formats[static_cast<std::size_t>(n)];
}

struct Held {
  int lane, slot;
};
using Place = Held (*)(int row, int other);

/// One shape of a target: who holds which element of A (and of B, its transpose), and which sum.
struct Shape {
  const char* cpu;
  int wave, side, depth;
  Place element, sum;
};
constexpr Place rows_of_8_in_halves = [](int row, int column) {
  return Held{row / 8 * 16 + column, row % 8};
};
constexpr Place mfma_32 = [](int row, int column) {
  return Held{row / 4 % 2 * 32 + column, row / 8 * 4 + row % 4};
};
const Shape gfx1250{"gfx1250",
                    32,
                    16,
                    64,
                    [](int row, int k) {
                      return Held{k / 16 % 2 * 16 + row, k / 32 * 16 + k % 16};
                    },
                    rows_of_8_in_halves};
const Shape gfx1201{
    "gfx1201", 32, 16, 16, [](int row, int k) { return Held{k / 8 * 16 + row, k % 8}; }, rows_of_8_in_halves};
const Shape gfx1150{"gfx1150",
                    32,
                    16,
                    16,
                    [](int row, int k) {
                      return Held{row, k};
                    },
                    [](int row, int column) {
                      return Held{row % 2 * 16 + column, row / 2};
                    }};
const Shape gfx950_16{"gfx950",
                      64,
                      16,
                      32,
                      [](int row, int k) {
                        return Held{k / 8 * 16 + row, k % 8};
                      },
                      [](int row, int column) {
                        return Held{row / 4 * 16 + column, row % 4};
                      }};
const Shape gfx950_16k{"gfx950", 64, 32, 16, [](int row, int k) { return Held{k / 8 * 32 + row, k % 8}; },
                       mfma_32};
const Shape gfx950_32k{"gfx950", 64, 32, 32, [](int row, int k) { return Held{k / 16 * 32 + row, k % 16}; },
                       mfma_32};

/// A call: the symbol without "llvm.amdgcn.", the type of the fragments, and its operands around %a, %b and
/// %c.
struct Product {
  const Shape& shape;
  Number a, b;
  std::string symbol, fragment, before_a, before_b, before_c, tail;
};

std::string sign(Number n) { return n == Number::i8 ? "i1 true, " : "i1 false, "; }

Product wmma_of_integers(const Shape& shape, Number a, Number b, const std::string& symbol,
                         const std::string& fragment, const std::string& tail = ", i1 false") {
  return {shape, a, b, symbol, fragment, sign(a), sign(b), "", tail};
}

std::vector<Product> all_products() {
  const std::pair<Number, const char*> small[] = {{Number::fp8, "fp8"}, {Number::bf8, "bf8"}};
  const std::string zeros = ", i32 0, i32 0, i32 0";
  std::vector<Product> out;
  for (const auto& [a, name_a] : small)
    for (const auto& [b, name_b] : small) {
      const std::string pair = std::string(name_a) + "." + name_b;
      out.push_back({gfx1250, a, b, "wmma.f32.16x16x64." + pair + ".v8f32.v8i32", "<8 x i32>", "", "",
                     "i16 0, ", ", i1 false, i1 false"});
      out.push_back(
          {gfx1201, a, b, "wmma.f32.16x16x16." + pair + ".v8f32.v2i32", "<2 x i32>", "", "", "", ""});
      out.push_back({gfx950_16k, a, b, "mfma.f32.32x32x16." + pair, "i64", "", "", "", zeros});
    }
  for (const Number a : {Number::i8, Number::u8})
    for (const Number b : {Number::i8, Number::u8}) {
      out.push_back(wmma_of_integers(gfx1250, a, b, "wmma.i32.16x16x64.iu8.v8i32.v8i32", "<8 x i32>",
                                     ", i1 false, i1 false, i1 false"));
      out.push_back(wmma_of_integers(gfx1201, a, b, "wmma.i32.16x16x16.iu8.v8i32.v2i32", "<2 x i32>"));
      out.push_back(wmma_of_integers(gfx1150, a, b, "wmma.i32.16x16x16.iu8.v8i32.v4i32", "<4 x i32>"));
    }
  out.push_back({gfx950_32k, Number::i8, Number::i8, "mfma.i32.32x32x32.i8", "<4 x i32>", "", "", "", zeros});
  using enum Number;
  out.push_back({gfx1201, f16, f16, "wmma.f32.16x16x16.f16.v8f32.v8f16", "<8 x half>", "", "", "", ""});
  out.push_back({gfx1201, bf16, bf16, "wmma.f32.16x16x16.bf16.v8f32.v8i16", "<8 x i16>", "", "", "", ""});
  out.push_back({gfx950_16, f16, f16, "mfma.f32.16x16x32.f16", "<8 x half>", "", "", "", zeros});
  out.push_back({gfx950_16, bf16, bf16, "mfma.f32.16x16x32.bf16", "<8 x bfloat>", "", "", "", zeros});
  return out;
}

/// Codes of A and B by row and k, the bits of C and of the right D by row and column.
struct Matrices {
  std::vector<std::vector<std::uint32_t>> a, b, c, d;
};

struct Random {
  std::mt19937 generator{7};
  std::uint32_t operator()() { return static_cast<std::uint32_t>(generator()); }
};

std::uint32_t random_code(Number n, Random& random) {
  if (is_int(n)) return random() & 255;
  const auto& f = format_of(n);
  const std::uint32_t sign = random() & 1;
  if (bytes_of(n) == 1) return sign << 7 | random() % (f.greatest + 1); // every finite value
  const auto one = static_cast<std::uint32_t>(f.bias) << f.mantissa;    // 1/16 to 16
  return sign << 15 | (one - (4u << f.mantissa) + random() % (8u << f.mantissa));
}

double value(Number n, std::uint32_t code) {
  if (n == Number::i8) return static_cast<std::int8_t>(code);
  return n == Number::u8 ? code : value_of(code, format_of(n));
}

/// c + a row of A times a column of B: one rounding a step in f32, modulo 2^32 for integers.
std::uint32_t sum_of(const Product& p, std::uint32_t c, const std::vector<std::uint32_t>& a,
                     const std::vector<std::uint32_t>& b) {
  float sum = std::bit_cast<float>(c);
  std::uint32_t whole = c;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double x = value(p.a, a[k]), y = value(p.b, b[k]);
    if (is_int(p.a))
      whole += static_cast<std::uint32_t>(static_cast<std::int32_t>(x * y));
    else
      sum = std::fma(static_cast<float>(x), static_cast<float>(y), sum);
  }
  return is_int(p.a) ? whole : std::bit_cast<std::uint32_t>(sum);
}

Matrices random_matrices(const Product& p) {
  Random random;
  const auto side = static_cast<std::size_t>(p.shape.side), depth = static_cast<std::size_t>(p.shape.depth);
  Matrices m;
  for (std::size_t i = 0; i < side; ++i) {
    m.a.emplace_back(), m.b.emplace_back(), m.c.emplace_back();
    for (std::size_t k = 0; k < depth; ++k)
      m.a[i].push_back(random_code(p.a, random)), m.b[i].push_back(random_code(p.b, random));
    for (std::size_t j = 0; j < side; ++j)
      m.c[i].push_back(is_int(p.a) ? random()
                                   : std::bit_cast<std::uint32_t>(static_cast<float>(random() % 1000) - 500));
  }
  for (std::size_t i = 0; i < side; ++i) {
    m.d.emplace_back();
    for (std::size_t j = 0; j < side; ++j) m.d[i].push_back(sum_of(p, m.c[i][j], m.a[i], m.b[j]));
  }
  return m;
}

/// What the lanes hold: fragments of one matrix, in bytes.
std::vector<std::uint8_t> fragments(const Product& p, Number n,
                                    const std::vector<std::vector<std::uint32_t>>& codes) {
  const auto& s = p.shape;
  const std::size_t size = bytes_of(n), copies = s.cpu == gfx1150.cpu ? 2 : 1;
  const auto slots = static_cast<std::size_t>(s.side * s.depth / s.wave) * copies;
  std::vector<std::uint8_t> out(static_cast<std::size_t>(s.wave) * slots * size);
  for (int row = 0; row < s.side; ++row)
    for (int k = 0; k < s.depth; ++k) {
      const auto [lane, slot] = s.element(row, k);
      const auto at = (static_cast<std::size_t>(lane) * slots + static_cast<std::size_t>(slot)) * size;
      std::memcpy(out.data() + at, &codes[static_cast<std::size_t>(row)][static_cast<std::size_t>(k)], size);
    }
  if (copies == 2)
    std::memcpy(out.data() + out.size() / 2, out.data(), out.size() / 2); // lanes 16 to 31 repeat 0 to 15
  return out;
}

std::vector<std::uint32_t> held_sums(const Product& p, const std::vector<std::vector<std::uint32_t>>& sums) {
  const auto& s = p.shape;
  std::vector<std::uint32_t> out(static_cast<std::size_t>(s.side * s.side));
  for (int row = 0; row < s.side; ++row)
    for (int column = 0; column < s.side; ++column) {
      const auto [lane, slot] = s.sum(row, column);
      out[static_cast<std::size_t>(lane * (s.side * s.side / s.wave) + slot)] =
          sums[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
    }
  return out;
}

host::Kernel kernel_of(const Product& p) {
  const auto& s = p.shape;
  const std::string sums =
      "<" + std::to_string(s.side * s.side / s.wave) + " x " + (is_int(p.a) ? "i32" : "float") + ">";
  const auto at = [](const std::string& type, const std::string& of) {
    return "  %q" + of + " = getelementptr " + type + ", ptr addrspace(1) %p" + of + ", i32 %t\n";
  };
  const auto loaded = [&](const std::string& type, const std::string& of) {
    return at(type, of) + "  %" + of + " = load " + type + ", ptr addrspace(1) %q" + of + ", align 8\n";
  };
  return load(
      {.arguments = "ptr addrspace(1) %pa, ptr addrspace(1) %pb, ptr addrspace(1) %pc, ptr addrspace(1) %pd",
       .body = loaded(p.fragment, "a") + loaded(p.fragment, "b") + loaded(sums, "c") + "  %d = call " + sums +
               " @llvm.amdgcn." + p.symbol + "(" + p.before_a + p.fragment + " %a, " + p.before_b +
               p.fragment + " %b, " + p.before_c + sums + " %c" + p.tail + ")\n" + at(sums, "d") +
               "  store " + sums + " %d, ptr addrspace(1) %qd, align 8",
       .block = static_cast<unsigned>(s.wave),
       .cpu = s.cpu});
}

std::vector<std::uint32_t> run(const Product& p, const Matrices& m) {
  const auto kernel = kernel_of(p);
  const auto a = buffer_of(fragments(p, p.a, m.a)), b = buffer_of(fragments(p, p.b, m.b)),
             c = buffer_of(held_sums(p, m.c));
  const auto d = output_of(m.c.size() * m.c.size() * 4);
  host::KernelArguments arguments(kernel.info());
  arguments.set(0, a).set(1, b).set(2, c).set(3, d);
  CHECK(clean(kernel.run(arguments, {.block = {static_cast<unsigned>(p.shape.wave), 1, 1}})));
  return values_of<std::uint32_t>(d);
}

TEST_CASE("products of 8-bit numbers and the further shapes of 16-bit ones") {
  const auto products = all_products();
  CHECK(products.size() == 29);
  for (const auto& p : products) {
    INFO(p.symbol << " " << p.before_a << p.before_b);
    const auto m = random_matrices(p);
    CHECK(run(p, m) == held_sums(p, m.d));
  }
}

TEST_CASE("fp8 has a NaN and no infinity, bf8 has both") {
  for (const auto& p : all_products()) {
    if (p.a != Number::bf8 || p.b != Number::fp8) continue;
    INFO(p.symbol);
    auto m = random_matrices(p);
    m.a[1][0] = 0x7c; // an infinity
    m.b[0][0] = 0x38; // 1
    m.b[2][3] = 0xff; // a NaN
    const auto d = run(p, m);
    const auto at = [&](int row, int column) {
      const auto [lane, slot] = p.shape.sum(row, column);
      return std::bit_cast<float>(
          d[static_cast<std::size_t>(lane * (p.shape.side * p.shape.side / p.shape.wave) + slot)]);
    };
    CHECK(at(1, 0) == std::numeric_limits<float>::infinity());
    CHECK(std::isnan(at(5, 2)));
    CHECK(std::isfinite(at(5, 0)));
  }
}

TEST_CASE("products with a clamp, a broadcast or other fragments are refused") {
  const auto code = [](Product p) { return thrown_by([&] { (void)kernel_of(p); }).code; };
  for (auto p : all_products()) {
    if (p.symbol.starts_with("mfma"))
      p.tail = ", i32 1, i32 0, i32 0";
    else if (p.symbol.starts_with("wmma.i32"))
      p.tail.replace(p.tail.rfind("false"), 5, "true");
    else
      continue;
    INFO(p.symbol);
    CHECK(code(p) == "TIR5001");
  }
  CHECK(code({gfx1201, Number::fp8, Number::fp8, "wmma.f32.16x16x16.fp8.fp8.v8f32.v4i32", "<4 x i32>", "", "",
              "", ""}) == "TIR5001");
}

} // namespace
