// SPDX-License-Identifier: MIT
// The spec of the batched GEMM: what one binary is specialised for. Every extent is a kernel argument.
#pragma once
// Guarantees: a spec that `check` accepts compiles for its target without spills (tests/numeric/gemm_test.cpp
// tries it). Refuses, with codes: other targets, element types without a matrix instruction, tiles that waves
// cannot share, work-groups, LDS tiles or accumulators that are too large.
#include "instances/spec.hpp"

#include <compare>

namespace twinir::gemm {

/// How a tile goes from global memory to LDS, and fragments from LDS to registers.
class Staging {
public:
  enum Kind : std::uint8_t {
    registers,   ///< global -> registers -> LDS, two buffers
    async,       ///< asynchronous copies, `stages` buffers; fragments are read right before use
    async_double ///< the same, fragments of the next slice are read while the present one multiplies
  };
  constexpr Staging(Kind kind = registers) : kind_(kind) {}
  constexpr operator Kind() const { return kind_; }
  [[nodiscard]] std::string name() const;
  [[nodiscard]] static const std::vector<Staging>& all();

private:
  Kind kind_;
};

/// M[b][t][n] = sum over c of V[b][t][c] * U[b][n][c].
struct GemmSpec {
  DType in = f16;   ///< V and U
  DType out = f32;  ///< M
  int block_t = 64; ///< rows of M per work-group
  int block_n = 64; ///< columns of M per work-group
  int k_step = 64;  ///< depth of a tile in LDS
  int waves_t = 2;  ///< waves side by side along t
  int waves_n = 2;  ///< waves side by side along n
  Staging staging = Staging::registers;
  int stages = 2; ///< LDS buffers

  friend bool operator==(const GemmSpec&, const GemmSpec&) = default;
  void reflect(Fields& f) {
    f("in", in, "element type of v and u: f16 or bf16");
    f("out", out, "element type of m: f32 or f16");
    f("block_t", block_t, "rows of m per work-group").tag("t").one_of({64, 128, 256});
    f("block_n", block_n, "columns of m per work-group").tag("n").one_of({64, 128, 256});
    f("k_step", k_step, "depth of a tile in LDS").tag("k").one_of({32, 64});
    f("waves_t", waves_t, "waves side by side along t").tag("wt").one_of({1, 2, 4, 8});
    f("waves_n", waves_n, "waves side by side along n").tag("wn").one_of({1, 2, 4, 8});
    f("mode", staging, "how tiles go to LDS and fragments to registers");
    f("stages", stages, "LDS buffers").tag("s").range(2, 8);
  }
};

/// Refusals beyond single fields.
void check(const GemmSpec& spec, const Target& target, Refusals& out);

} // namespace twinir::gemm
