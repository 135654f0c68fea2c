// SPDX-License-Identifier: MIT
// The specs of the Winograd transforms, and their launches.
#pragma once
// K1 filter transform: U = G g GT. K2 input transform: V = BT d B. K4 output transform: Y = AT M A.
// Each item handles `vec` neighbouring channels of one tile (K1: of one output channel).
#include "instances/launch.hpp"
#include "instances/winograd/tile.hpp"

namespace twinir::winograd {

/// The fields that all three transforms share.
struct TransformSpec {
  Tile tile;           ///< output tile
  DType dtype = f16;   ///< of activations, filters, U and V
  int vec = 4;         ///< channels of an item
  int block = 256;     ///< work-items of a group

  void reflect(Fields& f) {
    f("tile", tile, "output tile; bins = (m + 2)^2");
    f("dtype", dtype, "element type of activations, filters, U and V");
    f("vec", vec, "channels of a work-item; divides the channels").tag("v").one_of({1, 2, 4, 8});
    f("block", block, "work-items of a group").tag("b").range(64, 1024).multiple_of(64);
  }
};
struct FilterSpec : TransformSpec {};
struct InputSpec : TransformSpec {};
struct OutputSpec : TransformSpec {};

/// The widest vector of 1, 2, 4 or 8 channels, at most `most`, that divides `channels`.
[[nodiscard]] int widest_vector(std::int64_t channels, int most);

// Launches refuse what the binary cannot serve, whoever calls them: see geometry(), and vector_width.
[[nodiscard]] Launch launch(const FilterSpec& spec, const conv::ConvProblem& problem);
[[nodiscard]] Launch launch(const InputSpec& spec, const conv::ConvProblem& problem);
[[nodiscard]] Launch launch(const OutputSpec& spec, const conv::ConvProblem& problem);

[[nodiscard]] KernelDef build_filter(const FilterSpec& spec, const Target& target, const std::string& name);
[[nodiscard]] KernelDef build_input(const InputSpec& spec, const Target& target, const std::string& name);
[[nodiscard]] KernelDef build_output(const OutputSpec& spec, const Target& target, const std::string& name);

} // namespace twinir::winograd
