// SPDX-License-Identifier: MIT
// Intrinsics of arithmetic: AMDGPU's own and LLVM's generic ones.
#include <bit>
#include <cmath>

#include "executor_support.hpp"

namespace {

using namespace twinir;
using namespace twinir::test;

const std::vector<float> samples = {0.0f,  -0.0f,  0.5f,   1.0f,  -1.5f,    2.5f,
                                    3.75f, -7.25f, 100.0f, 1e-3f, 6.02e23f, -1e-30f};

void check(const std::string& call, float (*right)(float), double tolerance = 0) {
  const auto out = map<float>({"float", "float", "  %y = " + call}, samples);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const float expected = right(samples[i]);
    INFO(call << " of " << samples[i] << " gave " << out[i] << ", expected " << expected);
    if (std::isnan(expected))
      CHECK(std::isnan(out[i]));
    else if (tolerance == 0 || std::isinf(expected))
      CHECK(out[i] == expected);
    else
      CHECK(std::fabs(out[i] - expected) <= tolerance * std::fabs(expected));
  }
}

TEST_CASE("AMDGPU arithmetic on floats") {
  check("call float @llvm.amdgcn.rcp.f32(float %x)", [](float x) { return 1.0f / x; });
  check("call float @llvm.amdgcn.sqrt.f32(float %x)", [](float x) { return std::sqrt(x); });
  check("call float @llvm.amdgcn.rsq.f32(float %x)",
        [](float x) { return static_cast<float>(1.0 / std::sqrt(static_cast<double>(x))); });
  check("call float @llvm.amdgcn.exp2.f32(float %x)",
        [](float x) { return static_cast<float>(std::exp2(static_cast<double>(x))); });
  check("call float @llvm.amdgcn.log.f32(float %x)",
        [](float x) { return static_cast<float>(std::log2(static_cast<double>(x))); });
  check("call float @llvm.amdgcn.frexp.mant.f32(float %x)", [](float x) {
    int exponent = 0;
    return std::frexp(x, &exponent);
  });
  check("call float @llvm.amdgcn.fmed3.f32(float %x, float 1.0, float 3.0)",
        [](float x) { return std::fmax(std::fmin(x, 3.0f), 1.0f); });
}

TEST_CASE("frexp of infinities and NaN, and its exponent") {
  const std::vector<float> in = {1.0f, 0.75f, 8.0f, 1e-40f, INFINITY, NAN, 0.0f};
  const auto exponent =
      map<int>({"float", "i32", "  %y = call i32 @llvm.amdgcn.frexp.exp.i32.f32(float %x)"}, in);
  CHECK(exponent == std::vector<int>{1, 0, 4, -132, 0, 0, 0});
  const auto mantissa =
      map<float>({"float", "float", "  %y = call float @llvm.amdgcn.frexp.mant.f32(float %x)"}, in);
  CHECK(std::isinf(mantissa[4]));
  CHECK(std::isnan(mantissa[5]));
}

TEST_CASE("frexp of doubles") {
  const std::vector<double> in = {1.0, -0.75, 0x1.8p+1000, 0x1p-1074, -INFINITY, NAN, -0.0, 1 + 0x1p-52};
  const auto exponent =
      map<int>({"double", "i32", "  %y = call i32 @llvm.amdgcn.frexp.exp.i32.f64(double %x)"}, in);
  CHECK(exponent == std::vector<int>{1, 0, 1001, -1073, 0, 0, 0, 1});
  const auto mantissa =
      map<double>({"double", "double", "  %y = call double @llvm.amdgcn.frexp.mant.f64(double %x)"}, in);
  const std::vector<double> right = {0.5, -0.75, 0.75, 0.5, -INFINITY, NAN, -0.0, 0.5 + 0x1p-53};
  for (std::size_t i = 0; i < in.size(); ++i) {
    CAPTURE(i);
    CHECK((std::isnan(right[i]) ? std::isnan(mantissa[i]) : mantissa[i] == right[i]));
  }
}

// A vector of halves ended the process: the host's instruction selection has no fcanonicalize for it.
TEST_CASE("canonicalize of vectors of halves sets the quiet bit") {
  using Four = std::array<std::uint16_t, 4>;
  const std::string steps = "  %y = call <4 x half> @llvm.canonicalize.v4f16(<4 x half> %x)";
  const auto out = map<Four>({"<4 x half>", "<4 x half>", steps}, std::vector<Four>{{0x7C01, 0xFE55, 0x0001, 0xFC00}});
  CHECK(out[0] == Four{0x7E01, 0xFE55, 0x0001, 0xFC00});
}

TEST_CASE("generic float intrinsics") {
  const auto f32 = [](const char* name) {
    return "call float @llvm." + std::string(name) + ".f32(float %x)";
  };
  check(f32("fabs"), [](float x) { return std::fabs(x); });
  check(f32("floor"), [](float x) { return std::floor(x); });
  check(f32("ceil"), [](float x) { return std::ceil(x); });
  check(f32("trunc"), [](float x) { return std::trunc(x); });
  check(f32("rint"), [](float x) { return std::nearbyint(x); });
  check(f32("roundeven"), [](float x) { return std::nearbyint(x); });
  check(f32("round"), [](float x) { return std::round(x); });
  check(f32("sqrt"), [](float x) { return std::sqrt(x); });
  check(f32("canonicalize"), [](float x) { return x; });
  check(f32("exp2"), [](float x) { return static_cast<float>(std::exp2(static_cast<double>(x))); });
  check(f32("log2"), [](float x) { return static_cast<float>(std::log2(static_cast<double>(x))); });
  check(f32("exp"), [](float x) { return static_cast<float>(std::exp(static_cast<double>(x))); });
  check(f32("log"), [](float x) { return static_cast<float>(std::log(static_cast<double>(x))); });
  check(f32("sin"), [](float x) { return static_cast<float>(std::sin(static_cast<double>(x))); });
  check("call float @llvm.copysign.f32(float %x, float -1.0)", [](float x) { return -std::fabs(x); });
  check("call float @llvm.ldexp.f32.i32(float %x, i32 -3)", [](float x) { return std::ldexp(x, -3); });
  check("call float @llvm.pow.f32(float %x, float 2.0)", [](float x) { return x * x; });
  check("frem float %x, 1.5", [](float x) { return std::fmod(x, 1.5f); });
}

// The same functions in 16 bits are the float ones, rounded.
TEST_CASE("generic intrinsics on half and bfloat") {
  const std::vector<float> in = {0.5f, -1.5f, 2.5f, 3.75f, -7.25f, 100.0f};
  struct Row {
    const char* name;
    float (*right)(float);
  };
  const Row rows[] = {
      {"fabs", [](float x) { return std::fabs(x); }},      {"floor", [](float x) { return std::floor(x); }},
      {"ceil", [](float x) { return std::ceil(x); }},      {"trunc", [](float x) { return std::trunc(x); }},
      {"rint", [](float x) { return std::nearbyint(x); }}, {"canonicalize", [](float x) { return x; }}};
  struct Type {
    std::string name, mangled;
  };
  for (const Type& type : {Type{"half", "f16"}, Type{"bfloat", "bf16"}})
    for (const Row& row : rows) {
      const std::string one = "  %n = fptrunc float %x to T\n  %m = call T @llvm." + std::string(row.name) +
                              ".M(T %n)\n  %y = fpext T %m to float";
      std::string steps;
      for (const char c : one) steps += c == 'T' ? type.name : c == 'M' ? type.mangled : std::string(1, c);
      const auto out = map<float>({"float", "float", steps}, in);
      for (std::size_t i = 0; i < in.size(); ++i) {
        INFO(row.name << "." << type.mangled << " of " << in[i]);
        CHECK(out[i] == row.right(in[i]));
      }
    }
}

TEST_CASE("reductions of vectors") {
  using Four = std::array<float, 4>;
  const std::vector<Four> in = {{1.0f, -2.0f, 3.5f, 0.5f}, {-0.0f, 0.0f, -0.0f, NAN}};
  const auto reduce = [&](const std::string& call) {
    return map<float>({"<4 x float>", "float", "  %y = call float @llvm.vector.reduce." + call}, in);
  };
  const auto most = reduce("fmax.v4f32(<4 x float> %x)");
  CHECK(most[0] == 3.5f);
  CHECK((most[1] == 0.0f && !std::signbit(most[1])));
  const auto least = reduce("fmin.v4f32(<4 x float> %x)");
  CHECK(least[0] == -2.0f);
  CHECK((least[1] == 0.0f && std::signbit(least[1])));
  CHECK(reduce("fadd.v4f32(float 1.0, <4 x float> %x)")[0] == 4.0f);
}

TEST_CASE("generic integer intrinsics") {
  const std::vector<std::uint32_t> in = {0, 1, 0x80000000, 0x12345678, 0xffffffff, 0x00f00000};
  struct Row {
    std::string call;
    std::uint32_t (*right)(std::uint32_t);
  };
  const auto with = [](const char* name, const char* rest) {
    return "call i32 @llvm." + std::string(name) + ".i32(i32 %x" + rest + ")";
  };
  const Row rows[] = {
      {with("ctpop", ""), [](std::uint32_t x) { return static_cast<std::uint32_t>(std::popcount(x)); }},
      {with("ctlz", ", i1 false"),
       [](std::uint32_t x) { return static_cast<std::uint32_t>(std::countl_zero(x)); }},
      {with("cttz", ", i1 false"),
       [](std::uint32_t x) { return static_cast<std::uint32_t>(std::countr_zero(x)); }},
      {with("bitreverse", ""),
       [](std::uint32_t x) {
         std::uint32_t y = 0;
         for (int i = 0; i < 32; ++i) y |= (x >> i & 1) << (31 - i);
         return y;
       }},
      {with("umin", ", i32 1000"), [](std::uint32_t x) { return std::min(x, 1000u); }},
      {with("umax", ", i32 1000"), [](std::uint32_t x) { return std::max(x, 1000u); }},
      {with("smin", ", i32 5"),
       [](std::uint32_t x) { return static_cast<std::uint32_t>(std::min(static_cast<int>(x), 5)); }},
      {with("smax", ", i32 5"),
       [](std::uint32_t x) { return static_cast<std::uint32_t>(std::max(static_cast<int>(x), 5)); }},
      {with("abs", ", i1 false"), [](std::uint32_t x) { return static_cast<int>(x) < 0 ? 0 - x : x; }},
      {with("fshl", ", i32 %x, i32 8"), [](std::uint32_t x) { return std::rotl(x, 8); }},
  };
  for (const Row& row : rows) {
    const auto out = map<std::uint32_t>({"i32", "i32", "  %y = " + row.call}, in);
    for (std::size_t i = 0; i < in.size(); ++i) {
      INFO(row.call << " of " << in[i]);
      CHECK(out[i] == row.right(in[i]));
    }
  }
}

TEST_CASE("conversions to integers saturate, classes are told apart") {
  const std::vector<float> in = {1.5f, -1.5f, 1e20f, -1e20f, NAN, 4294967040.0f};
  const auto sat =
      map<std::uint32_t>({"float", "i32", "  %y = call i32 @llvm.fptoui.sat.i32.f32(float %x)"}, in);
  CHECK(sat == std::vector<std::uint32_t>{1, 0, 0xffffffff, 0, 0, 4294967040u});
  // Poison by LLVM's rule, but one number on the hardware and here.
  const auto plain = map<std::uint32_t>({"float", "i32", "  %y = fptosi float %x to i32"}, in, false);
  CHECK(plain == std::vector<std::uint32_t>{1, 0xffffffff, 0x7fffffff, 0x80000000, 0, 0x7fffffff});
  const auto nan = map<std::uint8_t>(
      {"float", "i8", "  %c = call i1 @llvm.is.fpclass.f32(float %x, i32 3)\n  %y = zext i1 %c to i8"}, in);
  CHECK(nan == std::vector<std::uint8_t>{0, 0, 0, 0, 1, 0});
}

TEST_CASE("empty assembly with a tied operand is the identity") {
  const std::vector<std::uint32_t> in = {1, 2, 0xffffffff};
  CHECK(map<std::uint32_t>({"i32", "i32", "  %y = call i32 asm \"\", \"=v,0\"(i32 %x)"}, in) == in);
  CHECK(map<std::uint32_t>({"i32", "i32", "  %y = call i32 asm sideeffect \"\", \"=s,0\"(i32 %x)"}, in) ==
        in);
}

TEST_CASE("hints are accepted and mean nothing") {
  const std::vector<std::uint32_t> in = {1, 2, 3};
  const std::string hints = R"(
  call void @llvm.amdgcn.sched.barrier(i32 0)
  call void @llvm.amdgcn.sched.group.barrier(i32 8, i32 1, i32 0)
  call void @llvm.amdgcn.s.setprio(i16 2)
  call void @llvm.amdgcn.s.sleep(i32 1)
  call void @llvm.amdgcn.s.wait.dscnt(i16 0)
  call void @llvm.amdgcn.s.wait.loadcnt(i16 0)
  call void @llvm.amdgcn.s.waitcnt(i32 0)
  fence syncscope("workgroup") release
  fence syncscope("agent") acq_rel
  %y = add i32 %x, 0)";
  CHECK(map<std::uint32_t>({"i32", "i32", hints}, in) == in);
}

TEST_CASE("vectors, structures on the stack, and loops give the same at every optimisation level") {
  const KernelText text{.arguments = "ptr addrspace(1) %out", .body = R"(
  %s = alloca [8 x i32], align 16, addrspace(5)
  br label %head
head:
  %k = phi i32 [ 0, %0 ], [ %k1, %head ]
  %e = getelementptr [8 x i32], ptr addrspace(5) %s, i32 0, i32 %k
  %m = mul i32 %k, %t
  store i32 %m, ptr addrspace(5) %e
  %k1 = add i32 %k, 1
  %c = icmp ult i32 %k1, 8
  br i1 %c, label %head, label %done
done:
  %w = and i32 %t, 7
  %q = getelementptr [8 x i32], ptr addrspace(5) %s, i32 0, i32 %w
  %v = load i32, ptr addrspace(5) %q
  %n = insertelement <4 x i32> zeroinitializer, i32 %v, i32 1
  %d = shufflevector <4 x i32> %n, <4 x i32> poison, <4 x i32> <i32 1, i32 1, i32 0, i32 3>
  %x = extractelement <4 x i32> %d, i32 0
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %x, ptr addrspace(1) %p)"};
  for (unsigned level = 0; level <= 3; ++level)
    for (const bool checked : {true, false}) {
      const host::Kernel kernel = load(text, checked, level);
      const host::Buffer out = output_of(256);
      host::KernelArguments arguments(kernel.info());
      arguments.set(0, out);
      CHECK(clean(kernel.run(arguments, {.block = {64, 1, 1}})));
      for (int t = 0; t < 64; ++t) REQUIRE(out.as<int>()[static_cast<std::size_t>(t)] == (t & 7) * t);
    }
}

} // namespace
