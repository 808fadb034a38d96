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

// Threads take groups of lines in turn; the groups depend on the sizes alone. `buffer`: of
// buffer_bytes() for each thread.
template <class R>
struct LinesCpu {
  static std::size_t buffer_bytes(std::int64_t n);
  static void transform(const LineTables<R>& tables, LineDirection direction, const R* from,
                        const LineSet& from_lines, R* to, const LineSet& to_lines, void* buffer,
                        int threads);
};

// How a thread block takes lines (line_block.hpp): 2^log2_pairs complex ones, each two real ones.
struct LineShape {
  int log2_pairs = 0;
  int pitch = 1;             // of a complex line in a work array
  int row = 1;               // of a raw line along a row
  int threads_of_pair = 32;  // where lines are rows
  int threads = 32;
  std::uint32_t magic_wide = 0, magic_one = 0;  // quotients by the copies that bring a row
  std::size_t shared_bytes = 0;
  // Number of the line that copy c is of, `copies` a line.
  WM_HD int line_of(int c, int copies, bool wide) const {
#if defined(__CUDA_ARCH__)
    return copies == 1 ? c : int(__umulhi(unsigned(c), wide ? magic_wide : magic_one));
#else
    (void)wide;
    return c / copies;
#endif
  }
};
// bytes: of a number; most_shared: that a thread block may have. The shape's shared_bytes are more
// than that when even one pair of lines does not fit. side_by_side: lines are neighbours in memory,
// else points are.
LineShape make_line_shape(std::int64_t n, bool side_by_side, std::size_t bytes,
                          std::size_t most_shared);
template <class R>
struct LinesCuda {
  // Error{unsupported} for lines that are too long for the memory of a thread block.
  static LineShape plan(std::int64_t n, bool side_by_side);
  static void transform(const LineTables<R>& tables, const LineShape& shape,
                        LineDirection direction, const R* from, const LineSet& from_lines, R* to,
                        const LineSet& to_lines, const exec::Clock* clock, const Queue& queue);
};

}  // namespace watersmeet::solve
