// SPDX-License-Identifier: MIT
#include "instances/winograd/registers.hpp"

namespace twinir::winograd {
namespace {

// What the estimates do not count: offsets, temporaries, and what the loops of the fused forms keep.
constexpr int addressing = 32, loops = 24;
int fixed(bool fused) { return addressing + (fused ? loops : 0); }
constexpr int taps = 3;

} // namespace

int registers(const FilterSpec& s) {
  // Two rows of three columns, the taps of one column in storage, a row of results.
  // Where lanes of a wave have rows of their own, so have the offsets of the taps.
  const int offsets = s.block / s.rows < 64 ? 2 * taps * taps * 4 : 0;
  return (2 * taps + taps * taps / 2 + s.tile.n_w()) * s.vec + fixed(false) + 12 + offsets;
}

int registers(const InputSpec& s) {
  // Two rows of a row group, and the pixels of two columns in storage.
  return 2 * s.tile.n_w() * s.vec + s.tile.n_h() * s.vec + fixed(s.prescale == Prescale::fused);
}

int registers(const InputLdsSpec& s) {
  // A column of pixels in storage and in f32; a row and its results.
  const int column = s.tile.n_h() * s.vec * 3 / 2, row = 2 * s.tile.n_w() * s.vec;
  return (column > row ? column : row) + fixed(s.prescale == Prescale::fused);
}

int registers(const OutputSpec& s) {
  // The outputs, two rows of M transformed horizontally and their sum, and a row in flight.
  return (s.tile.m_h() * s.tile.m_w() + 3 * s.tile.m_w() + s.tile.n_w()) * s.vec + fixed(false);
}

std::int64_t lds_bytes(const InputLdsSpec& s) {
  const std::int64_t region = std::int64_t{s.tile.bins()} * s.vec * s.lanes,
                     partial = s.prescale == Prescale::fused ? s.block() : 0;
  return (region + partial) * 4;
}

} // namespace twinir::winograd
