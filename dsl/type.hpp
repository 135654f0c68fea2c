// SPDX-License-Identifier: MIT
// Scalar kinds and value types of the kernel description.
#pragma once
// Guarantees: a Type is a plain value with a canonical text form ("f32", "v8f16", "p1"); no LLVM.
// Refuses nothing itself: what may be combined is the verifier's business.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace twinir {

/// The kinds of a single element. Pointers are named by their AMDGPU address space.
enum class Scalar : std::uint8_t { none, i1, i8, i16, i32, i64, f16, bf16, f32, f64, p1, p3, p4, p8 };

/// Text form and width in bits of every Scalar, in the order of the enumeration.
struct ScalarInfo {
  std::string_view name;
  unsigned bits;
};
inline constexpr std::array<ScalarInfo, 14> scalar_table{{{"void", 0},
                                                          {"i1", 1},
                                                          {"i8", 8},
                                                          {"i16", 16},
                                                          {"i32", 32},
                                                          {"i64", 64},
                                                          {"f16", 16},
                                                          {"bf16", 16},
                                                          {"f32", 32},
                                                          {"f64", 64},
                                                          {"p1", 64},
                                                          {"p3", 32},
                                                          {"p4", 64},
                                                          {"p8", 128}}};

[[nodiscard]] constexpr const ScalarInfo& info(Scalar s) { return scalar_table[static_cast<std::size_t>(s)]; }
[[nodiscard]] constexpr unsigned bit_width(Scalar s) { return info(s).bits; }
[[nodiscard]] constexpr bool is_int(Scalar s) { return s >= Scalar::i1 && s <= Scalar::i64; }
[[nodiscard]] constexpr bool is_float(Scalar s) { return s >= Scalar::f16 && s <= Scalar::f64; }
/// True for pointers to global, LDS and constant memory (not for a buffer resource).
[[nodiscard]] constexpr bool is_pointer(Scalar s) { return s >= Scalar::p1 && s <= Scalar::p4; }
/// Bytes one element takes in memory; i1 has no memory form and gives 0.
[[nodiscard]] constexpr unsigned byte_size(Scalar s) { return bit_width(s) / 8; }

/// A scalar (lanes == 1) or a vector of 2 to 32 scalars.
struct Type {
  Scalar scalar = Scalar::none;
  std::uint16_t lanes = 1;

  friend constexpr bool operator==(const Type&, const Type&) = default;
  [[nodiscard]] constexpr bool is_void() const { return scalar == Scalar::none; }
  [[nodiscard]] constexpr bool is_vector() const { return lanes > 1; }
  [[nodiscard]] constexpr bool is_int() const { return twinir::is_int(scalar); }
  [[nodiscard]] constexpr bool is_float() const { return twinir::is_float(scalar); }
  [[nodiscard]] constexpr bool is_pointer() const { return twinir::is_pointer(scalar); }
  [[nodiscard]] constexpr Type element() const { return {scalar, 1}; }
  [[nodiscard]] constexpr Type with(Scalar s) const { return {s, lanes}; }
  [[nodiscard]] constexpr Type with_lanes(int n) const { return {scalar, static_cast<std::uint16_t>(n)}; }
  [[nodiscard]] constexpr unsigned bits() const { return bit_width(scalar) * lanes; }
  [[nodiscard]] constexpr unsigned bytes() const { return byte_size(scalar) * lanes; }
};

[[nodiscard]] std::string to_string(Type type);
/// The inverse of to_string; empty when the text is not the canonical form of a type.
[[nodiscard]] std::optional<Type> parse_type(std::string_view text);

// The names authors write.
inline constexpr Type i1{Scalar::i1}, i8{Scalar::i8}, i16{Scalar::i16}, i32{Scalar::i32}, i64{Scalar::i64},
    f16{Scalar::f16}, bf16{Scalar::bf16}, f32{Scalar::f32}, f64{Scalar::f64};
[[nodiscard]] constexpr Type vec(Type element, int lanes) { return element.with_lanes(lanes); }

} // namespace twinir
