// SPDX-License-Identifier: MIT
// How far a Winograd convolution may be from the exact one.
#pragma once
// Sources: the relative L2 goal is a model of the roundings (docs/accuracy.md), 13 % above it; the maximum
// goal is 1.5 times the worst of 590,000 simulated outputs. Both for N(0,1) or ReLU inputs and any scale of
// inputs and filters whose outputs are normal numbers of the output's type.
#include "instances/winograd/geometry.hpp"

namespace twinir {

struct AccuracyGoal {
  double max_relative = 0; ///< of max|out - ref| / max(max|ref|, 1)
  double l2_relative = 0;  ///< of |out - ref|_2 / |ref|_2
};

/// `io`: of x, f and y; `storage`: of U and V; `m`: of M.
[[nodiscard]] AccuracyGoal accuracy_goal(winograd::Tile tile, DType io, DType storage, DType m);

/// The root mean square gain of a relative rounding error of U or V in a 1-D F(m,3); those of the two
/// directions multiply.
[[nodiscard]] double rounding_gain(int m);

} // namespace twinir
