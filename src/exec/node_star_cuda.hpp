#pragma once
// A loop over nodes on CUDA whose body reads a few numbers of the nodes up to two further along
// each direction, which are made of the states there. Each thread block makes them once for its
// brick and the nodes beside its faces, and keeps them in shared memory:
//
//          . x x x x .         o: nodes of the brick, x: beside it, read as well
//          x o o o o x         Nodes beside edges and corners are passed over.
//          x o o o o x
//          . x x x x .
//
// A body has
//   static constexpr int values
//   void load(node, R (&)[values])                 of the node at a place in the pool
//   void finish(point, at)                         at(direction, m, value), m from -2 to 2

#include "exec/node_cuda.hpp"

namespace watersmeet::exec {

template <class R, class Body>
__global__ void __launch_bounds__(largest_node_tile)
    node_star_kernel(const NodeBlock* blocks, const NodeTile* tiles,
                     const __grid_constant__ Body body, const Clock* clock, const bool always,
                     const int pitch) {
  if (!always && !clock->active) return;
  extern __shared__ double shared_doubles[];  // [value][place in the box]
  R* const kept = reinterpret_cast<R*>(shared_doubles);
  const NodeTile tile = tiles[blockIdx.x];
  const NodeBlock* const block = blocks + tile.block;
  const StarBox box(*block, tile);
  const int rows = box.size[1];
  for (int c = int(threadIdx.x); c < box.count(); c += int(blockDim.x)) {
    const int row = c / box.size[0], z = row / rows;
    const int in_box[3] = {c - row * box.size[0], row - z * rows, z};
    int index[3], outside = 0;
    bool exists = true;
#pragma unroll
    for (int a = 0; a < 3; ++a) {
      index[a] = box.first[a] + in_box[a];
      exists = exists && index[a] >= 0 && index[a] < block->n[a];
      const int within = index[a] - tile.first[a];
      outside += within < 0 || within >= tile.size[a] ? 1 : 0;
    }
    if (!exists || outside > 1) continue;
    R values[Body::values];
    body.load(node_point(block, index[0], index[1], index[2]).node, values);
#pragma unroll
    for (int v = 0; v < Body::values; ++v) kept[v * pitch + c] = values[v];
  }
  __syncthreads();
  NodePoint p;
  if (!tile_point(blocks, tile, p)) return;
  const int strides[3] = {1, box.size[0], box.size[0] * rows};
  int mine = 0;
#pragma unroll
  for (int a = 0; a < 3; ++a) mine += (p.index[a] - box.first[a]) * strides[a];
  body.finish(p, [&](int direction, int m, int value) {
    return kept[value * pitch + mine + m * strides[direction]];
  });
}

// Whether a brick's numbers fit into what every kernel may have.
template <class R, class Body>
bool star_fits(int largest) {
  return sizeof(R) * Body::values * static_cast<std::size_t>(largest) <= 48 * 1024;
}

// `largest`: largest_star() of the tiles.
template <class R, class Body>
void node_star_cuda(const NodeBlock* blocks, const NodeTile* tiles, int count, int threads,
                    int largest, const Body& body, const Clock* clock, bool always,
                    const Queue& queue) {
  if (count == 0) return;
  const std::size_t shared = sizeof(R) * Body::values * static_cast<std::size_t>(largest);
  node_star_kernel<R, Body>
      <<<unsigned(count), unsigned(threads), shared, static_cast<cudaStream_t>(queue.stream)>>>(
          blocks, tiles, body, clock, always, largest);
  check_cuda(cudaGetLastError(), "cannot launch a loop over stars of nodes");
}

}  // namespace watersmeet::exec
