#pragma once
// Loops over the lines of an array, CPU and CUDA.

#include <cstdint>
#include <utility>

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

// The same lines with one axis less where only the outer one has several.
inline LineSet simplified(LineSet lines) {
  if (lines.inner == 1) {
    std::swap(lines.inner, lines.outer);
    std::swap(lines.inner_stride, lines.outer_stride);
  }
  return lines;
}

enum class LineDirection { forward, backward };

// Threads take groups of lines in turn; the groups depend on the sizes alone. `buffer`: the bytes
// that line_buffer_bytes() says, for each thread.
template <class R>
std::size_t line_buffer_bytes(std::int64_t n);
template <class R>
void transform_lines_cpu(const LineTables<R>& tables, LineDirection direction, const R* from,
                         const LineSet& from_lines, R* to, const LineSet& to_lines, void* buffer,
                         int threads);

// How a thread block takes lines: 2^log2_pairs complex ones, each two real ones.
struct LineLaunch {
  int log2_pairs = 0, pitch = 1, threads = 64;
  std::size_t shared_bytes = 0;
};
// side_by_side: lines are neighbours in memory, else points are. Error{unsupported} for lines that
// are too long for the memory of a thread block.
template <class R>
LineLaunch plan_lines_cuda(std::int64_t n, bool side_by_side);
template <class R>
void transform_lines_cuda(const LineTables<R>& tables, const LineLaunch& launch,
                          LineDirection direction, const R* from, const LineSet& from_lines, R* to,
                          const LineSet& to_lines, const exec::Clock* clock, const Queue& queue);

}  // namespace watersmeet::solve
