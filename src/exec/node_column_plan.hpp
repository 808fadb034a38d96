#pragma once
// How the nodes of a pool are dealt to the thread blocks of the column schedule (node_column.hpp):
// each block of nodes is cut into equal tiles of its planes k = const and every tile into runs of
// planes, so that one launch fills the device in whole rounds.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "exec/node.hpp"

namespace watersmeet::exec {

// Places of a plane in shared memory: a tile and what lies beside it.
constexpr int column_places = 456;
// Thread blocks that run at once: two on each of the 132 multiprocessors of an H200. On another
// device runs are a little too long or too short, nothing else.
constexpr int columns_at_once = 264;
// Nodes of a tile along an axis and planes of a run at most, for which there are tables.
constexpr int longest_side = 64, longest_run = 64;
// Nodes of a tile along an axis at least, where the axis has so many: rows of a closure reach up to
// three nodes, one further than the halo.
constexpr int least_tile = 4;

// Orders that the schedule serves, and how far a thread block looks beyond its tile and run.
constexpr int highest_column_order = 3;
constexpr int column_halo(int order) { return order == 1 ? 1 : 2; }
// Threads of a thread block, of which two share a multiprocessor. In double (nvcc 13 -Xptxas -v,
// sm_90) order 3 spills 476 bytes with the 128 registers that 256 threads leave and 144 with the
// 168 of 192 threads, order 1 160 bytes with 128.
constexpr int column_threads(int order) { return order == 1 ? 256 : 192; }

// The order to run blocks with, or 0 where the schedule does not serve them: all directions have
// that one, or order 2 beside 3.
inline int column_order(std::span<const NodeBlock> blocks) {
  int most = 0, least = highest_column_order;
  for (const NodeBlock& b : blocks) {
    for (const int order : b.order) {
      most = std::max(most, order);
      least = std::min(least, order);
    }
  }
  if (most > highest_column_order || least == 0) return 0;
  return least == most || least == 2 ? most : 0;
}

struct NodeColumn {
  std::int32_t block = 0;
  std::int32_t first[2] = {0, 0}, size[2] = {0, 0};  // of the tile along i and j
  std::int32_t lower = 0, upper = 0;                 // planes
};

// Tiles of a plane of n0 x n1 nodes.
struct TilePlan {
  int parts[2] = {1, 1};
  double warps = 0;  // work of a plane
};
inline TilePlan tile_plan(int n0, int n1, int order) {
  const int halo = column_halo(order), threads = column_threads(order);
  const auto most_parts = [](int n) { return std::max(1, n / least_tile); };
  const auto warps = [](int nodes) { return (nodes + 31) / 32; };
  TilePlan best;
  for (int a = 1; a <= most_parts(n0); ++a) {
    for (int b = 1; b <= most_parts(n1); ++b) {
      const int w = (n0 + a - 1) / a, h = (n1 + b - 1) / b;
      const int beside = 2 * halo * (w + h);
      if (w * h > threads || beside > threads) continue;
      if (w > longest_side || h > longest_side) continue;
      if ((w + 2 * halo) * (h + 2 * halo) > column_places) continue;
      // A node beside the tile has a flux along one direction only, and no rates.
      const int real = 2 * halo * ((a > 1 ? h : 0) + (b > 1 ? w : 0));
      const double work = a * b * (warps(w * h) + 0.3 * warps(real) + 0.5);
      if (best.warps == 0 || work < best.warps) best = {{a, b}, work};
    }
  }
  return best;
}

// Of blocks in space.
inline std::vector<NodeColumn> node_columns(std::span<const NodeBlock> blocks, int order) {
  std::vector<TilePlan> plans;
  int longest = 1;
  for (const NodeBlock& b : blocks) {
    plans.push_back(tile_plan(b.n[0], b.n[1], order));
    longest = std::max(longest, b.n[2]);
  }
  const auto runs = [&](std::size_t b, int length) {
    return (blocks[b].n[2] + length - 1) / length;
  };
  // Planes beside a run cost about a third of its own.
  const double beside = 0.6 * column_halo(order);
  int length = std::min(longest, longest_run);
  double least = 0;
  for (int tried = std::min(longest, 4); tried <= std::min(longest, longest_run); ++tried) {
    std::int64_t count = 0;
    int most = 0;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const int r = runs(b, tried);
      count += std::int64_t{r} * plans[b].parts[0] * plans[b].parts[1];
      most = std::max(most, (blocks[b].n[2] + r - 1) / r);
    }
    const auto rounds = static_cast<double>((count + columns_at_once - 1) / columns_at_once);
    const double time = rounds * (most + beside);
    if (least == 0 || time < least) {
      least = time;
      length = tried;
    }
  }
  std::vector<NodeColumn> columns;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const int parts[3] = {plans[b].parts[0], plans[b].parts[1], runs(b, length)};
    const auto begin = [&](int axis, int part) {
      return static_cast<std::int32_t>(std::int64_t{blocks[b].n[axis]} * part / parts[axis]);
    };
    for (int k = 0; k < parts[2]; ++k) {
      for (int j = 0; j < parts[1]; ++j) {
        for (int i = 0; i < parts[0]; ++i) {
          NodeColumn c;
          c.block = static_cast<std::int32_t>(b);
          c.first[0] = begin(0, i);
          c.first[1] = begin(1, j);
          c.size[0] = begin(0, i + 1) - c.first[0];
          c.size[1] = begin(1, j + 1) - c.first[1];
          c.lower = begin(2, k);
          c.upper = begin(2, k + 1);
          columns.push_back(c);
        }
      }
    }
  }
  return columns;
}

}  // namespace watersmeet::exec
