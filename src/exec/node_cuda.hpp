#pragma once
// The node form on CUDA, direct schedule: one thread a node, everything read through the
// first-level cache. One launch for all blocks of a pool: a list of tiles says which nodes of which
// block a thread block has. Correct for every shape, and the reference for faster schedules.

#include "core/device.hpp"
#include "exec/back_end.hpp"
#include "exec/check_cuda.hpp"
#include "exec/clock.hpp"
#include "exec/node_pool.hpp"

namespace watersmeet::exec {

template <NodeReport report, class R>
__device__ void report_nodes(Clock* clock, R mine) {
  if constexpr (report == NodeReport::signal) {
    const R largest = block_max_or_nan(mine);
    if (threadIdx.x == 0) {
      atomicMax(reinterpret_cast<unsigned long long*>(&clock->signal_bits),
                static_cast<unsigned long long>(double_to_bits(double(largest))));
    }
  } else if constexpr (report == NodeReport::events) {
    const int events = __syncthreads_count(mine != R(0));
    if (threadIdx.x == 0 && events != 0) {
      atomicAdd(reinterpret_cast<unsigned long long*>(&clock->events),
                static_cast<unsigned long long>(events));
    }
  }
}

// Whether the thread has a node of the tile; which one.
__device__ __forceinline__ bool tile_point(const NodeBlock* blocks, const NodeTile& tile,
                                           NodePoint& p) {
  int index[3];
  const bool has_node = node_of_tile(tile, int(threadIdx.x), index);
  p = node_point(blocks + tile.block, index[0], index[1], index[2]);
  return has_node;
}

template <NodeReport report, class R, class Body>
__global__ void __launch_bounds__(largest_node_tile)
    node_kernel(const NodeBlock* blocks, const NodeTile* tiles, const __grid_constant__ Body body,
                Clock* clock, const bool always) {
  if (!always && !clock->active) return;
  NodePoint p;
  const bool has_node = tile_point(blocks, tiles[blockIdx.x], p);
  R mine = R(0);
  if (has_node) mine = body(p, static_cast<const R*>(nullptr), 1);
  report_nodes<report>(clock, mine);
}

template <class Body>
__global__ void __launch_bounds__(node_tile_size)
    node_parts_kernel(const NodeBlock* blocks, const NodeTile* tiles,
                      const __grid_constant__ Body body, const Clock* clock) {
  if (!clock->active) return;
  NodePoint p;
  if (tile_point(blocks, tiles[blockIdx.x], p)) body(p, int(blockIdx.y));
}

template <class Body>
__global__ void __launch_bounds__(node_tile_size)
    node_visit_kernel(const NodeBlock* blocks, const NodeTile* tiles,
                      const __grid_constant__ Body body, Clock* clock) {
  if (!clock->active) return;
  NodePoint p;
  float mine = 0;
  if (tile_point(blocks, tiles[blockIdx.x], p)) mine = float(body(p));
  report_nodes<NodeReport::events>(clock, mine);
}

// Calls the body for all nodes of the blocks, in an active step only or `always`.
template <NodeReport report, class R, class Body>
void node_loop(OnCuda, const NodePool& pool, const Body& body, Clock* clock, bool always,
               const Queue& queue) {
  if (pool.tiles.empty()) return;
  node_kernel<report, R, Body><<<unsigned(pool.tiles.size()), unsigned(pool.threads.tile), 0,
                                 static_cast<cudaStream_t>(queue.stream)>>>(
      pool.blocks.data(), pool.tiles.data(), body, clock, always);
  check_cuda(cudaGetLastError(), "cannot launch a loop over nodes");
}

// Calls body(point, part) for the parts that the work at a node has, Body::parts, each in a thread
// of its own. In an active step only.
template <class Body>
void node_parts(OnCuda, const NodePool& pool, const Body& body, Clock* clock, const Queue& queue) {
  if (pool.rows.empty()) return;
  node_parts_kernel<Body><<<dim3(unsigned(pool.rows.size()), unsigned(Body::parts)), node_tile_size,
                            0, static_cast<cudaStream_t>(queue.stream)>>>(
      pool.blocks.data(), pool.rows.data(), body, clock);
  check_cuda(cudaGetLastError(), "cannot launch the parts of nodes");
}

// Calls body(point), which returns whether it saw an event. In an active step only.
template <class Body>
void node_visit(OnCuda, const NodePool& pool, const Body& body, Clock* clock, const Queue& queue) {
  if (pool.rows.empty()) return;
  node_visit_kernel<Body>
      <<<unsigned(pool.rows.size()), node_tile_size, 0, static_cast<cudaStream_t>(queue.stream)>>>(
          pool.blocks.data(), pool.rows.data(), body, clock);
  check_cuda(cudaGetLastError(), "cannot launch a visit of nodes");
}

}  // namespace watersmeet::exec
