// Transforms of lines on the GPU: a thread block takes a few pairs of lines (line_block.hpp). Every
// value is read and written once in global memory, 16 B a cell in double precision; a pass moves
// 16 B a cell through shared memory. Of lines side by side a block takes so many that they fill
// whole 32-byte sectors; lines of a row each are read along the row.
#include "solve/poisson/line_launch_cuda.hpp"

namespace watersmeet::solve {

namespace {
template <class R, bool side_by_side, LineDirection direction>
__global__ void __launch_bounds__(256, 3)
    transform_lines_kernel(const __grid_constant__ LineArguments<R> a, const exec::Clock* clock) {
  if (clock && !clock->active) return;
  extern __shared__ __align__(16) unsigned char block_memory[];
  using Team = BlockTeam<side_by_side>;
  const Team team(a.shape);
  const LineBlock<R, side_by_side, Team> block(a, reinterpret_cast<R*>(block_memory), blockIdx.x,
                                               team);
  const ArraySource<R, side_by_side, Team> source{a, team};
  if constexpr (direction == LineDirection::forward) {
    block.forward(source);
  } else {
    block.backward(source);
  }
}
}  // namespace

template <class R>
LineShape LinesCuda<R>::plan(std::int64_t n, bool side_by_side) {
  const std::size_t most_bytes = exec::most_shared_memory();
  const LineShape shape = make_line_shape(n, side_by_side, sizeof(R), most_bytes);
  if (shape.shared_bytes > most_bytes) {
    throw Error(ErrorKind::unsupported, "fft on this GPU takes at most " +
                                            std::to_string(most_bytes / (5 * sizeof(R))) +
                                            " cells along x and y in this precision, not " +
                                            std::to_string(n) + "; mg takes any number");
  }
  const auto allow = [&](auto kernel) {
    exec::allow_shared(kernel, most_bytes, "cannot reserve shared memory for lines");
  };
  using enum LineDirection;
  if (side_by_side) {
    allow(transform_lines_kernel<R, true, forward>);
    allow(transform_lines_kernel<R, true, backward>);
  }
  allow(transform_lines_kernel<R, false, forward>);
  allow(transform_lines_kernel<R, false, backward>);
  return shape;
}

template <class R>
void LinesCuda<R>::transform(const LineTables<R>& tables, const LineShape& shape,
                             LineDirection direction, const R* from, const LineSet& from_lines,
                             R* to, const LineSet& to_lines, const exec::Clock* clock,
                             const Queue& queue) {
  const LineSet in = simplified(from_lines), out = simplified(to_lines);
  const bool side_by_side = in.inner_stride == 1 && out.inner_stride == 1 && in.inner > 1;
  const LineArguments<R> a = line_arguments(tables, shape, from, in, to, out, side_by_side);
  const unsigned blocks = static_cast<unsigned>(a.groups * in.outer);
  const auto run = [&](auto kernel) {
    kernel<<<blocks, static_cast<unsigned>(shape.threads), shape.shared_bytes,
             static_cast<cudaStream_t>(queue.stream)>>>(a, clock);
  };
  using enum LineDirection;
  if (side_by_side) {
    direction == forward ? run(transform_lines_kernel<R, true, forward>)
                         : run(transform_lines_kernel<R, true, backward>);
  } else {
    direction == forward ? run(transform_lines_kernel<R, false, forward>)
                         : run(transform_lines_kernel<R, false, backward>);
  }
  exec::check_cuda(cudaGetLastError(), "cannot launch a transform of lines");
}

template struct LinesCuda<float>;
template struct LinesCuda<double>;

}  // namespace watersmeet::solve
