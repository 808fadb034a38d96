#pragma once
// The column schedule (node_column.hpp) on CUDA: one launch for all blocks of a pool. In double a
// thread block of order 3 has 104 KiB of shared memory, and two share a multiprocessor.

#include "exec/node_column.hpp"
#include "exec/node_cuda.hpp"

namespace watersmeet::exec {

// `mine`: how many events a thread saw.
__device__ __forceinline__ void report_event_count(Clock* clock, int mine) {
  const int events = __reduce_add_sync(0xffffffffu, mine);
  if (threadIdx.x % 32 == 0 && events != 0) {
    atomicAdd(reinterpret_cast<unsigned long long*>(&clock->events),
              static_cast<unsigned long long>(events));
  }
}

// What a pass without radii does with those of a node.
struct NoSteps {};

template <class R, class Pass, class Steps, class Epilogue>
__global__ void __launch_bounds__(Pass::threads, 2)
    node_column_kernel(const NodeBlock* blocks, const NodeColumn* columns,
                       const __grid_constant__ Pass pass,
                       const __grid_constant__ typename Pass::Tables tables,
                       const __grid_constant__ Steps steps,
                       const __grid_constant__ Epilogue epilogue, Clock* clock, const bool always,
                       const bool signal) {
  if (!always && !clock->active) return;
  extern __shared__ double shared_doubles[];
  R* const shared = reinterpret_cast<R*>(shared_doubles);
  // Rows of a closure differ from thread to thread: constants would be read one after the other.
  __shared__ typename Pass::Tables closures;
  const int thread = int(threadIdx.x);
  constexpr int words = int(sizeof(tables) / sizeof(R));
  static_assert(sizeof(tables) % sizeof(R) == 0 && words <= Pass::threads);
  if (thread < words) {
    reinterpret_cast<R*>(&closures)[thread] = reinterpret_cast<const R*>(&tables)[thread];
  }
  __syncthreads();
  const NodeColumn column = columns[blockIdx.x];
  const NodeBlock block = blocks[column.block];
  typename Pass::Thread t;
  pass.begin(t, column, block, closures, thread, shared);
  __syncthreads();
  int limited = 0;
  R largest = R(0);  // signal
  for (int m = Pass::first_plane(column); m < Pass::end_plane(column); ++m) {
    const bool shares = Pass::within(column, m);  // the same for all threads
    pass.load(t, column, block, m);
    if (shares) __syncthreads();  // the plane before has been read
    NodeRates<R, Pass::variables> rates;
    if (pass.advance(t, column, block, closures, m, shared, rates)) {
      const NodePoint p = node_point(blocks + column.block, t.index[0], t.index[1], m - Pass::halo);
      if constexpr (Pass::tells_radii) largest = max_or_nan(largest, steps.finish(p, t.of_node, 1));
      limited += epilogue(p, rates, 1) != R(0) ? 1 : 0;
    }
    if (shares) __syncthreads();
    pass.add_plane(t, column, block, closures, m, shared);
  }
  report_event_count(clock, limited);
  if constexpr (Pass::tells_radii) {
    if (signal) report_nodes<NodeReport::signal>(clock, largest);
  }
}

template <class R, class Pass, class Steps, class Epilogue>
void node_columns_cuda(const NodeBlock* blocks, const NodeColumn* columns, int count,
                       const Pass& pass, const typename Pass::Tables& tables, const Steps& steps,
                       const Epilogue& epilogue, Clock* clock, bool always, bool signal,
                       const Queue& queue) {
  if (count == 0) return;
  const auto kernel = node_column_kernel<R, Pass, Steps, Epilogue>;
  allow_shared(kernel, Pass::shared_bytes, "cannot get shared memory for columns of nodes");
  kernel<<<unsigned(count), Pass::threads, Pass::shared_bytes,
           static_cast<cudaStream_t>(queue.stream)>>>(blocks, columns, pass, tables, steps,
                                                      epilogue, clock, always, signal);
  check_cuda(cudaGetLastError(), "cannot launch a loop over columns of nodes");
}

}  // namespace watersmeet::exec
