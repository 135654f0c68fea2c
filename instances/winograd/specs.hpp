// SPDX-License-Identifier: MIT
// The specs of the Winograd stages, and their launches.
#pragma once
// K1 filter transform: U = G g GT. K2a pixel maxima, K2b tile exponents. K2 input transform: V = BT d B. K4
// output transform: Y = AT M A. An item handles `vec` neighbouring channels.
#include "dsl/builder.hpp"
#include "instances/launch.hpp"
#include "instances/winograd/geometry.hpp"

namespace twinir::winograd {

/// Where the exponents of the input tiles come from.
class Prescale {
public:
  enum Kind : std::uint8_t {
    none,  ///< V is not scaled: in range for every f16 input
    split, ///< K2 reads the exponents that K2a and K2b found
    fused  ///< K2 finds them itself and writes them for K4
  };
  constexpr Prescale(Kind kind = none) : kind_(kind) {}
  constexpr operator Kind() const { return kind_; }
  [[nodiscard]] std::string name() const {
    return kind_ == none ? "none" : kind_ == split ? "split" : "fused";
  }
  [[nodiscard]] static const std::vector<Prescale>& all();

private:
  Kind kind_;
};

// Fields that several stages have.
inline void tile_field(Fields& f, Tile& tile) { f("tile", tile, "output tile, rows x columns"); }
inline void prescale_field(Fields& f, Prescale& p) {
  f("prescale", p, "where the exponents of the tiles come from");
}
inline void vec_field(Fields& f, int& vec, const char* doc) {
  f("vec", vec, doc).tag("v").one_of({1, 2, 4, 8});
}
inline void block_field(Fields& f, int& block) {
  f("block", block, "work-items of a group").tag("b").range(64, 1024).multiple_of(64);
}

/// K1. A work-group takes `rows` output channels; block / rows items share the input channels of one.
struct FilterSpec {
  Tile tile;
  DType io = f16;      ///< of the filter
  DType storage = f16; ///< of U
  bool scale = true;   ///< a power of two per output channel brings |U| below 1; K4 undoes it
  int vec = 4;
  int rows = 1;
  int block = 256;

  void reflect(Fields& f) {
    tile_field(f, tile);
    f("io", io, "element type of the filter");
    f("storage", storage, "element type of U").tag("u");
    f("scale", scale, "scales each output channel by a power of two").tag("s");
    vec_field(f, vec, "input channels of a work-item at a time; divides them");
    f("rows", rows, "output channels of a work-group")
        .tag("r")
        .checked_by_family("a power of two, 1 to block");
    block_field(f, block);
  }
};

/// K2a: the largest magnitude over the channels of every pixel. One binary serves all tiles.
struct MaximaSpec {
  DType io = f16;
  int vec = 4;
  int block = 256;

  void reflect(Fields& f) {
    f("io", io, "element type of the activations");
    vec_field(f, vec, "channels of a work-item at a time; divides the channels");
    block_field(f, block);
  }
};

/// K2b: the exponent of every tile, from the maxima of its pixels.
struct ExponentsSpec {
  Tile tile;
  DType io = f16;
  int block = 256;

  void reflect(Fields& f) {
    tile_field(f, tile);
    f("io", io, "element type of the activations");
    block_field(f, block);
  }
};

/// K2, register path: an item transforms a whole tile.
struct InputSpec {
  Tile tile;
  DType io = f16;      ///< of the activations
  DType storage = f16; ///< of V
  Prescale prescale;
  int vec = 4;
  int block = 256;

  void reflect(Fields& f) {
    tile_field(f, tile);
    f("io", io, "element type of the activations");
    f("storage", storage, "element type of V").tag("v");
    prescale_field(f, prescale);
    vec_field(f, vec, "channels of a work-item; divides the channels");
    block_field(f, block);
  }
};

/// K2, LDS path: an item transforms one column of a tile into LDS and, after a barrier, one row. The region
/// of a work-group is `lanes` pieces of `vec` channels wide; it has lanes * max(n_h, n_w) items.
struct InputLdsSpec {
  Tile tile;
  DType io = f16;      ///< of the activations
  DType storage = f16; ///< of V
  Prescale prescale;
  int vec = 4;
  int lanes = 32;

  void reflect(Fields& f) {
    tile_field(f, tile);
    f("io", io, "element type of the activations");
    f("storage", storage, "element type of V").tag("v");
    prescale_field(f, prescale);
    vec_field(f, vec, "channels of a work-item; divides the channels");
    f("lanes", lanes, "pieces of channels that a work-group takes")
        .tag("l")
        .checked_by_family("a power of two; lanes * max(n_h, n_w) from 64 to 1024");
  }
  [[nodiscard]] int block() const { return lanes * tile.longest(); }
};

/// K4.
struct OutputSpec {
  Tile tile;
  DType io = f16;           ///< of the output
  DType m = f32;            ///< of M
  bool tile_scale = false;  ///< undoes the exponents of the tiles
  bool filter_scale = true; ///< undoes the exponents of the output channels
  int vec = 2;
  int block = 256;

  void reflect(Fields& f) {
    tile_field(f, tile);
    f("io", io, "element type of the output");
    f("m", m, "element type of M").tag("m");
    f("tile_scale", tile_scale, "undoes the exponents of the tiles").tag("t");
    f("filter_scale", filter_scale, "undoes the exponents of the output channels").tag("s");
    vec_field(f, vec, "output channels of a work-item; divides them");
    block_field(f, block);
  }
};

/// The widest vector of 1, 2, 4 or 8 channels, at most `most`, that divides `channels`.
[[nodiscard]] int widest_vector(std::int64_t channels, int most);

// What the fields alone do not show.
void check(const FilterSpec& spec, const Target& target, Refusals& out);
void check(const MaximaSpec& spec, const Target& target, Refusals& out);
void check(const ExponentsSpec& spec, const Target& target, Refusals& out);
void check(const InputSpec& spec, const Target& target, Refusals& out);
void check(const InputLdsSpec& spec, const Target& target, Refusals& out);
void check(const OutputSpec& spec, const Target& target, Refusals& out);

// Launches refuse what the binary cannot serve, whoever calls them: see geometry(), vector_width,
// unsupported_dtype and channels_too_wide. `layout` must be the same for all stages.
[[nodiscard]] Launch launch(const FilterSpec& spec, const conv::ConvProblem& problem,
                            const Layout& layout = {});
[[nodiscard]] Launch launch(const MaximaSpec& spec, const conv::ConvProblem& problem,
                            const Layout& layout = {});
[[nodiscard]] Launch launch(const ExponentsSpec& spec, const conv::ConvProblem& problem,
                            const Layout& layout = {});
[[nodiscard]] Launch launch(const InputSpec& spec, const conv::ConvProblem& problem,
                            const Layout& layout = {});
[[nodiscard]] Launch launch(const InputLdsSpec& spec, const conv::ConvProblem& problem,
                            const Layout& layout = {});
[[nodiscard]] Launch launch(const OutputSpec& spec, const conv::ConvProblem& problem,
                            const Layout& layout = {});

[[nodiscard]] KernelDef build_filter(const FilterSpec& spec, const Target& target,
                                     const KernelIdentity& name);
[[nodiscard]] KernelDef build_maxima(const MaximaSpec& spec, const Target& target,
                                     const KernelIdentity& name);
[[nodiscard]] KernelDef build_exponents(const ExponentsSpec& spec, const Target& target,
                                        const KernelIdentity& name);
[[nodiscard]] KernelDef build_input(const InputSpec& spec, const Target& target, const KernelIdentity& name);
[[nodiscard]] KernelDef build_input_lds(const InputLdsSpec& spec, const Target& target,
                                        const KernelIdentity& name);
[[nodiscard]] KernelDef build_output(const OutputSpec& spec, const Target& target,
                                     const KernelIdentity& name);

} // namespace twinir::winograd
