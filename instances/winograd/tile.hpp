// SPDX-License-Identifier: MIT
// Winograd tiles: which outputs one tile gives and which inputs it needs.
#pragma once
#include "instances/spec.hpp"

namespace twinir::winograd {

/// Output tile m_h x m_w of F(m_h x m_w, 3 x 3); each side is 2, 4 or 6.
class Tile {
public:
  constexpr Tile(int m = 4) : m_h_(m), m_w_(m) {}
  constexpr Tile(int m_h, int m_w) : m_h_(m_h), m_w_(m_w) {}
  [[nodiscard]] int m_h() const { return m_h_; }     ///< rows of outputs
  [[nodiscard]] int m_w() const { return m_w_; }     ///< columns of outputs
  [[nodiscard]] int n_h() const { return m_h_ + 2; } ///< rows of inputs
  [[nodiscard]] int n_w() const { return m_w_ + 2; } ///< columns of inputs
  [[nodiscard]] int bins() const { return n_h() * n_w(); }
  [[nodiscard]] int longest() const { return n_h() > n_w() ? n_h() : n_w(); } ///< the larger of n_h and n_w
  [[nodiscard]] std::string name() const { return "f" + std::to_string(m_h_) + "x" + std::to_string(m_w_); }
  [[nodiscard]] static const std::vector<Tile>& all(); ///< all nine
  friend bool operator==(const Tile&, const Tile&) = default;

private:
  int m_h_, m_w_;
};

} // namespace twinir::winograd
