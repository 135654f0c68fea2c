// SPDX-License-Identifier: MIT
// How far a Winograd convolution may be from the exact one.
#pragma once
// Sources: the relative L2 goal is a model of the roundings (docs/accuracy.md), 13 % above it, and more where
// the outputs are few; the maximum goal is 1.5 times the worst of 590,000 simulated outputs, and twice that
// where less than 5 channels add up: nothing averages out there. For inputs of one scale in a tile, N(0,1) or
// ReLU, times anything that leaves the outputs normal numbers.
#include "instances/winograd/geometry.hpp"

namespace twinir {

struct AccuracyGoal {
  double max_relative = 0; ///< of max|out - ref| / max(max|ref|, 1)
  double l2_relative = 0;  ///< of |out - ref|_2 / |ref|_2
};

/// The table of docs/accuracy.md and the model, without allowance for small samples and few channels.
[[nodiscard]] AccuracyGoal published_goal(const conv::ConvProblem& problem, winograd::Tile tile, DType storage,
                                          DType m);
/// `storage`: of U and V; `m`: of M. What F(tile) is to reach on this problem.
[[nodiscard]] AccuracyGoal accuracy_goal(const conv::ConvProblem& problem, winograd::Tile tile, DType storage,
                                         DType m);

/// The root mean square gain of a relative rounding error of U or V in a 1-D F(m,3) that gives `outputs`
/// outputs; those of the two directions multiply.
[[nodiscard]] double rounding_gain(int m, std::int64_t outputs);

} // namespace twinir
