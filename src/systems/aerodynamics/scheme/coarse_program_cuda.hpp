#pragma once
// A program of coarse_program.hpp on CUDA: one kernel of one cluster of thread blocks, which share
// the nodes of a grid and wait for each other in hardware between two operations. Everything that
// changes lies in the memory that the threads of a block share, and is read there by the other
// blocks of the cluster; what a step reads of the mesh is brought there first:
//
//    arrays of the levels -> shared memory -> operation, wait, operation, wait ... -> solution
//
// Penalties are computed by the last threads of a block, the rest of a right-hand side by the first
// ones, so that on grids of few nodes both run at the same time. Small grids fall to the first
// block alone, which waits for its own threads only.
//
// Around a section (NACA 0012, 256 x 128 cells, six grids, V) the 62 operations on grids of up to
// 3200 nodes take 366 us on an H200; through arrays in global memory, with a right-hand side shared
// by up to four threads, they took 596 (ncu, `watersmeet run examples/naca0012/case.toml`).

#include <cooperative_groups.h>

#include "exec/back_end.hpp"
#include "exec/check_cuda.hpp"
#include "systems/aerodynamics/scheme/coarse_memory_cuda.hpp"
#include "systems/aerodynamics/scheme/coarse_program.hpp"

namespace watersmeet::aerodynamics {

template <class R>
__global__ void
#if WATERSMEET_CLUSTERS
__cluster_dims__(most_program_blocks, 1, 1)
#endif
    __launch_bounds__(program_threads, 1)
        coarse_program_kernel(const __grid_constant__ CoarseProgram<R> program,
                              const ProgramOp* ops, const int count, exec::Clock* clock) {
#if WATERSMEET_CLUSTERS
  if (!clock->active) return;  // the same for all threads
  extern __shared__ __align__(16) char program_memory[];
  const cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
  const ProgramMemory<R> memory{program, program_memory, cluster.block_rank()};
  const CoarseScheme<R> scheme = coarse_scheme_of(program.operators.two, program.model);
  const auto alone = [&](const ProgramOp& op) {
    return program.grids[op.grid].nodes <= program.grids[op.grid].share.chunk;
  };
  for (int g = 0; g < program.count; ++g) memory.bring(g);
  ProgramOp op = ops[0];
  cluster.sync();
  int limited = 0;
  for (int n = 0; n < count; ++n) {
    const ProgramOp next = ops[n + 1 < count ? n + 1 : n];
    const bool by_one = alone(op);
    if (!by_one || memory.rank == 0) limited += memory.run(op, scheme);
    // The other blocks pass by what the first one does alone.
    if (by_one && alone(next) && n + 1 < count) {
      if (memory.rank == 0) __syncthreads();
    } else {
      cluster.sync();
    }
    op = next;
  }
  memory.take_back();
  if (limited != 0) {
    atomicAdd(reinterpret_cast<unsigned long long*>(&clock->events),
              static_cast<unsigned long long>(limited));
  }
#endif
}

// A cluster of eight thread blocks, which every device that has clusters allows.
template <class R>
ProgramRoom program_room(exec::OnCuda) {
  int device = 0, clusters = 0;
  exec::check_cuda(cudaGetDevice(&device), "cannot determine the device");
  exec::check_cuda(cudaDeviceGetAttribute(&clusters, cudaDevAttrClusterLaunch, device),
                   "cannot determine whether thread blocks form clusters");
  if (clusters == 0) return {};
  const std::size_t bytes = exec::most_shared_memory();
  exec::allow_shared(coarse_program_kernel<R>, bytes, "cannot get shared memory for coarse grids");
  return {most_program_blocks, bytes};
}

template <class R>
void run_program(exec::OnCuda, const CoarseProgram<R>& program, std::span<const ProgramOp> ops,
                 std::size_t bytes, exec::Clock* clock, const Queue& queue) {
  coarse_program_kernel<R><<<unsigned(most_program_blocks), program_threads, bytes,
                             static_cast<cudaStream_t>(queue.stream)>>>(
      program, ops.data(), static_cast<int>(ops.size()), clock);
  exec::check_cuda(cudaGetLastError(), "cannot launch a program of coarse grids");
}

}  // namespace watersmeet::aerodynamics
