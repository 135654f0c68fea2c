// SPDX-License-Identifier: MIT
#include "instances/winograd/tile.hpp"

namespace twinir::winograd {

const std::vector<Tile>& Tile::all() {
  static const auto tiles = [] {
    std::vector<Tile> list;
    for (int m_h : {2, 4, 6})
      for (int m_w : {2, 4, 6}) list.emplace_back(m_h, m_w);
    return list;
  }();
  return tiles;
}

} // namespace twinir::winograd
