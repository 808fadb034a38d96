#pragma once
// How the nodes of a pool are dealt to the thread blocks of a launch.

#include <cstdint>
#include <span>
#include <vector>

#include "exec/node.hpp"

namespace watersmeet::exec {

// Threads of a block of the direct schedule. Other sizes have not been tried.
constexpr int node_tile_size = 128;

// So many neighbouring nodes of a block, the last tile of a block fewer.
struct NodeTile {
  std::int32_t block = 0, first = 0;
};

inline std::vector<NodeTile> node_tiles(std::span<const NodeBlock> blocks) {
  std::vector<NodeTile> tiles;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const int nodes = blocks[b].n[0] * blocks[b].n[1] * blocks[b].n[2];
    for (int first = 0; first < nodes; first += node_tile_size) {
      tiles.push_back({static_cast<std::int32_t>(b), first});
    }
  }
  return tiles;
}

// The order of all directions of all blocks that have more than one node, or 0 where they differ.
inline int uniform_order(std::span<const NodeBlock> blocks) {
  int order = 0;
  for (const NodeBlock& b : blocks) {
    for (const int one : b.order) {
      if (one == 0) continue;
      if (order != 0 && one != order) return 0;
      order = one;
    }
  }
  return order;
}

}  // namespace watersmeet::exec
