// SPDX-License-Identifier: MIT
// The examples that work by waves against plain arithmetic: rows shorter and longer than a group, and behind
// the end.
#include "runtime/verify/launch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace twinir {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::uint32_t rows = 3;
constexpr double smallest = 0x1p-14; // of the normal numbers of f16: below, errors are not relative

/// Lengths of rows: one element, a part of a group, several rounds and a rest.
std::vector<std::size_t> lengths(const KernelDef& kernel) {
  const auto items = static_cast<std::size_t>(kernel.items());
  return {1, items / 2 + 3, 2 * items + 5};
}

/// Calls right(row, element) for every element of `y`, which must end where the rows end.
template <class Right>
double row_errors(const VerifyLaunch& launch, std::size_t columns, const Right& right) {
  const auto y = launch.read("y");
  double error = launch.is_poison("y", rows * columns) ? 0 : infinity;
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t i = 0; i < columns; ++i) {
      const double reference = right(row, i);
      error = worse(error, y[row * columns + i], reference, std::max(std::abs(reference), smallest));
    }
  return error;
}

double softmax_error(const VerifySubject& subject, std::size_t columns) {
  VerifyLaunch launch(subject);
  const auto x = launch.input("x", type_in(subject.spec, "dtype"), small_values(rows * columns, 0.5));
  launch.output("y", type_in(subject.spec, "out"), rows * columns + 1);
  launch.run({{"columns", static_cast<std::int64_t>(columns)}}, {rows, 1, 1});
  return row_errors(launch, columns, [&](std::size_t row, std::size_t i) {
    double sum = 0;
    for (std::size_t j = 0; j < columns; ++j) sum += std::exp(x[row * columns + j] - x[row * columns + i]);
    return 1 / sum;
  });
}

double rms_error(const VerifySubject& subject, std::size_t columns) {
  constexpr double eps = 0x1p-20;
  const auto type = type_in(subject.spec, "dtype");
  VerifyLaunch launch(subject);
  const auto x = launch.input("x", type, small_values(rows * columns, 0.5));
  const auto weight = launch.input("weight", type, small_values(columns, 0.25));
  launch.output("y", type, rows * columns + 1);
  launch.run({{"columns", static_cast<std::int64_t>(columns)}, {"eps", eps}}, {rows, 1, 1});
  std::vector<double> scale(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    double squares = 0;
    for (std::size_t j = 0; j < columns; ++j) squares += x[row * columns + j] * x[row * columns + j];
    scale[row] = 1 / std::sqrt(squares / static_cast<double>(columns) + eps);
  }
  return row_errors(launch, columns, [&](std::size_t row, std::size_t i) {
    return x[row * columns + i] * scale[row] * weight[i];
  });
}

template <class Error> double over_lengths(const VerifySubject& subject, const Error& error) {
  double worst = 0;
  for (const auto columns : lengths(subject.kernel)) worst = std::max(worst, error(subject, columns));
  return worst;
}

/// The buffer as numbers, whichever of i32 and f32 it holds.
std::vector<double> numbers(const VerifyLaunch& launch, const std::string& name, bool integers) {
  if (!integers) return launch.read(name);
  const auto read = launch.read_integers(name);
  return {read.begin(), read.end()};
}

} // namespace

// In f32: the argument of exp2 is up to 13 and rounded, sums add up roundings of every round and wave.
Verification verify_row_softmax(const VerifySubject& subject) {
  return {over_lengths(subject, softmax_error), 4e-6 + rounding_error(type_in(subject.spec, "out"))};
}

Verification verify_rms_norm(const VerifySubject& subject) {
  return {over_lengths(subject, rms_error), 2e-6 + rounding_error(type_in(subject.spec, "dtype"))};
}

Verification verify_block_scan(const VerifySubject& subject) {
  const auto block = static_cast<std::size_t>(subject.kernel.items()), n = 2 * block + 7;
  const bool inclusive = subject.spec.at("inclusive").get<bool>(),
             integers = subject.spec.at("dtype") == "i32";
  const auto type = integers ? Scalar::i32 : Scalar::f32;
  const auto x = small_values(n, 1); // whole numbers: exact in both types
  VerifyLaunch launch(subject);
  if (integers)
    launch.input("x", std::vector<std::int32_t>(x.begin(), x.end()));
  else
    (void)launch.input("x", type, x);
  launch.output("out", type, n + 1), launch.output("totals", type, rows);
  launch.run({{"n", static_cast<std::int64_t>(n)}}, {rows, 1, 1});
  const auto out = numbers(launch, "out", integers), totals = numbers(launch, "totals", integers);
  Verification result{launch.is_poison("out", n) ? 0 : infinity, 0};
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (i % block == 0) sum = 0;
    const double before = sum;
    sum += x[i];
    result.error = worse(result.error, out[i], inclusive ? sum : before, 1);
    if (i % block == block - 1 || i == n - 1) result.error = worse(result.error, totals[i / block], sum, 1);
  }
  return result;
}

} // namespace twinir
