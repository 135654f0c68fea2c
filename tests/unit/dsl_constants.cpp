// SPDX-License-Identifier: MIT
#include "dsl/constant.hpp"
#include "dsl/op.hpp"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>

using namespace twinir;

TEST_CASE("types have one text form") {
  for (const char* text : {"i1", "i8", "i64", "f16", "bf16", "f32", "f64", "p1", "p8", "v2i1", "v8f16", "v32f32", "v16bf16"}) {
    REQUIRE(parse_type(text));
    CHECK(to_string(*parse_type(text)) == text);
  }
  for (const char* text : {"", "f8", "v1f32", "v0f32", "v33f32", "v08f16", "v8", "8f16", "vf16", "f32 ", "v-2f32"}) CHECK_FALSE(parse_type(text));
}

TEST_CASE("every op is found by its name") {
  CHECK(all_ops().size() > 80);
  for (const auto& row : all_ops()) CHECK(parse_op(row.name) == row.op);
  CHECK_FALSE(parse_op("nonsense"));
}

TEST_CASE("f32 and f16 bits are those of the hardware's rounding") {
  std::mt19937_64 generator(7);
  for (int i = 0; i < 200000; ++i) {
    const double value = i % 2 ? std::bit_cast<double>(generator()) : std::ldexp(static_cast<double>(generator() >> 20), static_cast<int>(generator() % 60) - 70);
    if (std::isnan(value)) continue;
    CHECK(float_bits(Scalar::f32, value) == std::bit_cast<std::uint32_t>(static_cast<float>(value)));
    CHECK(float_bits(Scalar::f16, value) == std::bit_cast<std::uint16_t>(static_cast<_Float16>(value)));
    CHECK(float_bits(Scalar::f64, value) == std::bit_cast<std::uint64_t>(value));
  }
}

TEST_CASE("special floats") {
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(float_bits(Scalar::bf16, infinity) == 0x7F80u);
  CHECK(float_bits(Scalar::bf16, 3.4e38) == 0x7F80u); // rounds up to infinity
  CHECK(float_bits(Scalar::bf16, -0.0) == 0x8000u);
  CHECK(float_bits(Scalar::f16, 65504.0) == 0x7BFFu);
  CHECK(float_bits(Scalar::f16, 65520.0) == 0x7C00u);
  CHECK(float_bits(Scalar::f16, 65519.9) == 0x7BFFu);
  CHECK(float_bits(Scalar::f16, std::ldexp(1.0, -24)) == 1u);
  CHECK(float_bits(Scalar::f16, std::ldexp(1.0, -25)) == 0u); // a tie, to even
  CHECK(float_bits(Scalar::f32, 1.4e-45) == 1u);
  for (const double nan : {std::nan(""), -std::nan("85"), std::numeric_limits<double>::signaling_NaN()}) {
    CHECK(float_bits(Scalar::f16, nan) == 0x7E00u);
    CHECK(float_bits(Scalar::bf16, nan) == 0x7FC0u);
    CHECK(float_bits(Scalar::f32, nan) == 0x7FC00000u);
    CHECK(float_bits(Scalar::f64, nan) == 0x7FF8000000000000u);
  }
}

TEST_CASE("bits of NaNs") {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    CHECK(is_nan(Scalar::f16, bits) ==
          std::isnan(static_cast<float>(std::bit_cast<_Float16>(static_cast<std::uint16_t>(bits)))));
    CHECK(is_nan(Scalar::bf16, bits) == std::isnan(std::bit_cast<float>(bits << 16)));
  }
  for (const std::uint64_t bits : {0x7FF0000000000000u, 0xFFF0000000000000u, 0x7FEFFFFFFFFFFFFFu})
    CHECK_FALSE(is_nan(Scalar::f64, bits));
  for (const std::uint64_t bits : {0x7FF0000000000001u, 0xFFF8000000000000u, 0xFFFFFFFFFFFFFFFFu})
    CHECK(is_nan(Scalar::f64, bits));
  CHECK_FALSE(is_nan(Scalar::i32, 0x7FC00000));
  CHECK_FALSE(is_nan(Scalar::i64, 0x7FF8000000000000));
}

TEST_CASE("integers fit as signed or unsigned") {
  CHECK(int_bits(Scalar::i8, 255) == 0xFFu);
  CHECK(int_bits(Scalar::i8, -128) == 0x80u);
  CHECK_FALSE(int_bits(Scalar::i8, 256));
  CHECK_FALSE(int_bits(Scalar::i8, -129));
  CHECK(int_bits(Scalar::i1, 1) == 1u);
  CHECK(int_bits(Scalar::i64, std::numeric_limits<std::int64_t>::min()) == 0x8000000000000000u);
  CHECK(signed_value(Scalar::i16, 0xFFFF) == -1);
}
