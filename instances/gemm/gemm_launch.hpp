// SPDX-License-Identifier: MIT
// Grid, block and arguments of a batched GEMM, and which spec serves a problem.
#pragma once
// Refuses with UserErrors specs that the target refuses, and what the binary cannot serve: other element
// types, extents below 1, leading dimensions and bin strides that are no multiple of 8 or too small, rows
// that share elements, tiles and grids whose indices do not fit.
#include "instances/gemm/gemm_spec.hpp"
#include "instances/launch.hpp"

namespace twinir::gemm {

/// M[b][t][n] = sum over c of V[b][t][c] * U[b][n][c], for b < bins, t < t, n < k.
/// Row r of bin b of V starts at element b * stride_v + r * ldv; U and M likewise. Bins lie one behind the
/// other (stride >= rows * ld) or inside the rows (ld >= bins * stride: V[t][bin][c]). Elements [c, c rounded
/// up to 8) of V and U are 0.
struct GemmProblem {
  DType in = f16, out = f32;
  std::int64_t bins = 1, t = 1, k = 1, c = 1;
  std::int64_t ldv = 8, ldu = 8, ldm = 1;                ///< elements from one row to the next
  std::int64_t stride_v = 8, stride_u = 8, stride_m = 1; ///< elements from one bin to the next

  /// The problem with the smallest leading dimensions, bin behind bin; those of M are multiples of 8 for
  /// whole stores.
  [[nodiscard]] static GemmProblem packed(std::int64_t bins, std::int64_t t, std::int64_t k, std::int64_t c,
                                          DType in = f16);
};

/// Throws the first refusal.
[[nodiscard]] Launch launch(const GemmSpec& spec, const GemmProblem& problem, const Target& target);

/// The tile that suits a problem on a target (README.md has the reasons).
[[nodiscard]] GemmSpec default_spec(const GemmProblem& problem, const Target& target);
/// Everything that default_spec can choose on a target, for all element types: the grid to build ahead of
/// time.
[[nodiscard]] std::vector<GemmSpec> recommended(const Target& target);

} // namespace twinir::gemm
