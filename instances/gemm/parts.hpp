// SPDX-License-Identifier: MIT
// What every loop of the GEMM is made of: addresses, copies to LDS, fragments, products, stores.
#pragma once
#include "dsl/builder.hpp"
#include "instances/gemm/tile.hpp"

namespace twinir::gemm {

using Values = KernelBuilder::Values;

struct Arguments {
  Pointer v, u, m;
  Value t, k, c, ldv, ldu, ldm, stride_v, stride_u, stride_m;

  static Arguments declare(KernelBuilder& b, const GemmSpec& spec);
};

/// Fragments of one slice: A from rows of U, B from rows of V.
struct Fragments {
  Values a, b;
};

/// Where the work-group, the wave and the item stand.
struct Place {
  Value bin, t0, n0;        ///< of the tile of the work-group; bin is i64
  Value last_row, last_col; ///< the last valid row and column of the tile, counted from t0 and n0
  Value wave_t, wave_n;     ///< first row and column of the wave in the tile
  Value matrix_row;         ///< of the item in a fragment
  Value half;               ///< 0 or 1: which half of the wave

  static Place find(KernelBuilder& b, const GemmSpec& spec, const TileFacts& facts, const Arguments& args);
};

/// The tile of one work-group. The caller decides when each part runs.
class GemmParts {
public:
  GemmParts(KernelBuilder& builder, const GemmSpec& spec);

  [[nodiscard]] const TileFacts& facts() const { return facts_; }
  /// Steps along c; the first one takes the last columns, so that all others are whole.
  [[nodiscard]] Value steps() const { return steps_; }
  /// Bytes by which a step moves along c.
  [[nodiscard]] int step_bytes() const { return facts_.row_bytes; }

  // Copies. `offsets`: one byte offset per pass, into V and then into U.
  [[nodiscard]] Values offsets(int step) const; ///< of step `step`, 1 or more
  [[nodiscard]] Values advance(const Values& offsets) const;
  /// Step 0 in registers; columns behind c are 0.
  [[nodiscard]] Values load_first() const;
  [[nodiscard]] Values load(const Values& offsets) const;
  void write(const Values& pieces, Arg buffer) const;
  /// Step 0 into buffer 0, and zeros for columns behind c.
  void copy_first() const;
  /// The copies of a step, one action each, to be spread between other instructions.
  [[nodiscard]] std::vector<KernelBuilder::Body> copies(const Values& offsets, const Value& buffer) const;

  // Products.
  [[nodiscard]] Values zero_sums() const;
  [[nodiscard]] Value fragment_a(const Value& buffer, int slice, int i) const;
  [[nodiscard]] Value fragment_b(const Value& buffer, int slice, int j) const;
  [[nodiscard]] Fragments fragments(const Value& buffer, int slice) const;
  /// sums + A * B; `between(done)` runs after each product.
  [[nodiscard]] Values multiply(const Fragments& f, Values sums,
                                const std::function<void(int done)>& between = {}) const;
  /// sums + the product of all slices of a buffer.
  [[nodiscard]] Values multiply_buffer(const Value& buffer, Values sums) const;

  void store(const Values& sums) const;

private:
  [[nodiscard]] bool async() const { return spec_.staging != Staging::registers; }
  void locate_copies();
  void bias_copies();
  void locate_fragments();
  [[nodiscard]] Value source_offset(int pass) const;
  [[nodiscard]] Pointer source(int pass) const { return pass < facts_.passes_v ? v_ : u_; }
  [[nodiscard]] Value fragment(const Value& buffer, const Values& bases, int slice, int row) const;
  /// A sum as M holds it.
  [[nodiscard]] Value result(const Value& sum) const;
  void store_rows(const Values& sums, int j, const Value& whole) const;
  void store_scalars(const Pointer& row, const Value& column, const Values& sums, int j) const;
  [[nodiscard]] std::size_t at(int i, int j) const {
    return static_cast<std::size_t>(i * facts_.matrices_t + j);
  }

  KernelBuilder& b_;
  GemmSpec spec_;
  TileFacts facts_;
  Arguments args_;
  Place place_;
  Value steps_, tail_, tail_valid_; ///< tail_: first column of step 0; tail_valid_: does this item's piece
                                    ///< hold columns below c
  Pointer lds_, v_, u_, m_;         ///< bytes; v_, u_ and m_ of this tile
  Values source_;                   ///< byte offset of each pass at column 0
  Value lds_piece_;                 ///< byte of this item's piece in a buffer
  Values base_a_, base_b_; ///< byte of the item's first pieces in a buffer, one per piece of a fragment
};

} // namespace twinir::gemm
