#pragma once
// The marching schedule (node_march.hpp) on CUDA: one launch for all blocks of a pool, with as many
// thread blocks as the device holds at once, two on a multiprocessor. Planes come to shared memory
// by copies that no register waits for.
//
// A body has
//   static constexpr MarchParts parts
//   NodeArrays<R> arrays;  Scheme scheme
//   bool has_faces()                                nodes on faces have something besides:
//   void prepare_faces(number)                      before it is asked for; -1: none
//   Vec<R, variables> of_faces(number)
//   Loads load(point)                               what the epilogue reads
//   R finish(point, rates, loads, largest, NodeReduction<R>&)
//                                                   the epilogue; sets a signal, returns events
//   bool tells_signal()

#include "exec/launch_cuda.hpp"
#include "exec/node_cuda.hpp"
#include "exec/node_march.hpp"

namespace watersmeet::exec {

// One number of a plane to shared memory; the thread waits by wait_for_copies().
template <class R>
__device__ __forceinline__ void copy_ahead(R* to, const R* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(to))),
               "l"(from), "n"(sizeof(R))
               : "memory");
}
static __device__ __forceinline__ void wait_for_copies() {
  asm volatile("cp.async.wait_all;" ::: "memory");
}

template <class R, class Body>
using MarchPassOf = MarchPass<R, decltype(Body::scheme), Body::parts>;

template <class R, class Body>
__global__ void __launch_bounds__(march_threads, 2)
    node_march_kernel(const NodeBlock* blocks, const MarchTile* tiles, const int count,
                      const std::int64_t work, const __grid_constant__ Body body, Clock* clock,
                      const bool always) {
  let_next_launch_begin();
  if (!always && !clock->active) return;
  using Pass = MarchPassOf<R, Body>;
  extern __shared__ double shared_doubles[];
  R* const shared = reinterpret_cast<R*>(shared_doubles);
  __shared__ int first_tile, last_tile;
  __shared__ std::int64_t ends[2];
  __shared__ MarchFrame frame;
  const int thread = int(threadIdx.x);
  if (thread < 2) ends[thread] = march_share(work, int(blockIdx.x) + thread, int(gridDim.x));
  if (thread == 0) {
    first_tile = count;
    last_tile = -1;
  }
  __syncthreads();
#pragma unroll 1
  for (int t = thread; t < count; t += march_threads) {
    if (tiles[t].plane_at(ends[0]) < tiles[t].plane_at(ends[1])) {
      atomicMin(&first_tile, t);
      atomicMax(&last_tile, t);
    }
  }
  __syncthreads();
  const auto copy = [](R* to, const R* from) { copy_ahead(to, from); };
  NodeReduction<R> reduced;
  int events = 0;
  Pass pass(body.arrays, body.scheme, frame, shared, thread);
#pragma unroll 1
  for (int t = first_tile; t <= last_tile; ++t) {
    if (t > first_tile) __syncthreads();  // all have left the tile before
    if (thread == 0) {
      const MarchTile& tile = tiles[t];
      frame = {blocks[tile.block], tile.plane_at(ends[0]), tile.plane_at(ends[1])};
    }
    __syncthreads();
    pass.set_up(tiles[t]);
    pass.fetch(frame.lower - 1, copy);
    int face = -1;  // of plane p
#pragma unroll 1
    for (int p = frame.lower - 1; p <= frame.upper; ++p) {
      typename Body::Loads loads;
      if (p > frame.lower && pass.owns()) loads = body.load(pass.point(p - 1));
      wait_for_copies();
      __syncthreads();  // the plane before is not read any more
      NodeRates<R, Pass::variables> rates;
      R largest = R(0);
      if (pass.advance(p, copy, rates, largest)) {
        NodeReduction<R> node;
        events += body.finish(pass.point(p - 1), rates, loads, largest, node) != R(0);
        reduced.signal = max_or_nan(reduced.signal, node.signal);
      }
      __syncthreads();  // what neighbours read is written
      if (pass.whole(p) && pass.owns()) pass.gather(p, body.of_faces(face));
      if (body.has_faces()) {
        face = pass.face_number_at(p + 1);
        body.prepare_faces(face);
      }
    }
  }
  for (int lane = 16; lane > 0; lane /= 2) {
    events += __shfl_down_sync(0xffffffffu, events, lane);
    reduced.signal =
        max_or_nan(reduced.signal, __shfl_down_sync(0xffffffffu, reduced.signal, lane));
  }
  if (thread % 32 != 0) return;
  if (events != 0) {  // rare
    atomicAdd(reinterpret_cast<unsigned long long*>(&clock->events),
              static_cast<unsigned long long>(events));
  }
  if (body.tells_signal()) {
    atomicMax(reinterpret_cast<unsigned long long*>(&clock->signal_bits),
              static_cast<unsigned long long>(double_to_bits(double(reduced.signal))));
  }
}

template <class R, class Body>
KernelReport report_march() {
  using Pass = MarchPassOf<R, Body>;
  const auto kernel = node_march_kernel<R, Body>;
  allow_shared(kernel, Pass::shared_bytes, "cannot get shared memory for columns of nodes");
  return report_kernel(kernel, march_threads, Pass::shared_bytes);
}

// `early`: the launch may begin before the one before it has ended (exec/launch_cuda.hpp); the body
// awaits that where it needs to.
template <class R, class Body>
void node_march_loop(OnCuda, const NodePool& pool, const Body& body, Clock* clock, bool always,
                     bool early, const Queue& queue) {
  if (pool.columns.empty()) return;
  const int at_once = of_device([] { return resident_blocks(report_march<R, Body>()); });
  // No fewer than some planes each.
  constexpr std::int64_t least_work = 4 * march_threads;
  const std::int64_t wanted = pool.column_work / least_work + 1;
  const int launched = wanted < at_once ? static_cast<int>(wanted) : at_once;
  launch(node_march_kernel<R, Body>,
         {unsigned(launched), march_threads, MarchPassOf<R, Body>::shared_bytes}, early, queue,
         "cannot launch a march over nodes", pool.blocks.data(), pool.columns.data(),
         static_cast<int>(pool.columns.size()), pool.column_work, body, clock, always);
}

}  // namespace watersmeet::exec
