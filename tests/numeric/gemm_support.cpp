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

constexpr double tolerance = 2e-6;                              // of the sum of absolute products
constexpr double half_unit = 0x1p-11, half_subnormal = 0x1p-25; // of f16
constexpr std::uint16_t not_a_number = 0xFFFF;

double decode_f16(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31, mantissa = bits & 1023;
  const double magnitude = exponent ? std::ldexp(1024 + mantissa, exponent - 25) : std::ldexp(mantissa, -24);
  return bits & 0x8000 ? -magnitude : magnitude;
}
double decode(DType type, std::uint16_t bits) {
  return type == f16 ? decode_f16(bits) : std::bit_cast<float>(std::uint32_t{bits} << 16);
}

std::size_t size(std::int64_t n) { return static_cast<std::size_t>(n); }

/// Columns from `columns` to the end of a row are 0.
Operand random_operand(DType type, const Rows& rows, std::int64_t columns, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  Operand out{rows, std::vector<std::uint16_t>(rows.extent(), not_a_number),
              std::vector<double>(rows.extent())};
  for (std::int64_t b = 0; b < rows.bins; ++b)
    for (std::int64_t r = 0; r < rows.rows; ++r)
      for (std::int64_t c = 0; c < rows.length; ++c) {
        const auto bits = c < columns ? static_cast<std::uint16_t>(float_bits(type.scalar(), uniform(random)))
                                      : std::uint16_t{0};
        out.bits[rows.at(b, r, c)] = bits, out.numbers[rows.at(b, r, c)] = decode(type, bits);
      }
  return out;
}

std::string where(const char* what, std::int64_t b, std::int64_t t, std::int64_t n) {
  return std::string(what) + " at bin " + std::to_string(b) + ", row " + std::to_string(t) + ", column " +
         std::to_string(n);
}

bool good_element(const Data& d, std::int64_t b, std::int64_t t, std::int64_t n, std::uint32_t bits) {
  const double *v = &d.v.numbers[d.v.rows.at(b, t)], *u = &d.u.numbers[d.u.rows.at(b, n)];
  double sum = 0, absolute = 0;
  for (std::int64_t c = 0; c < d.problem.c; ++c) sum += v[c] * u[c], absolute += std::abs(v[c] * u[c]);
  if (d.problem.out == f32) return std::abs(std::bit_cast<float>(bits) - sum) <= tolerance * absolute;
  const double value = decode(d.problem.out, static_cast<std::uint16_t>(bits));
  return std::abs(value - sum) <= tolerance * absolute + half_unit * std::abs(sum) + half_subnormal;
}

} // namespace

Emitted emit(const Json& spec, const std::string& target) {
  const auto& family = find_family("gemm");
  Emitted e{
      target, spec, parse_spec<gemm::GemmSpec>(spec, "gemm"), family.build(spec, find_target(target)), {}};
  static const auto plugin = LlvmPlugin::of_flavor("llvm22");
  e.ir = plugin.emit(write_json(e.kernel));
  return e;
}

Data make_data(const gemm::GemmProblem& p, unsigned seed) {
  std::mt19937 random(seed);
  const auto length = (p.c + 7) / 8 * 8;
  auto v = random_operand(p.in, {p.bins, p.stride_v, p.t, p.ldv, length}, p.c, random);
  auto u = random_operand(p.in, {p.bins, p.stride_u, p.k, p.ldu, length}, p.c, random);
  return {p, std::move(v), std::move(u)};
}

Outcome run(const Emitted& kernel, const std::string& ir, const Data& d, unsigned lane_order) {
  static const auto executor = host::HostExecutor::open(host::find_plugin(22));
  const auto loaded = executor.load(ir, {.checked = true});
  auto v = executor.alloc(d.v.bits.size() * 2, "v", false),
       u = executor.alloc(d.u.bits.size() * 2, "u", false);
  auto m = executor.alloc(d.m().extent() * size(d.problem.out.bytes()), "m", false);
  v.write(d.v.bits), u.write(d.u.bits);
  auto launch = gemm::launch(kernel.parsed, d.problem, find_target(kernel.target));
  const auto address = [](const host::Buffer& b) {
    return KernargValue(std::uint64_t{reinterpret_cast<std::uintptr_t>(b.data())});
  };
  launch.args["v"] = address(v), launch.args["u"] = address(u), launch.args["m"] = address(m);
  const auto bytes = pack_kernargs(kernel.kernel, launch.args);
  Outcome out{loaded.run(bytes, {.grid = launch.grid, .block = launch.block, .lane_order = lane_order}), {}};
  if (d.problem.out == f32)
    for (const auto x : m.as<std::uint32_t>()) out.m.push_back(x);
  else
    for (const auto x : m.as<std::uint16_t>()) out.m.push_back(x);
  return out;
}

std::string first_difference(const Data& d, const std::vector<std::uint32_t>& m) {
  const auto& p = d.problem;
  const auto rows = d.m();
  const std::uint32_t untouched = p.out == f32 ? 0xFFFFFFFF : 0xFFFF;
  std::vector<bool> covered(m.size());
  for (std::int64_t b = 0; b < p.bins; ++b)
    for (std::int64_t t = 0; t < p.t; ++t)
      for (std::int64_t n = 0; n < p.k; ++n) {
        covered[rows.at(b, t, n)] = true;
        if (!good_element(d, b, t, n, m[rows.at(b, t, n)])) return where("a wrong number", b, t, n);
      }
  for (std::size_t i = 0; i < m.size(); ++i)
    if (!covered[i] && m[i] != untouched) return "a write at element " + std::to_string(i);
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
