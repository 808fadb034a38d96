#pragma once
// The cube schedule (node_cube.hpp) on CUDA: one launch for all blocks of a pool. Shared memory:
// 11 or 12 numbers a node of 64 lines, in double up to 108 KiB with a halo of 4; two thread blocks
// share a multiprocessor, which leaves a thread 64 registers.

#include "exec/launch_cuda.hpp"
#include "exec/node_cube.hpp"
#include "exec/node_cuda.hpp"

namespace watersmeet::exec {

template <NodeReport report, class R, class Pass, class Epilogue>
__global__ void __launch_bounds__(cube_threads, 2)
    node_cube_kernel(const NodeBlock* blocks, const NodeCube* cubes,
                     const __grid_constant__ Pass pass,
                     const __grid_constant__ typename Pass::Table table,
                     const __grid_constant__ Epilogue epilogue, Clock* clock, const bool always) {
  let_next_launch_begin();
  if (!always && !clock->active) return;
  extern __shared__ double shared_doubles[];
  R* const shared = reinterpret_cast<R*>(shared_doubles);
  // Rows of a closure differ from thread to thread: constants would be read one after the other.
  __shared__ typename Pass::Table closures;
  const int thread = int(threadIdx.x);
  constexpr int words = int(sizeof(table) / sizeof(R));
  static_assert(sizeof(table) % sizeof(R) == 0);
  if (thread < words) {
    reinterpret_cast<R*>(&closures)[thread] = reinterpret_cast<const R*>(&table)[thread];
  }
  const NodeCube cube = cubes[blockIdx.x];
  const NodeBlock block = blocks[cube.block];
  int index[3];
  const bool owned = Pass::owns(cube, thread, index);
  NodeRates<R, Pass::variables> rates;
#pragma unroll
  for (int v = 0; v < Pass::variables; ++v) rates.flux[v] = rates.dissipation[v] = R(0);
#pragma unroll
  for (int d = 0; d < 3; ++d) {
    if (block.order[d] == 0) continue;
    __syncthreads();  // the lines before have been read, and the closures written
    pass.load(block, cube, d, thread, shared);
    __syncthreads();
    if (owned) pass.add(block, d, thread, index[d], shared, closures, rates);
  }
  R mine = R(0);
  if (owned) {
    NodePoint p = node_point(blocks + cube.block, index[0], index[1], index[2]);
    epilogue.number(p);
    mine = epilogue(p, rates, 1);
  }
  report_nodes<report>(clock, mine);
}

// `early`: the launch may begin before the one before it has ended (exec/launch_cuda.hpp); the
// epilogue awaits that where it needs to.
template <NodeReport report, class R, class Pass, class Epilogue>
void node_cube_loop(OnCuda, const NodePool& pool, const Pass& pass,
                    const typename Pass::Table& table, const Epilogue& epilogue, Clock* clock,
                    bool always, bool early, const Queue& queue) {
  if (pool.cubes.empty()) return;
  const auto kernel = node_cube_kernel<report, R, Pass, Epilogue>;
  allow_shared(kernel, Pass::shared_bytes, "cannot get shared memory for cubes of nodes");
  launch(kernel, {unsigned(pool.cubes.size()), cube_threads, Pass::shared_bytes}, early, queue,
         "cannot launch a loop over cubes of nodes", pool.blocks.data(), pool.cubes.data(), pass,
         table, epilogue, clock, always);
}

}  // namespace watersmeet::exec
