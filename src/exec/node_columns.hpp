#pragma once
// How the columns of a pool are assigned to the thread blocks of the marching schedule
// (node_march.hpp): blocks are cut into tiles of columns, a thread each, and all planes of all
// tiles make one list, of which every thread block takes an equal share, so that every
// multiprocessor has as much to do:
//
//   tile 0: planes 0 1 2 ... n - 1 | tile 1: planes 0 1 ...| tile 2 ...
//   |---- thread block 0 ----|---- thread block 1 ----|---- ...

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "exec/node.hpp"

namespace watersmeet::exec {

constexpr int march_threads = 256;
// Columns beside a tile. With as many, two thread blocks leave a multiprocessor 60 KiB of cache.
constexpr int march_beside = 126;

// Columns of a block, at most one for each thread.
struct MarchTile {
  std::int32_t block = 0;
  std::int32_t first[2] = {0, 0}, size[2] = {1, 1};
  std::int32_t planes = 0;       // of the block
  std::int32_t cost = 1;         // of a plane
  std::int64_t work_before = 0;  // of the tiles before it

  // What it costs to begin with a tile: its first copies are waited for, and two more planes give
  // fluxes along the columns.
  static constexpr int beginning = 800;

  // The first plane whose work begins at `work` or later.
  WM_HD int plane_at(std::int64_t work) const {
    const std::int64_t from = work - work_before - beginning;
    if (from <= 0) return 0;
    const std::int64_t all = std::int64_t{cost} * planes;
    return from >= all ? planes : static_cast<int>((from + cost - 1) / cost);
  }
};

// Tiles, and what one after the other costs.
struct MarchPlan {
  std::vector<MarchTile> tiles;
  std::int64_t work = 0;
};

// Whether the schedule serves these blocks. Offsets have 32 bits, indices along i and j 16.
inline bool can_march(std::span<const NodeBlock> blocks) {
  constexpr std::int64_t most_nodes = (std::int64_t{1} << 32) / sizeof(double), most = 65535;
  return !blocks.empty() && std::all_of(blocks.begin(), blocks.end(), [](const NodeBlock& b) {
    const bool first_order = b.order[0] == 1 && b.order[1] == 1 && b.order[2] == 1;
    return first_order && b.n[0] <= most && b.n[1] <= most &&
           b.first + std::int64_t{b.n[0]} * b.n[1] * b.n[2] <= most_nodes;
  });
}

// Into how many parts the first two directions of a block are cut, so that few threads idle and
// little is read beside tiles.
inline void march_cuts(const int (&n)[3], int (&cuts)[2]) {
  // In what a thread's node costs, 34 numbers: 8 for a column beside, of whose sectors of four all
  // are read; ends of rows that share a sector with another tile, three nodes a row.
  constexpr double beside_j = 0.25, beside_i = 1, row_end = 3;
  const auto part = [](int length, int parts) { return (length + parts - 1) / parts; };
  double least = 0;
  for (int a = 1; a <= n[0]; ++a) {
    const int w = part(n[0], a);
    if (w > march_threads || (a > 1 && w < 4 && n[0] >= 4)) continue;
    for (int b = 1; b <= n[1]; ++b) {
      const int h = part(n[1], b);
      const int sides_i = std::min(a - 1, 2), sides_j = std::min(b - 1, 2);
      if (w * h > march_threads || sides_i * h + sides_j * w > march_beside) continue;
      const double more =
          sides_j * w * beside_j + sides_i * h * beside_i + (a > 1 ? h * row_end : 0);
      const double cost = double(a) * b * (march_threads + more);
      if (least == 0 || cost < least) {
        least = cost;
        cuts[0] = a;
        cuts[1] = b;
      }
    }
  }
}

inline MarchPlan march_plan(std::span<const NodeBlock> blocks) {
  // The cost of a plane, however few its nodes, because threads wait for each other. Shares that left out this and
  // what beginnings cost kept the slowest multiprocessor of an H200 at work for 18 % longer than
  // the mean (`ncu`, `bench aerodynamics --only "glider15-1500k 1 1"`).
  constexpr int plane_cost = 160;
  MarchPlan plan;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const NodeBlock& block = blocks[b];
    int cuts[2] = {1, 1};
    march_cuts(block.n, cuts);
    const auto begin = [&](int axis, int part) {
      return static_cast<std::int32_t>(std::int64_t{block.n[axis]} * part / cuts[axis]);
    };
    for (int j = 0; j < cuts[1]; ++j) {
      for (int i = 0; i < cuts[0]; ++i) {
        MarchTile tile;
        tile.block = static_cast<std::int32_t>(b);
        const int part[2] = {i, j};
        for (int a = 0; a < 2; ++a) {
          tile.first[a] = begin(a, part[a]);
          tile.size[a] = begin(a, part[a] + 1) - tile.first[a];
        }
        tile.planes = block.n[2];
        tile.cost = plane_cost + tile.size[0] * tile.size[1];
        tile.work_before = plan.work;
        plan.work += MarchTile::beginning + std::int64_t{tile.cost} * tile.planes;
        plan.tiles.push_back(tile);
      }
    }
  }
  return plan;
}

// Where the work of a thread block begins; that of the one after it is where it ends.
WM_HD std::int64_t march_share(std::int64_t work, int number, int count) {
  return work * number / count;
}

}  // namespace watersmeet::exec
