#pragma once
// The direct schedule of the node form with what nodes on faces add, in one launch. A tile lists
// its nodes on faces (FaceNode). What each of them adds is computed first, a thread a node of that
// list so that neighbouring threads do the same, and left in shared memory for the thread that the
// node falls to:
//
//   threads   0 ........... tile_threads - 1 | more threads, if any
//             sums of faces (unless there are |  sums of faces
//             more threads), then rates of    |
//             their own nodes                 |
//             ------------------- all wait -------------------
//             rates + sums, epilogue
//
// On grids of few thread blocks the more threads make both wait for memory at the same time; on
// larger ones they would only take registers from others.
//
// A body has
//   static constexpr int variables
//   static constexpr bool has_faces           false: nodes on faces are like all others
//   Vec<R, variables> of_faces(point, first, last)          what a node on faces adds
//   NodeRates<R, variables> rates(NodePoint&, NodeReduction<R>&) which may set a signal
//   R finish(point, rates)                                  the epilogue; counts events
//   bool tells_signal()

#include "exec/launch_cuda.hpp"
#include "exec/node_cuda.hpp"

namespace watersmeet::exec {

// A kernel's thread blocks: threads at most, and how many share a multiprocessor at that size.
template <int threads_, int at_once_>
struct JoinedShape {
  static constexpr int threads = threads_, at_once = at_once_;
};

// `sides` may be null: then nothing is added to nodes on faces.
template <class R, class Body, class Shape>
__global__ void __launch_bounds__(Shape::threads, Shape::at_once)
    node_joined_kernel(const NodeBlock* blocks, const NodeTile* tiles, const FaceNode* sides,
                       const __grid_constant__ Body body, Clock* clock, const bool always,
                       const int tile_threads) {
  let_next_launch_begin();
  if (!always && !clock->active) return;
  extern __shared__ double shared_doubles[];  // [variable][thread]
  R* const added = reinterpret_cast<R*>(shared_doubles);
  const int thread = int(threadIdx.x), threads = int(blockDim.x);
  const NodeTile tile = tiles[blockIdx.x];
  const int count = Body::has_faces && sides ? tile.sides : 0;
  const auto point_of = [&](int at, NodePoint& p) {
    int index[3];
    const bool has_node = node_of_tile(tile, at, index);
    p = node_point(blocks + tile.block, index[0], index[1], index[2]);
    return has_node;
  };
  const int first_worker = threads > tile_threads ? tile_threads : 0;
  if constexpr (Body::has_faces) {
    for (int s = thread - first_worker; s >= 0 && s < count; s += threads - first_worker) {
      const FaceNode side = sides[tile.first_side + s];
      NodePoint p;
      point_of(side.thread, p);
      const auto sum = body.of_faces(p, side.first, side.last);
#pragma unroll
      for (int v = 0; v < Body::variables; ++v) added[v * tile_threads + side.thread] = sum[v];
    }
  }
  NodePoint p;
  NodeReduction<R> reduced;
  NodeRates<R, Body::variables> rates;
  const bool has_node = point_of(thread, p) && thread < tile_threads;
  if (has_node) rates = body.rates(p, reduced);
  if (count > 0) __syncthreads();  // the same for all threads
  if (has_node) {
    if (count > 0 && p.on_face()) {
#pragma unroll
      for (int v = 0; v < Body::variables; ++v) {
        rates.flux[v] = rates.flux[v] + added[v * tile_threads + thread];
      }
    }
    reduced.events = body.finish(p, rates);
  }
  // Events are rare: warps with none need not wait for others.
  const unsigned warp_events = __ballot_sync(0xffffffffu, reduced.events != R(0));
  if (warp_events != 0 && thread % 32 == 0) {
    atomicAdd(reinterpret_cast<unsigned long long*>(&clock->events),
              static_cast<unsigned long long>(__popc(warp_events)));
  }
  if (body.tells_signal()) report_nodes<NodeReport::signal>(clock, reduced.signal);
}

template <class R, class Body>
std::size_t joined_shared_bytes(const JoinedThreads& threads) {
  return sizeof(R) * Body::variables * static_cast<std::size_t>(threads.tile);
}

// `joined`: nodes on faces have what the body adds to them. `early`: the launch may begin before the
// one before it has ended (exec/launch_cuda.hpp); the body awaits that where it needs to.
template <class Shape, class R, class Body>
void node_joined_loop(OnCuda, const NodePool& pool, bool joined, const Body& body, Clock* clock,
                      bool always, bool early, const Queue& queue) {
  if (pool.tiles.empty()) return;
  const FaceNode* const sides = joined ? pool.sides : nullptr;
  const int more = sides ? pool.threads.more : 0;
  const std::size_t shared = sides ? joined_shared_bytes<R, Body>(pool.threads) : 0;
  launch(node_joined_kernel<R, Body, Shape>,
         {unsigned(pool.tiles.size()), unsigned(pool.threads.tile + more), shared}, early, queue,
         "cannot launch a loop over nodes", pool.blocks.data(), pool.tiles.data(), sides, body,
         clock, always, pool.threads.tile);
}

}  // namespace watersmeet::exec
