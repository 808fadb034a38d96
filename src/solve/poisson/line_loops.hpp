#pragma once
// Loops over the lines of an array, CPU and CUDA.

#include <cstdint>

#include "core/device.hpp"
#include "exec/clock.hpp"
#include "solve/poisson/line_transform.hpp"

namespace watersmeet::solve {

// The lines along one axis: line (i, o) starts at element i * inner_stride + o * outer_stride of
// the array, and its points are `stride` apart.
struct LineSet {
  std::int64_t inner = 1, outer = 1;
  std::int64_t inner_stride = 0, outer_stride = 0, stride = 1;
};

enum class LineDirection { forward, backward };

// Threads take groups of lines in turn; the groups depend on the sizes alone. `buffer`: the bytes
// that line_buffer_bytes() says, for each thread.
template <class R>
std::size_t line_buffer_bytes(std::int64_t n);
template <class R>
void transform_lines_cpu(const LineTables<R>& tables, LineDirection direction, const R* from,
                         const LineSet& from_lines, R* to, const LineSet& to_lines, void* buffer,
                         int threads);
template <class R>
void transform_lines_cuda(const LineTables<R>& tables, LineDirection direction, const R* from,
                          const LineSet& from_lines, R* to, const LineSet& to_lines,
                          const exec::Clock* clock, const Queue& queue);
// Longest line that fits a thread block's memory.
template <class R>
std::int64_t longest_line_cuda(const Queue& queue);

}  // namespace watersmeet::solve
