#pragma once
// How the nodes of a pool are assigned to the thread blocks of a launch.

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "exec/node.hpp"

namespace watersmeet::exec {

// Threads of a block of the direct schedule that visits nodes.
constexpr int node_tile_size = 128;
// The most that a tile may have.
constexpr int largest_node_tile = 512;

// A brick of neighbouring nodes of a block, at most one for each thread of a thread block: what its
// nodes need of each other is read from the first-level cache.
struct NodeTile {
  std::int32_t block = 0;
  std::int32_t first[3] = {0, 0, 0}, size[3] = {1, 1, 1};
  // Inverses of size[0] and size[1]: x divided by one of them is x times this over 2^20, for x below
  // largest_node_tile.
  std::uint32_t inverse[2] = {0, 0};
  // Its nodes on faces in a list of FaceNode.
  std::int32_t first_side = 0, sides = 0;
};

// A node of a tile on faces of its block, and what it has to do with them: entries `first` to
// `last` - 1 of a list of the body's own.
struct FaceNode {
  std::int32_t thread = 0;  // that the node falls to
  std::int32_t first = 0, last = 0;
};

// Indices in its block of the node that falls to a thread; false where none does.
WM_HD bool node_of_tile(const NodeTile& tile, int thread, int (&index)[3]) {
  const auto quotient = [](int x, std::uint32_t inverse) {
    return static_cast<int>(static_cast<std::uint32_t>(x) * inverse >> 20);
  };
  const int row = quotient(thread, tile.inverse[0]), k = quotient(row, tile.inverse[1]);
  index[0] = tile.first[0] + thread - row * tile.size[0];
  index[1] = tile.first[1] + row - k * tile.size[1];
  index[2] = tile.first[2] + k;
  return k < tile.size[2];
}

// Into how many bricks each axis of a block is cut, so that few threads idle and few nodes lie
// beside bricks.
inline std::array<int, 3> brick_plan(const int (&n)[3], bool rows, int threads) {
  // Numbers read beside a brick in those that a thread costs, with stencils of one or two nodes on
  // each side; neighbours along i come by sectors of four. `rows`: of loops that stream, which care
  // about the ends of rows alone.
  const double beside = rows ? 0 : 0.75, beside_i = rows ? 8 : 1.5;
  const auto cut = [](int length, int parts) { return (length + parts - 1) / parts; };
  std::array<int, 3> best{};
  double least = 0;
  for (int a = 1; a <= n[0]; ++a) {
    const int w = cut(n[0], a);
    if (w > threads || (a > 1 && w < 4)) continue;
    for (int b = 1; b <= n[1]; ++b) {
      const int h = cut(n[1], b);
      if (w * h > threads) continue;
      const int c = cut(n[2], std::min(threads / (w * h), n[2])), d = cut(n[2], c);
      const double faces =
          beside_i * h * d * (n[0] > 1) + beside * w * d * (n[1] > 1) + beside * w * h * (n[2] > 1);
      const double cost = double(a) * b * c * (threads + faces);
      if (least == 0 || cost < least) {
        least = cost;
        best = {a, b, c};
      }
    }
  }
  return best;
}

inline std::vector<NodeTile> node_tiles(std::span<const NodeBlock> blocks, bool rows = false,
                                        int threads = node_tile_size) {
  std::vector<NodeTile> tiles;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const std::array<int, 3> parts = brick_plan(blocks[b].n, rows, threads);
    const auto begin = [&](std::size_t axis, int part) {
      return static_cast<std::int32_t>(std::int64_t{blocks[b].n[axis]} * part / parts[axis]);
    };
    for (int k = 0; k < parts[2]; ++k) {
      for (int j = 0; j < parts[1]; ++j) {
        for (int i = 0; i < parts[0]; ++i) {
          NodeTile tile;
          tile.block = static_cast<std::int32_t>(b);
          const int part[3] = {i, j, k};
          for (std::size_t a = 0; a < 3; ++a) {
            tile.first[a] = begin(a, part[a]);
            tile.size[a] = begin(a, part[a] + 1) - tile.first[a];
          }
          for (std::size_t a = 0; a < 2; ++a) {
            tile.inverse[a] = (1u << 20) / static_cast<std::uint32_t>(tile.size[a]) + 1;
          }
          tiles.push_back(tile);
        }
      }
    }
  }
  return tiles;
}

// Threads of a thread block that have nodes of a tile, and more of them for what its nodes on faces
// add (exec/node_joined_cuda.hpp).
struct JoinedThreads {
  int tile = node_tile_size, more = 0;
};

// Lists the nodes of tiles that lie on faces, tile after tile; entries(node) says which entries the
// node of a pool has, as a pair of numbers.
template <class Entries>
std::vector<FaceNode> face_nodes(std::span<const NodeBlock> blocks, std::span<NodeTile> tiles,
                                 const Entries& entries) {
  std::vector<FaceNode> all;
  for (NodeTile& tile : tiles) {
    tile.first_side = static_cast<std::int32_t>(all.size());
    const int threads = tile.size[0] * tile.size[1] * tile.size[2];
    for (int thread = 0; thread < threads; ++thread) {
      int index[3];
      node_of_tile(tile, thread, index);
      const NodeBlock* const block = &blocks[static_cast<std::size_t>(tile.block)];
      const NodePoint p = node_point(block, index[0], index[1], index[2]);
      if (!p.on_face()) continue;
      const auto [first, last] = entries(p.node);
      all.push_back({thread, first, last});
    }
    tile.sides = static_cast<std::int32_t>(all.size()) - tile.first_side;
  }
  return all;
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
