// Sums over time on CUDA: one thread a cell. The deviations of a cell lie in its thread's local memory, which the first cache keeps; what the
// kernel moves is its inputs once and its sums twice.
#include "exec/average_cells.hpp"
#include "exec/check_cuda.hpp"

namespace watersmeet::exec::detail {

namespace {
constexpr int block_threads = 128;
}  // namespace

__global__ void weigh_kernel(Weighing kind, const Clock* clock, AverageRecord* record) {
  weigh_step(kind, clock, *record);
}

template <class R>
__global__ void __launch_bounds__(block_threads)
    add_sample_kernel(const __grid_constant__ AverageSums sums, const AverageRecord* record) {
  if (!(record->weight > 0)) return;
  const std::int64_t cell = std::int64_t(blockIdx.x) * block_threads + threadIdx.x;
  if (cell < sums.cells) add_cells<1, R>(sums, *record, cell, 1);
}

void weigh_cuda(Weighing kind, const Clock* clock, AverageRecord* record, const Queue& queue) {
  weigh_kernel<<<1, 1, 0, static_cast<cudaStream_t>(queue.stream)>>>(kind, clock, record);
  check_cuda(cudaGetLastError(), "cannot weigh a sample");
}

void add_sample_cuda(const AverageSums& sums, const AverageRecord* record, const Queue& queue) {
  if (sums.cells == 0) return;
  const auto blocks = unsigned((sums.cells + block_threads - 1) / block_threads);
  const auto stream = static_cast<cudaStream_t>(queue.stream);
  if (sums.precision == Precision::single_) {
    add_sample_kernel<float><<<blocks, block_threads, 0, stream>>>(sums, record);
  } else {
    add_sample_kernel<double><<<blocks, block_threads, 0, stream>>>(sums, record);
  }
  check_cuda(cudaGetLastError(), "cannot add a sample");
}

}  // namespace watersmeet::exec::detail
