#pragma once
// The loop of lines_cpu.hpp on CUDA. A thread block takes neighbouring lines and cuts each into sections, one a thread, which it eliminates,
// joins and solves between the cells of their neighbours (solve/poisson/section_tree_cuda.hpp). Pivots are alike on all lines of a block: the
// threads of its first line keep them.

#include <algorithm>

#include "core/device.hpp"
#include "exec/back_end.hpp"
#include "exec/check_cuda.hpp"
#include "exec/clock.hpp"
#include "solve/poisson/section_tree_cuda.hpp"
#include "solve/tridiagonal/lines.hpp"

namespace watersmeet::solve {

// 8 lines of 8 B fill half a line of the cache; of 32 sections 20 KiB of shared memory are taken and the factors of 3072 cells fit beside.
constexpr int lines_of_block = 8, most_line_sections = 32, cells_of_section = 8;

template <class R>
__global__ void __launch_bounds__(lines_of_block* most_line_sections)
    lines_kernel(const __grid_constant__ TridiagonalLines<R> l, const int sections,
                 const exec::Clock* const clock) {
  const int v = int(blockIdx.z);
  if (!clock->active || !(l.share[v] > R(0))) return;
  extern __shared__ __align__(16) unsigned char block_memory[];
  const SectionTable<R> table{reinterpret_cast<R*>(block_memory), sections, lines_of_block};
  R* const inverse = table.start + SectionTable<R>::fields * sections * lines_of_block;
  const int c = int(threadIdx.x) % lines_of_block, s = int(threadIdx.x) / lines_of_block;
  const int lane = int(blockIdx.x) * lines_of_block + c;
  const bool there = lane < l.lanes;
  const int begin = int(std::int64_t{s} * l.count / sections);
  const int end = int((std::int64_t{s} + 1) * l.count / sections);
  const R mu = R(1) / (l.share[v] * R(clock->dt));
  const CellWeights<R>* const cells = l.cells + std::int64_t{v} * l.count;
  R* const first = l.values + v * l.stride_var + std::int64_t(blockIdx.y) * l.row_stride +
                   (there ? lane * l.lane_stride : 0);
  const auto right = [&](int k) { return there ? -mu * first[k * l.stride] : R(0); };

  Elimination<R> e = begin_column(cells[begin], mu, right(begin));
  SectionSum<R> sum = begin_section(e);
  if (c == 0) inverse[begin] = e.inverse;
#pragma unroll 4
  for (int k = begin + 1; k < end; ++k) {
    e = continue_column(cells[k], mu, right(k), e);
    continue_section(sum, e);
    if (c == 0) inverse[k] = e.inverse;
  }
  table.put(s, s, c, sum.s);
  join_sections(table, s, c, true, [&](const Section<R>& all) {
    return l.periodic ? at_closure(all) : Pair<R>{R(0), R(0)};
  });
  if (!there) return;
  R x = table.at(table.above, s, c), y = table.at(table.below, s, c);
#pragma unroll 4
  for (int k = begin; k < end; ++k) {
    y = solve_again(cells[k], right(k), y, inverse[k]);
    first[k * l.stride] = y;
  }
#pragma unroll 4
  for (int k = end - 1; k >= begin; --k) {
    x = first[k * l.stride] + (inverse[k] * cells[k].up) * x;
    first[k * l.stride] = x;
  }
}

template <class R>
void solve_lines(exec::OnCuda, const TridiagonalLines<R>& lines, const exec::Clock* clock,
                 const Queue& queue) {
  const int sections =
      std::clamp((lines.count + cells_of_section - 1) / cells_of_section, 1, most_line_sections);
  const std::size_t shared =
      sizeof(R) *
      static_cast<std::size_t>(SectionTable<R>::fields * sections * lines_of_block + lines.count);
  const dim3 blocks(static_cast<unsigned>((lines.lanes + lines_of_block - 1) / lines_of_block),
                    static_cast<unsigned>(lines.rows), static_cast<unsigned>(lines.variables));
  lines_kernel<R><<<blocks, static_cast<unsigned>(sections * lines_of_block), shared,
                    static_cast<cudaStream_t>(queue.stream)>>>(lines, sections, clock);
  exec::check_cuda(cudaGetLastError(), "cannot launch tridiagonal systems along lines");
}

}  // namespace watersmeet::solve
