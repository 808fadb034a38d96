// Reductions of expressions on CUDA: a thread goes over cells in strides of the grid; blocks are combined as by reduce_cuda.hpp.
#include <algorithm>

#include "exec/reduce_cuda.hpp"
#include "exec/reduce_program.hpp"

namespace watersmeet::exec::detail {

namespace {

// One function for both passes, so that both see the same bits of a value.
template <class R>
__device__ __noinline__ double value_of(const ProgramCells& s, std::int64_t cell) {
  double value[1];
  run_program<1>(
      s.code, s.count,
      [&](int input, double(&to)[1]) { load_input<R>(s.inputs[input], cell, 1, to); }, value);
  return value[0];
}

template <class R, class Body>
__device__ void for_each_value(const ProgramCells& s, const Body& body) {
  const std::int64_t stride = std::int64_t(gridDim.x) * reduce_threads;
  for (std::int64_t cell = std::int64_t(blockIdx.x) * reduce_threads + threadIdx.x; cell < s.cells;
       cell += stride)
    body(value_of<R>(s, cell));
}

unsigned blocks_of(const ProgramCells& s) {
  return unsigned(std::min((s.cells + reduce_threads - 1) / reduce_threads, reduce_blocks));
}

}  // namespace

template <class R>
__global__ void __launch_bounds__(reduce_threads)
    measure_program_kernel(const __grid_constant__ ProgramCells s, unsigned long long* results) {
  double upper = -std::numeric_limits<double>::infinity(), minus_lower = upper;
  for_each_value<R>(s, [&](double x) {
    upper = max_or_nan(upper, x);
    minus_lower = max_or_nan(minus_lower, -x);
  });
  const std::uint64_t words[2] = {ordered_bits(upper), ordered_bits(minus_lower)};
  const std::uint64_t result =
      combine_block(words, [](std::uint64_t x, std::uint64_t y) { return x > y ? x : y; });
  if (threadIdx.x < 2) atomicMax(results + threadIdx.x, (unsigned long long)result);
}

template <class R>
__global__ void __launch_bounds__(reduce_threads)
    count_program_kernel(const __grid_constant__ ProgramCells s,
                         const __grid_constant__ SumScale scale, unsigned long long* results) {
  std::uint64_t words[2] = {};
  for_each_value<R>(s, [&](double x) {
    const MagicCount c = count_with_magic(scale, x);
    words[0] += c.high - round_magic_bits;
    words[1] += c.low - round_magic_bits;
  });
  const std::uint64_t result =
      combine_block(words, [](std::uint64_t x, std::uint64_t y) { return x + y; });
  if (threadIdx.x < 2) atomicAdd(results + threadIdx.x, (unsigned long long)result);
}

ProgramExtrema measure_program_cuda(const ProgramCells& cells, const Queue& queue) {
  constexpr double none = -std::numeric_limits<double>::infinity();
  if (cells.cells == 0) return {0, none, none};
  std::uint64_t words[2];
  reduce_words(words, queue, [&](unsigned long long* on_device, cudaStream_t stream) {
    const auto kernel = cells.precision == Precision::single_ ? measure_program_kernel<float>
                                                              : measure_program_kernel<double>;
    kernel<<<blocks_of(cells), reduce_threads, 0, stream>>>(cells, on_device);
  });
  const double upper = from_ordered_bits(words[0]), minus_lower = from_ordered_bits(words[1]);
  return {max_or_nan(max_or_nan(0.0, upper), minus_lower), upper, minus_lower};
}

void count_program_cuda(const ProgramCells& cells, const SumScale& scale, std::int64_t* high_low,
                        const Queue& queue) {
  if (cells.cells == 0) return;
  std::uint64_t words[2];
  reduce_words(words, queue, [&](unsigned long long* on_device, cudaStream_t stream) {
    const auto kernel = cells.precision == Precision::single_ ? count_program_kernel<float>
                                                              : count_program_kernel<double>;
    kernel<<<blocks_of(cells), reduce_threads, 0, stream>>>(cells, scale, on_device);
  });
  for (int w = 0; w < 2; ++w) add_modulo(high_low[w], words[w]);
}

}  // namespace watersmeet::exec::detail
