#include <algorithm>

#include "exec/difference.hpp"
#include "exec/reduce_cuda.hpp"

namespace watersmeet::exec::detail {

// results: the number of values that differ, and the largest `values - v` of them. Differences are rare: no sum within a block.
template <class Word>
__global__ void __launch_bounds__(reduce_threads)
    difference_kernel(const __grid_constant__ TwoCopies copies, unsigned long long* results) {
  const std::int64_t values = copies.values(), stride = std::int64_t(gridDim.x) * reduce_threads;
  for (std::int64_t v = std::int64_t(blockIdx.x) * reduce_threads + threadIdx.x; v < values;
       v += stride) {
    if (!copies.differs<Word>(v)) continue;
    atomicAdd(results, 1ull);
    atomicMax(results + 1, (unsigned long long)(values - v));
  }
}

Difference find_difference_cuda(const TwoCopies& copies, const Queue& queue) {
  const std::int64_t values = copies.values();
  if (values == 0) return {};
  const auto blocks =
      unsigned(std::min((values + reduce_threads - 1) / reduce_threads, 4 * reduce_blocks));
  std::uint64_t words[2] = {};
  reduce_words(words, queue, [&](unsigned long long* on_device, cudaStream_t stream) {
    const auto kernel = copies.precision == Precision::single_ ? difference_kernel<std::uint32_t>
                                                               : difference_kernel<std::uint64_t>;
    kernel<<<blocks, reduce_threads, 0, stream>>>(copies, on_device);
  });
  return {std::int64_t(words[0]), words[0] == 0 ? -1 : values - std::int64_t(words[1])};
}

}  // namespace watersmeet::exec::detail
