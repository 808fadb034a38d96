#pragma once
// Arguments of the kernels of lines, from arrays and line sets. Included by CUDA files only.

#include <cstdint>

#include "exec/check_cuda.hpp"
#include "solve/poisson/line_block.hpp"
#include "solve/poisson/line_team_cuda.hpp"

namespace watersmeet::solve {

// Whether rows or columns of lines begin at multiples of `bytes`.
template <class R>
bool aligned_to(std::size_t bytes, const R* start, const LineSet& s, bool side_by_side) {
  const auto multiple = [&](std::int64_t elements) {
    return static_cast<std::size_t>(elements < 0 ? -elements : elements) * sizeof(R) % bytes == 0;
  };
  return reinterpret_cast<std::uintptr_t>(start) % bytes == 0 && multiple(s.outer_stride) &&
         (side_by_side ? s.inner_stride == 1 && multiple(s.stride)
                       : s.stride == 1 && multiple(s.inner_stride));
}

template <class R>
LineArguments<R> line_arguments(const LineTables<R>& tables, const LineShape& shape, const R* from,
                                const LineSet& in, R* to, const LineSet& out, bool side_by_side) {
  LineArguments<R> a;
  a.t = tables;
  a.shape = shape;
  a.from = from;
  a.to = to;
  a.in = in;
  a.out = out;
  const std::int64_t group = std::int64_t{2} << shape.log2_pairs;
  a.groups = (in.inner + group - 1) / group;
  a.wide = aligned_to(16, from, in, side_by_side) &&
           (!side_by_side || static_cast<std::size_t>(group) * sizeof(R) >= 16);
  a.wide_pairs = side_by_side && aligned_to(2 * sizeof(R), to, out, true);
  return a;
}

}  // namespace watersmeet::solve
