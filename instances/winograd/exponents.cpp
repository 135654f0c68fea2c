// SPDX-License-Identifier: MIT
#include "instances/winograd/exponents.hpp"

#include <algorithm>
#include <bit>

namespace twinir::winograd {
namespace {

constexpr int lowest = -126, highest = 127; // of f32's normal powers of two
constexpr int f32_bias = 127, f32_fraction = 23;
constexpr int top_of_f16 = 14; // 2^15 is f16's last power of two

struct Format {
  int fraction, bias, special; ///< special: the exponent field of infinity and NaN
};
Format format(DType io) { return io.type() == bf16 ? Format{7, 127, 255} : Format{10, 15, 31}; }

} // namespace

Value scale_exponent(KernelBuilder& k, DType io, const Value& magnitude, const Value& top) {
  const auto f = format(io);
  const auto field = lshr(magnitude, f.fraction);
  const auto exponent = smax(field, 1) - f.bias;
  const auto clamped = smin(smax(top - exponent, lowest), highest);
  return select((magnitude == 0) | (field == f.special), k.zero(i32), clamped);
}

Value power_of_two(const Value& exponent) { return bitcast((exponent + f32_bias) << f32_fraction, f32); }

int scale_exponent(DType io, int magnitude, int top) {
  const auto f = format(io);
  const int field = magnitude >> f.fraction;
  return magnitude == 0 || field == f.special
             ? 0
             : std::clamp(top - (std::max(field, 1) - f.bias), lowest, highest);
}

int input_top(DType m, std::int64_t channels) {
  return m.type() == f16
             ? top_of_f16 - static_cast<int>(std::bit_width(static_cast<std::uint64_t>(channels - 1)))
             : top_of_f16;
}

} // namespace twinir::winograd
