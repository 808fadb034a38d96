#pragma once
// CUDA loop of exec/box_ghosts.hpp: one thread a cell, all boxes in one launch.

#include <cstdint>

#include "exec/back_end.hpp"
#include "exec/box_ghosts.hpp"
#include "exec/check_cuda.hpp"

namespace watersmeet::exec {

constexpr int box_ghost_threads = 128;

template <class R, int V>
__global__ void __launch_bounds__(box_ghost_threads)
    fill_box_ghosts_kernel(R* first, const __grid_constant__ BoxRules<R, V> rules,
                           const __grid_constant__ GhostBoxes boxes) {
  const std::int64_t c = std::int64_t(blockIdx.x) * box_ghost_threads + threadIdx.x;
  if (c >= boxes.cells) return;
  int b = 0;
  while (b + 1 < boxes.count && c >= boxes.box[b + 1].begin) ++b;
  fill_ghost_cell(first, rules, boxes.box[b], c - boxes.box[b].begin);
}

template <class R, int V>
void fill_box_ghosts(OnCuda, R* first, const BoxRules<R, V>& rules, const GhostBoxes& boxes,
                     const Queue& queue) {
  if (boxes.cells == 0) return;
  const auto blocks = unsigned((boxes.cells + box_ghost_threads - 1) / box_ghost_threads);
  fill_box_ghosts_kernel<R, V>
      <<<blocks, box_ghost_threads, 0, static_cast<cudaStream_t>(queue.stream)>>>(first, rules,
                                                                                  boxes);
  check_cuda(cudaGetLastError(), "cannot launch the ghosts of a box");
}

}  // namespace watersmeet::exec
