// SPDX-License-Identifier: MIT
// VerifyLaunch: the buffers and arguments of one verified launch, in terms of doubles.
#pragma once
//   VerifyLaunch launch(subject);
//   launch.input("x", Scalar::f16, values);
//   launch.output("y", Scalar::f32, count);
//   launch.run({{"n", std::int64_t{1000}}}, {4, 1, 1});
//   launch.read("y")[3];
#include "instances/kernarg.hpp"
#include "runtime/verify/verify.hpp"

#include <array>
#include <map>
#include <vector>

namespace twinir {

class VerifyLaunch {
public:
  explicit VerifyLaunch(const VerifySubject& subject) : subject_(subject) {}

  /// A buffer that holds these values, rounded to nearest even; gives them back as they were rounded.
  std::vector<double> input(const std::string& name, Scalar type, const std::vector<double>& values);
  /// A buffer of integers: i32, or the low bits of them.
  void input(const std::string& name, const std::vector<std::int32_t>& values, Scalar type = Scalar::i32);
  /// A buffer of poison.
  void output(const std::string& name, Scalar type, std::size_t count);
  /// Launches with the buffers added to the arguments; throws UserError for the first fault.
  void run(Kernargs args, std::array<std::uint32_t, 3> grid) const;
  [[nodiscard]] std::vector<double> read(const std::string& name) const;
  /// Of a buffer of i16 or i32, as unsigned numbers cut to 32 bits.
  [[nodiscard]] std::vector<std::int32_t> read_integers(const std::string& name) const;
  /// Whether element `i` still has its first bits of poison.
  [[nodiscard]] bool is_poison(const std::string& name, std::size_t i) const;

private:
  struct Elements {
    host::Buffer memory;
    Scalar type;
  };
  std::map<std::string, Elements> buffers_;
  const VerifySubject& subject_;
};

/// n small values of both signs that every float type holds exactly: multiples of `step` up to 9 steps.
[[nodiscard]] std::vector<double> small_values(std::size_t n, double step);
/// The largest error of a rounding to the type, relative to the result.
[[nodiscard]] double rounding_error(Scalar type);
/// The larger of `error` and the error of this value; infinity when that is NaN.
[[nodiscard]] double worse(double error, double value, double reference, double scale);
/// The element type in a field of a spec.
[[nodiscard]] Scalar type_in(const Json& spec, const char* field);

} // namespace twinir
