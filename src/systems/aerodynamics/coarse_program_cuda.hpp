#pragma once
// A program of coarse_program.hpp on CUDA: one kernel of one cluster of thread blocks, which share
// the nodes of a grid and wait for each other in hardware between two operations. Grids with no
// more nodes than a thread block has threads are done by the first block alone, which waits for its
// own threads only and finds its numbers in its first-level cache.

#include <cooperative_groups.h>

#include "exec/check_cuda.hpp"
#include "systems/aerodynamics/coarse_program.hpp"

namespace watersmeet::aerodynamics {

constexpr int program_blocks = 8;     // of a cluster, which every device that has clusters allows
constexpr int program_threads = 512;  // of a thread block, which leaves them 128 registers

template <class R>
__global__ void __cluster_dims__(program_blocks, 1, 1) __launch_bounds__(program_threads, 1)
    coarse_program_kernel(const __grid_constant__ CoarseProgram<R> program, const ProgramOp* ops,
                          const int count, exec::Clock* clock) {
  if (!clock->active) return;  // the same for all threads
  const cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
  const int block = int(cluster.block_rank());
  const auto alone = [&](const ProgramOp& op) {
    return program.grids[op.grid].nodes <= program_threads;
  };
  int limited = 0;
  ProgramOp op = ops[0];
  for (int n = 0; n < count; ++n) {
    const ProgramOp next = ops[n + 1 < count ? n + 1 : n];
    const bool by_one = alone(op);
    if (!by_one || block == 0) {
      const int first = (by_one ? 0 : block * program_threads) + int(threadIdx.x);
      const int step = by_one ? program_threads : program_blocks * program_threads;
      for (int node = first; node < program.grids[op.grid].nodes; node += step) {
        limited += program.run(op, node);
      }
    }
    // The other blocks pass by what the first one does alone.
    if (by_one && alone(next) && n + 1 < count) {
      if (block == 0) __syncthreads();
    } else {
      cluster.sync();
    }
    op = next;
  }
  if (limited != 0) {
    atomicAdd(reinterpret_cast<unsigned long long*>(&clock->events),
              static_cast<unsigned long long>(limited));
  }
}

template <class R>
void run_program_cuda(const CoarseProgram<R>& program, const ProgramOp* ops, int count,
                      exec::Clock* clock, const Queue& queue) {
  coarse_program_kernel<R>
      <<<program_blocks, program_threads, 0, static_cast<cudaStream_t>(queue.stream)>>>(
          program, ops, count, clock);
  exec::check_cuda(cudaGetLastError(), "cannot launch a program of coarse grids");
}

}  // namespace watersmeet::aerodynamics
