// SPDX-License-Identifier: MIT
// Floating point: 16-bit arithmetic against exact arithmetic, trial 29, no contraction, conversions to fp8.
#include <bit>
#include <random>

#include "executor_support.hpp"
#include "small_formats.hpp"

namespace {

using namespace twinir;
using namespace twinir::test;

using Bits16 = std::array<std::uint16_t, 4>;

constexpr std::size_t trials = 102400;

std::vector<Bits16> random_bits(std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<Bits16> values(trials);
  for (Bits16& value : values)
    for (std::uint16_t& bits : value) bits = static_cast<std::uint16_t>(random());
  // Close exponents, subnormals and ties, which uniformly random bits seldom give.
  for (std::size_t i = 0; i < trials; i += 2)
    for (std::uint16_t& bits : values[i])
      bits = static_cast<std::uint16_t>((bits & 0x83ff) | 0x3800 | (bits & 0x0400));
  for (std::size_t i = 1; i < trials; i += 8) values[i][0] &= 0x83ff;
  return values;
}

// %a, %b, %c of `type` are the elements of the loaded vector; %y is an i16.
std::vector<std::uint16_t> compute(const std::string& type, const std::string& step,
                                   const std::vector<Bits16>& in) {
  const std::string vector = "<4 x " + type + ">";
  std::string steps = "  %v = bitcast <4 x i16> %x to " + vector + "\n";
  for (const char* name : {"a", "b", "c"})
    steps += std::string("  %") + name + " = extractelement " + vector + " %v, i32 " +
             std::to_string(*name - 'a') + "\n";
  steps += "  %r = " + step + "\n  %y = bitcast " + type + " %r to i16";
  return map<std::uint16_t>({"<4 x i16>", "i16", steps}, in, false);
}

struct Operation {
  std::string step; ///< with T for the type
  ExactSum (*exact)(double a, double b, double c);
};

const Operation operations[] = {
    {"fadd T %a, %b", [](double a, double b, double) { return exact_sum(a, b); }},
    {"fsub T %a, %b", [](double a, double b, double) { return exact_sum(a, -b); }},
    {"fmul T %a, %b",
     [](double a, double b, double) {
       return ExactSum{a * b, 0};
     }},
    {"call T @llvm.fma.N(T %a, T %b, T %c)",
     [](double a, double b, double c) { return exact_sum(a * b, c); }},
    {"call T @llvm.fmuladd.N(T %a, T %b, T %c)",
     [](double a, double b, double c) { return exact_sum(a * b, c); }},
};

std::string replaced(std::string text, const std::string& type, const std::string& mangled) {
  std::string out;
  for (const char c : text) {
    if (c == 'T')
      out += type;
    else if (c == 'N')
      out += mangled;
    else
      out += c;
  }
  return out;
}

void check_exact(const std::string& type, const std::string& mangled, const SmallFormat& format) {
  const std::vector<Bits16> in = random_bits(7);
  for (const Operation& operation : operations) {
    const std::vector<std::uint16_t> out = compute(type, replaced(operation.step, type, mangled), in);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < in.size(); ++i) {
      const double a = value_of(in[i][0], format);
      const double b = value_of(in[i][1], format);
      const double c = value_of(in[i][2], format);
      const ExactSum exact = operation.exact(a, b, c);
      if (std::isnan(exact.high))
        wrong += !is_nan_code(out[i], format);
      else if (exact.high == 0)
        wrong += (out[i] & 0x7fff) != 0;
      else
        wrong += out[i] != nearest(exact.high, exact.low, format);
    }
    INFO(type << ": " << operation.step);
    CHECK(wrong == 0);
  }
}

TEST_CASE("half arithmetic is exactly rounded, fma included") { check_exact("half", "f16", half_format); }
TEST_CASE("bfloat arithmetic is exactly rounded, fma included") {
  check_exact("bfloat", "bf16", bfloat_format);
}

// Quotients and roots of 16-bit floats: double is wide enough that rounding twice is harmless.
TEST_CASE("half and bfloat division and square root") {
  const std::vector<Bits16> in = random_bits(9);
  const auto check = [&](const std::string& type, const std::string& step, const SmallFormat& format,
                         auto&& exact) {
    const std::vector<std::uint16_t> out = compute(type, step, in);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < in.size(); ++i) {
      const double y = exact(value_of(in[i][0], format), value_of(in[i][1], format));
      wrong += std::isnan(y) ? !is_nan_code(out[i], format) : out[i] != nearest(y, 0, format);
    }
    INFO(type << " " << step);
    CHECK(wrong == 0);
  };
  const auto divide = [](double a, double b) { return a / b; };
  const auto root = [](double a, double) { return std::sqrt(a); };
  check("half", "fdiv half %a, %b", half_format, divide);
  check("bfloat", "fdiv bfloat %a, %b", bfloat_format, divide);
  check("half", "call half @llvm.sqrt.f16(half %a)", half_format, root);
  check("bfloat", "call bfloat @llvm.sqrt.bf16(bfloat %a)", bfloat_format, root);
}

TEST_CASE("trial 29: float to bfloat") {
  const std::vector<std::uint32_t> in = {0x7F800001, 0x7FFF8C22, 0xFFFFFFFF, 0x7F7FFFFF,
                                         0x7F7F7FFF, 0x3F808000, 0x3F808001, 0x3F818000,
                                         0x3E89CCD5, 0x00000001, 0x00018000, 0x807FFFFF};
  const std::vector<std::uint16_t> right = {0,      0,      0,      0x7F80, 0x7F7F, 0x3F80,
                                            0x3F81, 0x3F82, 0x3E8A, 0x0000, 0x0002, 0x8080};
  for (const bool checked : {true, false}) {
    const auto out =
        map<std::uint16_t>({"float", "bfloat", "  %y = fptrunc float %x to bfloat"}, in, checked);
    for (std::size_t i = 0; i < 3; ++i) CHECK((out[i] & 0x7fff) > 0x7f80);
    for (std::size_t i = 3; i < in.size(); ++i) CHECK(out[i] == right[i]);
  }
}

TEST_CASE("float and double to 16 bits, in vectors too") {
  std::mt19937_64 random(3);
  std::vector<double> in(trials);
  for (double& value : in) {
    const std::uint64_t bits = random();
    value = std::ldexp(1.0 + static_cast<double>(bits >> 12) / 4503599627370496.0,
                       static_cast<int>(bits % 60) - 40);
    if (bits % 3 == 0)
      value = std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) & ~((1ull << 42) - 1));
    if (bits % 6 == 0) value = std::nextafter(value, bits % 12 == 0 ? 0 : 1e300); // one step beside a tie
  }
  struct Kind {
    const char* type;
    SmallFormat format;
  };
  for (const Kind kind : {Kind{"half", half_format}, Kind{"bfloat", bfloat_format}}) {
    const std::string type = kind.type;
    const auto scalar =
        map<std::uint16_t>({"double", type, "  %y = fptrunc double %x to " + type}, in, false);
    using Four = std::array<double, 4>;
    std::vector<Four> fours(trials / 4);
    for (std::size_t i = 0; i < trials; ++i) fours[i / 4][i % 4] = in[i];
    const auto vector = map<std::array<std::uint16_t, 4>>(
        {"<4 x double>", "<4 x " + type + ">", "  %y = fptrunc <4 x double> %x to <4 x " + type + ">"}, fours,
        false);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < trials; ++i) {
      const std::uint32_t right = nearest(in[i], 0, kind.format);
      wrong += scalar[i] != right;
      wrong += vector[i / 4][i % 4] != right;
    }
    INFO(type);
    CHECK(wrong == 0);
  }
}

TEST_CASE("integers to bfloat round once") {
  std::vector<std::int64_t> in = {0,
                                  1,
                                  -1,
                                  255,
                                  256,
                                  257,
                                  0x7fffffff,
                                  -0x80000000ll,
                                  (1ll << 40) + (1ll << 32) + 1,
                                  (1ll << 62) + (1ll << 54),
                                  (1ll << 62) + (1ll << 54) + 1,
                                  -(1ll << 62) - (1ll << 54) - 1,
                                  std::numeric_limits<std::int64_t>::max(),
                                  std::numeric_limits<std::int64_t>::min()};
  std::mt19937_64 random(5);
  for (int i = 0; i < 5000; ++i) in.push_back(static_cast<std::int64_t>(random()) >> (i % 64));
  const auto out = map<std::uint16_t>({"i64", "bfloat", "  %y = sitofp i64 %x to bfloat"}, in, false);
  for (std::size_t i = 0; i < in.size(); ++i) {
    const double high = static_cast<double>(in[i]);
    const double low = static_cast<double>(static_cast<__int128>(in[i]) - static_cast<__int128>(high));
    REQUIRE(out[i] == nearest(high, low, bfloat_format));
  }
}

TEST_CASE("trial 29: nothing is contracted unless the IR says fma") {
  using Pair = std::array<float, 2>;
  const std::string head =
      "  %a = extractelement <2 x float> %x, i32 0\n  %b = extractelement <2 x float> %x, i32 1\n";
  for (const std::string flag : {"", "contract "})
    for (const bool checked : {true, false}) {
      const auto out = map<float>({"<2 x float>", "float",
                                   head + "  %p = fmul " + flag + "float %a, %b\n  %q = fmul " + flag +
                                       "float %a, %b\n  %y = fsub " + flag + "float %q, %p"},
                                  std::vector<Pair>{{0.1f, 300.0f}}, checked);
      CHECK(out[0] == 0.0f);
    }
  const auto fused = map<float>({"<2 x float>", "float",
                                 head + "  %p = fmul float %a, %b\n  %n = fneg float %p\n"
                                        "  %y = call float @llvm.fma.f32(float %a, float %b, float %n)"},
                                std::vector<Pair>{{0.1f, 300.0f}});
  CHECK(fused[0] == std::fma(0.1f, 300.0f, -(0.1f * 300.0f)));
  CHECK(std::fabs(fused[0] - 4.470348e-07f) < 1e-12f);
}

TEST_CASE("trial 29: minimum and maximum of NaN and of zeros, in every type") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  struct Row {
    const char* function;
    float a, b, right;
  };
  const Row rows[] = {{"maxnum", nan, 1, 1},
                      {"maxnum", 1, nan, 1},
                      {"maxnum", -0.0f, 0.0f, 0.0f},
                      {"maxnum", 0.0f, -0.0f, 0.0f},
                      {"minnum", nan, 1, 1},
                      {"minnum", -0.0f, 0.0f, -0.0f},
                      {"minnum", 0.0f, -0.0f, -0.0f},
                      {"maximumnum", nan, 1, 1},
                      {"minimumnum", 0.0f, -0.0f, -0.0f},
                      {"maxnum", 2, 3, 3},
                      {"minnum", 2, 3, 2}};
  struct Type {
    std::string name, mangled;
  };
  for (const Type& type :
       {Type{"float", "f32"}, Type{"half", "f16"}, Type{"bfloat", "bf16"}, Type{"double", "f64"}})
    for (const Row& row : rows) {
      const bool wide = type.name == "double";
      std::string steps;
      for (const std::string index : {"0", "1"})
        steps += "  %e" + index + " = extractelement <2 x float> %x, i32 " + index + "\n  %n" + index +
                 " = " +
                 (type.name == "float"
                      ? "fadd float %e" + index + ", -0.0"
                      : std::string(wide ? "fpext" : "fptrunc") + " float %e" + index + " to " + type.name) +
                 "\n";
      steps +=
          "  %m = call " + type.name + " @llvm." + row.function + "." + type.mangled + "(" + type.name +
          " %n0, " + type.name + " %n1)\n  %y = " +
          (type.name == "float" ? "fadd float %m, -0.0"
                                : std::string(wide ? "fptrunc" : "fpext") + " " + type.name + " %m to float");
      const auto out =
          map<float>({"<2 x float>", "float", steps}, std::vector<std::array<float, 2>>{{row.a, row.b}});
      INFO(row.function << "." << type.mangled << "(" << row.a << ", " << row.b << ") gave " << out[0]);
      CHECK(out[0] == row.right);
      CHECK(std::signbit(out[0]) == std::signbit(row.right));
    }
}

TEST_CASE("fp8 and bf8: every code, and rounding of random floats") {
  struct Kind {
    const char* name;
    SmallFormat format;
    std::uint32_t overflow;
  };
  for (const Kind kind : {Kind{"fp8", e4m3_format, 0x7f}, Kind{"bf8", e5m2_format, 0x7c}}) {
    std::vector<std::uint32_t> codes(256);
    for (std::uint32_t i = 0; i < 256; ++i) codes[i] = i << 16 | 0x11002233;
    const auto values =
        map<float>({"i32", "float",
                    std::string("  %y = call float @llvm.amdgcn.cvt.f32.") + kind.name + "(i32 %x, i32 2)"},
                   codes);
    for (std::uint32_t code = 0; code < 256; ++code) {
      const std::uint32_t body = code & 0x7f;
      INFO(kind.name << " code " << code);
      if (body <= kind.format.greatest) {
        CHECK(values[code] ==
              static_cast<float>(code < 128 ? 1 : -1) * static_cast<float>(magnitude(body, kind.format)));
      } else if (kind.overflow == 0x7c && body == 0x7c)
        CHECK(std::isinf(values[code]));
      else
        CHECK(std::isnan(values[code]));
    }
    std::mt19937 random(11);
    std::vector<float> in = {448.f,   464.f,    465.f, -1e9f, 57344.f, 61439.f,
                             61440.f, INFINITY, NAN,   0.f,   -0.f,    1e-9f};
    for (int i = 0; i < 20000; ++i)
      in.push_back(
          std::ldexp(1.0f + static_cast<float>(random() % 64) / 64.0f, static_cast<int>(random() % 40) - 22));
    const auto packed =
        map<std::uint32_t>({"float", "i32",
                            std::string("  %z = fneg float %x\n  %y = call i32 @llvm.amdgcn.cvt.pk.") +
                                kind.name + ".f32(float %x, float %z, i32 -1430532899, i1 true)"},
                           in);
    for (std::size_t i = 0; i < in.size(); ++i) {
      INFO(kind.name << " of " << in[i]);
      REQUIRE((packed[i] & 0xffff) == (static_cast<std::uint32_t>(-1430532899) & 0xffff));
      const std::uint32_t low = packed[i] >> 16 & 0xff;
      const std::uint32_t high = packed[i] >> 24;
      REQUIRE((low ^ 0x80) == high);
      if (std::isnan(in[i])) {
        REQUIRE((low & 0x7f) > kind.format.greatest);
        continue;
      }
      const std::uint32_t right = nearest(static_cast<double>(in[i]), 0, kind.format);
      REQUIRE(low == ((right & 0x7f) > kind.format.greatest ? (right & 0x80) | kind.overflow : right));
    }
  }
}

} // namespace
