#pragma once
// The kernel of source terms around the expressions of a case. Both are compiled while the program runs (exec/source_compiler_cuda.cpp), which
// writes the struct `Case`:
//
//   of_side                        whether it writes values at a side, in place of rates in cells
//   programs, scalars, cells       how many variables it adds to, how many numbers it makes of time alone, how many cells a thread takes
//   variable(p)                    to which program p adds
//   scalar(n, step)                number n of those
//   Inputs, read(...)              what the expressions read in a cell
//   rates(inputs, step, scalars, rate)
//
// All reads of a thread in a tile come before its writes, so that they are under way together; the pass is bound by them.

#include "core/operations.hpp"
#include "core/table_look_up.hpp"
#include "exec/source_pass.hpp"

namespace watersmeet::exec {

// Where a cell lies in the registers and in the part.
struct SourceCell {
  std::int64_t at = 0;
  std::int64_t stride_j = 0, stride_k = 0, stride_var = 0;
  std::int64_t i = 0, j = 0, k = 0;
};

// Blocks go over tiles of segments of rows in strides of the grid, so that few of them wait for what depends on time alone.
template <class Case, class R>
__device__ void add_sources_of(const SourcePass& s) {
  if (!*s.active && !s.rule.rates) return;
  SourceStep step;
  if constexpr (Case::of_side) {
    step = side_step(s.rule, *s.t, *s.dt, *s.t_end, *s.pending != 0);
  } else {
    step = source_step(s.rule, *s.t, *s.dt, *s.dt_before);
  }
  __shared__ double scalars[Case::scalars + 1];
  if constexpr (Case::scalars > 0) {
    const int thread = int(threadIdx.y * source_columns + threadIdx.x);
    if (thread < Case::scalars) scalars[thread] = Case::scalar(thread, step);
    __syncthreads();
  }
  // Segments of rows are counted along a row, through the rows of a plane, and through planes.
  const unsigned size_i = unsigned(s.upper[0] - s.lower[0]),
                 size_j = unsigned(s.upper[1] - s.lower[1]),
                 size_k = unsigned(s.upper[2] - s.lower[2]),
                 segments_i = (size_i + source_columns - 1) / source_columns,
                 segments = segments_i * size_j * size_k;
  constexpr unsigned of_tile = source_rows * Case::cells;
  const unsigned tiles = (segments + of_tile - 1) / of_tile;
  const R* const in = static_cast<const R*>(s.in);
  const R* const extra = static_cast<const R*>(s.extra);
  R* const out = static_cast<R*>(s.out);
  R* const increment = static_cast<R*>(s.increment);
  const std::int64_t out_stride = Case::of_side ? s.table : s.stride_var;
  bool finite = true;
  for (unsigned tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    typename Case::Inputs inputs[Case::cells];
    R old_out[Case::cells][Case::programs], old_increment[Case::cells][Case::programs];
    std::int64_t to[Case::cells];  // from the start of `out`
    bool there[Case::cells];
    // Those of a thread follow each other. Divisions take as long as what else is computed in a cell: one for all of them.
    const unsigned segment = tile * of_tile + threadIdx.y * Case::cells, row = segment / segments_i;
    unsigned column_of_segment = segment % segments_i * source_columns, plane_row = row % size_j,
             plane = row / size_j;
#pragma unroll
    for (int c = 0; c < Case::cells; ++c) {
      const unsigned column = column_of_segment + threadIdx.x;
      const std::int64_t i = s.lower[0] + int(column), j = s.lower[1] + int(plane_row),
                         k = s.lower[2] + int(plane);
      there[c] = plane < size_k && column < size_i;
      column_of_segment += source_columns;
      if (column_of_segment >= size_i) {
        column_of_segment = 0;
        ++plane_row;
        if (plane_row == size_j) {
          plane_row = 0;
          ++plane;
        }
      }
      if (!there[c]) continue;
      const std::int64_t at = i + j * s.stride_j + k * s.stride_k;
      to[c] =
          Case::of_side ? i * s.side_stride[0] + j * s.side_stride[1] + k * s.side_stride[2] : at;
      Case::read(in, extra,
                 SourceCell{at, s.stride_j, s.stride_k, s.stride_var, i + s.first[0],
                            j + s.first[1], k + s.first[2]},
                 inputs[c]);
#pragma unroll
      for (int p = 0; p < Case::programs; ++p) {
        const std::int64_t place = to[c] + Case::variable(p) * out_stride;
        old_out[c][p] = s.rule.rates ? R(0) : out[place];
        if (s.rule.writes_increment) old_increment[c][p] = increment[place];
      }
    }
#pragma unroll
    for (int c = 0; c < Case::cells; ++c) {
      if (!there[c]) continue;
      double rate[Case::programs];
      Case::rates(inputs[c], step, scalars, rate);
#pragma unroll
      for (int p = 0; p < Case::programs; ++p) {
        const std::int64_t place = to[c] + Case::variable(p) * out_stride;
        const R value = R(fma_(step.to_out, rate[p], double(old_out[c][p])));
        out[place] = value;
        finite = finite && value - value == R(0);
        if (s.rule.writes_increment)
          increment[place] = R(fma_(step.to_increment, rate[p], double(old_increment[c][p])));
      }
    }
  }
  if (!finite) {
    atomicMax(reinterpret_cast<unsigned long long*>(s.signal_bits),
              static_cast<unsigned long long>(not_a_signal));
  }
}

}  // namespace watersmeet::exec
