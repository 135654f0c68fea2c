// SPDX-License-Identifier: MIT
// Problems, data and the reference for the tests of the batched GEMM.
#pragma once
#include "instances/family.hpp"
#include "instances/gemm/gemm_launch.hpp"
#include "runtime/host_executor.hpp"

#include <string>
#include <vector>

namespace twinir::gemm_test {

/// One spec, built and emitted for LLVM 22.
struct Emitted {
  std::string target;
  Json spec;
  gemm::GemmSpec parsed;
  KernelDef kernel;
  std::string ir;
};
[[nodiscard]] Emitted emit(const Json& spec, const std::string& target = "gfx1250");

/// Where the rows of one argument lie, in elements.
struct Rows {
  std::int64_t bins, stride, rows, ld, length;

  [[nodiscard]] std::size_t at(std::int64_t bin, std::int64_t row, std::int64_t column = 0) const {
    return static_cast<std::size_t>(bin * stride + row * ld + column);
  }
  /// Elements up to the end of the last row.
  [[nodiscard]] std::size_t extent() const { return at(bins - 1, rows - 1, length); }
};

/// V and U as bits and as numbers. Elements behind c are 0 up to the next multiple of 8; everything that no
/// row covers is NaN.
struct Operand {
  Rows rows;
  std::vector<std::uint16_t> bits;
  std::vector<double> numbers;
};

struct Data {
  gemm::GemmProblem problem;
  Operand v, u;
  [[nodiscard]] Rows m() const { return {problem.bins, problem.stride_m, problem.t, problem.ldm, problem.k}; }
};
[[nodiscard]] Data make_data(const gemm::GemmProblem& problem, unsigned seed);

struct Outcome {
  host::LaunchReport report;
  std::vector<std::uint32_t> m; ///< bits of each element; bytes that nobody wrote are 0xFF
};
/// Runs `ir` in checked mode on buffers that have exactly the size the problem needs.
[[nodiscard]] Outcome run(const Emitted& kernel, const std::string& ir, const Data& data,
                          unsigned lane_order = 0);

/// Empty when M is right: |error| <= 2e-6 * sum |v * u| and half a unit of f16 where M is f16, and everything
/// between the rows is untouched.
[[nodiscard]] std::string first_difference(const Data& data, const std::vector<std::uint32_t>& m);

/// `text` without the lines that contain `what`; fails the test when there are none.
[[nodiscard]] std::string without_lines(const std::string& text, const std::string& what);

} // namespace twinir::gemm_test
