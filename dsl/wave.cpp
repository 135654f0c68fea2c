// SPDX-License-Identifier: MIT
#include "dsl/wave.hpp"

#include "dsl/build_internal.hpp"

#include <limits>

namespace twinir {
namespace {

[[noreturn]] void refuse(Code code, const std::string& found, const std::string& expected,
                         const std::string& action, const Arg& at) {
  throw UserError({code, found, expected, action, place(at.where)});
}

/// The value as the i32 that bpermute moves.
Value to_word(const Arg& a) {
  const Type type = detail::peer_type({&a});
  const bool number = type.is_int() || type.is_float();
  if (number && type.bits() == 32) return bitcast(a, i32);
  if (number && type.bits() == 16) return zext(bitcast(a, i16), Scalar::i32);
  refuse(Code::type_mismatch, "a shuffle of " + to_string(type), "a value of 16 or 32 bits",
         "convert it, or shuffle its parts", a);
}

Value from_word(const Value& word, Type type) {
  return bitcast(type.bits() == 16 ? trunc(word, Scalar::i16) : word, type);
}

int wave_of(const Arg& a) { return detail::kernel_of({&a}).target().wave; }

/// The operand as a value; a number alone is refused.
Value given(const Arg& a) {
  (void)detail::kernel_of({&a});
  return *a.value();
}

void check_distance(int distance, const Arg& a) {
  if (distance < 1 || distance >= wave_of(a))
    refuse(Code::bad_index, "a shuffle over " + std::to_string(distance) + " lanes",
           "1 to " + std::to_string(wave_of(a) - 1), "stay inside the wave", a);
}

/// From the lane `by` further, where `there` holds; else the lane's own value.
Value shifted(const Arg& a, int by, const Value& lane, const Value& there) {
  const auto moved = wave_shuffle(a, lane + by);
  return select(there, moved, given(a));
}

} // namespace

Value wave_any(Arg condition) {
  auto& k = detail::kernel_of({&condition});
  return k.ballot(condition) != 0;
}

Value wave_all(Arg condition) {
  auto& k = detail::kernel_of({&condition});
  return k.ballot(!condition) == 0;
}

Value wave_shuffle(Arg value, Arg lane) {
  auto& k = detail::kernel_of({&value, &lane});
  const Value word = to_word(value), from(&k, k.node(lane, i32));
  return from_word(k.bpermute(from << 2, word), detail::peer_type({&value}));
}

Value wave_shuffle_xor(Arg value, int mask) {
  check_distance(mask, value);
  return wave_shuffle(value, detail::kernel_of({&value}).lane() ^ mask);
}

Value wave_shuffle_up(Arg value, int distance) {
  check_distance(distance, value);
  const auto lane = detail::kernel_of({&value}).lane();
  return shifted(value, -distance, lane, lane >= distance);
}

Value wave_shuffle_down(Arg value, int distance) {
  check_distance(distance, value);
  const auto lane = detail::kernel_of({&value}).lane();
  return shifted(value, distance, lane, lane < wave_of(value) - distance);
}

Value combine(Arg a, Arg b, Combine how) {
  const bool floats = detail::peer_type({&a, &b}).is_float();
  switch (how) {
  case Combine::add: return a + b;
  case Combine::min: return floats ? minnum(a, b) : smin(a, b);
  case Combine::max: return floats ? maxnum(a, b) : smax(a, b);
  }
  throw InternalError("an unknown Combine");
}

Value neutral(KernelBuilder& k, Type type, Combine how) {
  if (how == Combine::add) return k.zero(type);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (type.is_float()) return k.constant(type, how == Combine::min ? infinity : -infinity);
  const auto top = std::uint64_t{1} << (bit_width(type.scalar) - 1); // the sign alone is the smallest integer
  return k.constant(type, std::vector{how == Combine::min ? top - 1 : top});
}

Value wave_reduce(Arg value, Combine how) {
  Value all = given(value);
  for (int mask = 1; mask < wave_of(value); mask *= 2)
    all = combine(all, wave_shuffle_xor(Arg(all, value.where), mask), how);
  return all;
}

Value wave_inclusive_scan(Arg value, Combine how) {
  const auto lane = detail::kernel_of({&value}).lane();
  Value sum = given(value);
  for (int distance = 1; distance < wave_of(value); distance *= 2) {
    const auto below = wave_shuffle(Arg(sum, value.where), lane - distance);
    sum = select(lane >= distance, combine(below, sum, how), sum);
  }
  return sum;
}

Value wave_exclusive_scan(Arg value, Combine how) {
  auto& k = detail::kernel_of({&value});
  const auto lane = k.lane();
  const auto below = wave_shuffle(wave_inclusive_scan(value, how), lane - 1);
  return select(lane >= 1, below, neutral(k, below.type(), how));
}

} // namespace twinir
