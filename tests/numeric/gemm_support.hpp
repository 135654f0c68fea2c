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
  Json spec;
  gemm::GemmSpec parsed;
  KernelDef kernel;
  std::string ir;
};
[[nodiscard]] Emitted emit(const Json& spec);

/// V and U as bits and as numbers. Elements behind c are 0 up to the next multiple of 8 and NaN from there
/// on.
struct Operand {
  std::vector<std::uint16_t> bits;
  std::vector<double> numbers;
};

struct Data {
  gemm::GemmProblem problem;
  Operand v, u;
};
[[nodiscard]] Data make_data(const gemm::GemmProblem& problem, unsigned seed);

struct Outcome {
  host::LaunchReport report;
  std::vector<float> m; ///< as the kernel left it; bytes that nobody wrote are 0xFF
};
/// Runs `ir` in checked mode on buffers that have exactly the size the problem needs.
[[nodiscard]] Outcome run(const Emitted& kernel, const std::string& ir, const Data& data,
                          unsigned lane_order = 0);

/// Empty when M is right: |error| <= 2e-6 * sum |v * u|, and columns from k to ldm are untouched.
[[nodiscard]] std::string first_difference(const Data& data, const std::vector<float>& m);

/// `text` without the lines that contain `what`; fails the test when there are none.
[[nodiscard]] std::string without_lines(const std::string& text, const std::string& what);

} // namespace twinir::gemm_test
