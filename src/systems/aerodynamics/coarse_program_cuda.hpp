#pragma once
// A program of coarse_program.hpp on CUDA: one kernel of one cluster of thread blocks, which share
// the nodes of a grid and wait for each other in hardware between two operations. On grids with
// four threads a node each of these computes a part of the right-hand side, in warps of their own:
//
//   thread       0 .. 127     128 .. 255   256 .. 383   384 .. 511
//   of node      0 .. 127     0 .. 127     0 .. 127     0 .. 127     of a thread block
//   part         i, update    j            k            penalties
//
// Grids with no more nodes than a thread block has for that are done by the first block alone,
// which waits for its own threads only and finds its numbers in its first-level cache.

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
  using Program = CoarseProgram<R>;
  constexpr int shared_nodes = program_threads / Program::parts;
  __shared__ R stored[Program::parts - 1][Program::part_numbers][shared_nodes];
  const cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
  const int block = int(cluster.block_rank()), thread = int(threadIdx.x);
  const auto alone = [&](const ProgramOp& op) {
    return program.grids[op.grid].nodes <= shared_nodes;
  };
  int limited = 0;
  ProgramOp op = ops[0];
  for (int n = 0; n < count; ++n) {
    const ProgramOp next = ops[n + 1 < count ? n + 1 : n];
    const int nodes = program.grids[op.grid].nodes;
    const bool by_one = alone(op), rates = Program::has_rates(op);
    if (!by_one || block == 0) {
      const bool shares = rates && nodes <= program_blocks * shared_nodes;
      const int of_block = shares ? shared_nodes : program_threads;
      const int role = shares ? thread / shared_nodes : 0;
      const int first = block * of_block + thread - role * shared_nodes;
      const int step = by_one ? of_block : program_blocks * of_block;
      for (int node = first; node < nodes || (shares && node == first); node += step) {
        const bool has_node = node < nodes;
        exec::NodePoint p;
        typename Program::Part sum;
        if (has_node) {
          p = program.point(op, node);
          const int last_part = !rates ? 0 : shares ? role + 1 : Program::parts;
#pragma unroll 1
          for (int part = role; part < last_part; ++part) program.add_part(op, p, part, sum);
        }
        if (shares) {
          const int lane = thread - role * shared_nodes;
          if (has_node && role > 0) Program::store(sum, &stored[role - 1][0][lane], shared_nodes);
          __syncthreads();  // all threads of the block, once
          for (int other = 0; has_node && role == 0 && other + 1 < Program::parts; ++other) {
            Program::add_stored(sum, &stored[other][0][lane], shared_nodes);
          }
        }
        if (has_node && role == 0) limited += program.finish(op, p, sum);
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
