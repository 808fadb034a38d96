#pragma once
// What a launch of the node form goes over: the blocks of a pool on the device, and how their nodes fall to the threads of each
// schedule of a GPU. Lists of schedules that do not serve the blocks are empty.

#include <cstdint>
#include <span>

#include "exec/node_columns.hpp"
#include "exec/node_cube.hpp"
#include "exec/node_tiles.hpp"

namespace watersmeet::exec {

struct NodePool {
  std::span<const NodeBlock> blocks;
  std::span<const NodeTile> tiles;
  JoinedThreads threads;            // of these tiles
  const FaceNode* sides = nullptr;  // of these tiles; null: nodes on faces are like all others
  std::span<const NodeTile> rows;   // of loops that stream, node_tile_size threads each
  std::span<const NodeCube> cubes;
  std::span<const MarchTile> columns;
  std::int64_t column_work = 0;
};

}  // namespace watersmeet::exec
