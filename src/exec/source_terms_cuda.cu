// Source terms on CUDA. A thread takes several cells through each instruction, so that decoding it costs a fraction of a cell's work: 32 cells
// of a row lie side by side in a warp, and the cells of a thread are in different rows.
#include "exec/check_cuda.hpp"
#include "exec/source_cells.hpp"

namespace watersmeet::exec::detail {

namespace {
constexpr int columns = 32, warps = 4, cells_of_thread = 4;
constexpr int tile_rows = warps * cells_of_thread;
}  // namespace

struct ThreadCells {
  int i;
  int j[cells_of_thread], k[cells_of_thread];
  bool there[cells_of_thread];
  WM_HD bool has(int l) const { return there[l]; }
  WM_HD std::int64_t at(int l, int axis) const { return axis == 0 ? i : axis == 1 ? j[l] : k[l]; }
};

// Of this thread; the rows of a box are counted through its planes.
template <class R>
__device__ ThreadCells cells_here(const CellArrays<R>& a) {
  const unsigned size_i = unsigned(a.upper[0] - a.lower[0]),
                 size_j = unsigned(a.upper[1] - a.lower[1]),
                 rows = size_j * unsigned(a.upper[2] - a.lower[2]),
                 tiles_i = (size_i + columns - 1) / columns;
  const unsigned column = blockIdx.x % tiles_i * columns + threadIdx.x;
  const unsigned first = blockIdx.x / tiles_i * tile_rows + threadIdx.y;
  ThreadCells cells;
  cells.i = a.lower[0] + int(column);
#pragma unroll
  for (int l = 0; l < cells_of_thread; ++l) {
    const unsigned row = first + unsigned(l * warps);
    cells.there[l] = column < size_i && row < rows;
    cells.j[l] = a.lower[1] + int(row % size_j);
    cells.k[l] = a.lower[2] + int(row / size_j);
  }
  return cells;
}

// A call, so that its interpreter takes no registers of the other.
__device__ __noinline__ double scalar_of(const SourceTerms& s, const SourceStep& step, int number) {
  return source_scalar(s, step, number);
}

template <class R>
__global__ void __launch_bounds__(columns* warps)
    add_sources_kernel(const __grid_constant__ SourceTerms s,
                       const __grid_constant__ CellArrays<R> a,
                       const __grid_constant__ StageUpdate<double> update, Clock* clock) {
  if (!clock->active) return;
  const SourceStep step = source_step(s, update, *clock);
  __shared__ double scalars[most_source_scalars];
  const int thread = int(threadIdx.y * columns + threadIdx.x);
  if (s.n_scalars > 0) {
    if (thread < s.n_scalars) scalars[thread] = scalar_of(s, step, thread);
    __syncthreads();
  }
  if (!add_to_cells<cells_of_thread>(s, a, step, scalars, cells_here(a))) {
    atomicMax(reinterpret_cast<unsigned long long*>(&clock->signal_bits),
              (unsigned long long)not_a_signal);
  }
}

void add_sources_cuda(const SourceTerms& terms, const Launch& launch) {
  const std::int64_t tiles_i = (launch.box.size(0) + columns - 1) / columns;
  const std::int64_t rows = launch.box.size(1) * launch.box.size(2);
  const auto blocks = unsigned(tiles_i * ((rows + tile_rows - 1) / tile_rows));
  const dim3 threads(columns, warps);
  const auto stream = static_cast<cudaStream_t>(launch.queue.stream);
  if (terms.precision == Precision::single_) {
    add_sources_kernel<float><<<blocks, threads, 0, stream>>>(terms, arrays_of<float>(launch),
                                                              launch.update, launch.clock);
  } else {
    add_sources_kernel<double><<<blocks, threads, 0, stream>>>(terms, arrays_of<double>(launch),
                                                               launch.update, launch.clock);
  }
  check_cuda(cudaGetLastError(), "cannot add source terms");
}

}  // namespace watersmeet::exec::detail
