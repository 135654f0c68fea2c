// SPDX-License-Identifier: MIT
#include "gemm_support.hpp"

#include "dsl/constant.hpp"
#include "dsl/json.hpp"
#include "emit/llvm_plugin.hpp"
#include "instances/kernarg.hpp"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

namespace twinir::gemm_test {
namespace {

constexpr double tolerance = 2e-6; // of the sum of absolute products
constexpr std::uint16_t not_a_number = 0xFFFF;

double decode_f16(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31, mantissa = bits & 1023;
  const double magnitude = exponent ? std::ldexp(1024 + mantissa, exponent - 25) : std::ldexp(mantissa, -24);
  return bits & 0x8000 ? -magnitude : magnitude;
}
double decode(DType type, std::uint16_t bits) {
  return type == f16 ? decode_f16(bits) : std::bit_cast<float>(std::uint32_t{bits} << 16);
}

Operand random_operand(DType type, std::int64_t rows, std::int64_t columns, std::int64_t ld,
                       std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  Operand out;
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < ld; ++c) {
      const bool zero = c >= columns && c < (columns + 7) / 8 * 8;
      const auto bits = c < columns ? static_cast<std::uint16_t>(*float_bits(type.scalar(), uniform(random)))
                        : zero      ? std::uint16_t{0}
                                    : not_a_number;
      out.bits.push_back(bits);
      out.numbers.push_back(c < columns ? decode(type, bits) : 0);
    }
  return out;
}

std::size_t size(std::int64_t n) { return static_cast<std::size_t>(n); }

std::string where(const char* what, std::int64_t b, std::int64_t t, std::int64_t n) {
  return std::string(what) + " at bin " + std::to_string(b) + ", row " + std::to_string(t) + ", column " +
         std::to_string(n);
}

bool good_element(const Data& d, std::int64_t b, std::int64_t t, std::int64_t n, float value) {
  const auto& p = d.problem;
  const double *v = &d.v.numbers[size((b * p.t + t) * p.ldv)], *u = &d.u.numbers[size((b * p.k + n) * p.ldu)];
  double sum = 0, absolute = 0;
  for (std::int64_t c = 0; c < p.c; ++c) sum += v[c] * u[c], absolute += std::abs(v[c] * u[c]);
  return std::abs(value - sum) <= tolerance * absolute;
}

} // namespace

Emitted emit(const Json& spec) {
  const auto& family = find_family("gemm");
  Emitted e{spec, parse_spec<gemm::GemmSpec>(spec, "gemm"), family.build(spec, find_target("gfx1250")), {}};
  static const auto plugin = LlvmPlugin::of_flavor("llvm22");
  e.ir = plugin.emit(write_json(e.kernel));
  return e;
}

Data make_data(const gemm::GemmProblem& p, unsigned seed) {
  std::mt19937 random(seed);
  auto v = random_operand(p.in, p.bins * p.t, p.c, p.ldv, random);
  auto u = random_operand(p.in, p.bins * p.k, p.c, p.ldu, random);
  return {p, std::move(v), std::move(u)};
}

Outcome run(const Emitted& kernel, const std::string& ir, const Data& d, unsigned lane_order) {
  static const auto executor = host::HostExecutor::open(host::find_plugin(22));
  const auto loaded = executor.load(ir, {.checked = true});
  auto v = executor.alloc(d.v.bits.size() * 2, "v", false),
       u = executor.alloc(d.u.bits.size() * 2, "u", false);
  auto m = executor.alloc(size(d.problem.bins * d.problem.t * d.problem.ldm) * sizeof(float), "m", false);
  v.write(d.v.bits), u.write(d.u.bits);
  auto launch = gemm::launch(kernel.parsed, d.problem);
  const auto address = [](const host::Buffer& b) {
    return KernargValue(std::uint64_t{reinterpret_cast<std::uintptr_t>(b.data())});
  };
  launch.args["v"] = address(v), launch.args["u"] = address(u), launch.args["m"] = address(m);
  const auto bytes = pack_kernargs(kernel.kernel, launch.args);
  Outcome out{loaded.run(bytes, {.grid = launch.grid, .block = launch.block, .lane_order = lane_order}), {}};
  const auto result = m.as<float>();
  out.m.assign(result.begin(), result.end());
  return out;
}

std::string first_difference(const Data& d, const std::vector<float>& m) {
  const auto& p = d.problem;
  for (std::int64_t b = 0; b < p.bins; ++b)
    for (std::int64_t t = 0; t < p.t; ++t)
      for (std::int64_t n = 0; n < p.ldm; ++n) {
        const float value = m[size((b * p.t + t) * p.ldm + n)];
        if (n >= p.k && std::bit_cast<std::uint32_t>(value) != 0xFFFFFFFF) return where("a write", b, t, n);
        if (n < p.k && !good_element(d, b, t, n, value)) return where("a wrong number", b, t, n);
      }
  return {};
}

std::string without_lines(const std::string& text, const std::string& what) {
  std::string out;
  int dropped = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = text.find('\n', at) + 1;
    const auto line = text.substr(at, end - at);
    const bool drop = line.find(what) != std::string::npos && line.rfind("declare", 0) != 0;
    drop ? void(++dropped) : void(out += line);
    at = end;
  }
  REQUIRE(dropped > 0);
  return out;
}

} // namespace twinir::gemm_test
