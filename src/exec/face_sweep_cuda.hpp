#pragma once
// The face form on CUDA, direction-fused schedule: a launch for each active axis, the first of
// which starts the rates in `out`, the others add to them, and the last one updates. Along its axis
// a launch converts a cell once, reconstructs it once and computes every flux once
// (face_row_cuda.hpp, face_march_cuda.hpp). In three dimensions 14 + 21 + 35 values a cell are
// moved: variables read and rates written; rates read as well; increments read and written as well.
//
// The old value of the two-register update stands in `out`: that form is refused.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "exec/back_end.hpp"
#include "exec/check_cuda.hpp"
#include "exec/face_march_cuda.hpp"
#include "exec/face_row_cuda.hpp"
#include "exec/sweep_plan.hpp"

namespace watersmeet::exec {

namespace detail {

template <class Kernel>
KernelReport sweep_report(const char* name, Kernel kernel, int threads, std::size_t shared_bytes) {
  allow_shared(kernel, shared_bytes, "this device has too little shared memory for the sweeps");
  KernelReport r = report_kernel(kernel, threads, shared_bytes);
  r.name = name;
  return r;
}

template <int axis, bool closes, class R, class Scheme, class Finish>
void launch_march(const CellArrays<R>& a, const StageUpdate<R>& update, const Scheme& scheme,
                  const Finish& finish, Clock* clock, const Queue& queue, bool first) {
  using Shape = MarchShape<R, Scheme>;
  const auto kernel = face_march_kernel<axis, closes, R, Scheme, Finish>;
  const int resident = of_device([kernel] {
    return resident_blocks(
        sweep_report("march", kernel, Shape::threads, Shape::template shared_bytes<closes>));
  });
  require(a.lower[0] % 4 == 0, "sweeps: the box must start at a multiple of 4 in x");
  constexpr int across = 3 - axis;
  Sweep sweep;
  sweep.first = first;
  sweep.march = sweep_plan(a.upper[0] - a.lower[0], a.upper[across] - a.lower[across],
                           a.upper[axis] - a.lower[axis], Shape::threads / 32,
                           pieces_at_once(resident, queue));
  kernel<<<unsigned(sweep.march.chunks.pieces()), Shape::threads,
           Shape::template shared_bytes<closes>, static_cast<cudaStream_t>(queue.stream)>>>(
      a, update, scheme, finish, clock, sweep);
  check_cuda(cudaGetLastError(), "cannot launch a sweep");
}

template <bool closes, class R, class Scheme, class Finish>
void launch_rows(const CellArrays<R>& a, const StageUpdate<R>& update, const Scheme& scheme,
                 const Finish& finish, Clock* clock, const Queue& queue) {
  using Shape = RowShape<R, Scheme>;
  const auto kernel = face_row_kernel<closes, R, Scheme, Finish>;
  const int resident = of_device([kernel] {
    return resident_blocks(sweep_report("rows", kernel, Shape::threads, Shape::shared_bytes));
  });
  constexpr int warps = Shape::threads / 32;
  const std::int64_t rows = std::int64_t(a.upper[1] - a.lower[1]) * (a.upper[2] - a.lower[2]);
  Sweep sweep;
  sweep.segments = (rows * (a.upper[0] - a.lower[0] + 2 * Scheme::radius) + 31) / 32;
  // Whole rounds of equal warps; chunks long enough for the extra segment of each not to matter.
  const std::int64_t at_once = std::int64_t(pieces_at_once(resident, queue)) * warps;
  const std::int64_t rounds = (sweep.segments + 256 * at_once - 1) / (256 * at_once);
  sweep.chunk = int(std::max((sweep.segments + rounds * at_once - 1) / (rounds * at_once),
                             std::min<std::int64_t>(sweep.segments, 4)));
  const std::int64_t per_block = std::int64_t(sweep.chunk) * warps;
  kernel<<<unsigned((sweep.segments + per_block - 1) / per_block), Shape::threads,
           Shape::shared_bytes, static_cast<cudaStream_t>(queue.stream)>>>(a, update, scheme,
                                                                           finish, clock, sweep);
  check_cuda(cudaGetLastError(), "cannot launch a sweep");
}

}  // namespace detail

// The launch of a stage along one of its active axes.
template <class R, class Scheme, class Finish>
void face_sweep(OnCuda, const CellArrays<R>& a, const StageUpdate<R>& update, const Scheme& scheme,
                const Finish& finish, Clock* clock, const Queue& queue, int axis) {
  bool first = true, closes = true;
  for (int before = 0; before < axis; ++before) first = first && !scheme.active(before);
  for (int after = axis + 1; after < 3; ++after) closes = closes && !scheme.active(after);
  if (axis == 0 && closes) detail::launch_rows<true>(a, update, scheme, finish, clock, queue);
  if (axis == 0 && !closes) detail::launch_rows<false>(a, update, scheme, finish, clock, queue);
  if (axis == 1 && closes)
    detail::launch_march<1, true>(a, update, scheme, finish, clock, queue, first);
  if (axis == 1 && !closes)
    detail::launch_march<1, false>(a, update, scheme, finish, clock, queue, first);
  if (axis == 2) detail::launch_march<2, true>(a, update, scheme, finish, clock, queue, first);
}

template <class R, class Scheme, class Finish>
void face_stage(OnCuda, const CellArrays<R>& a, const StageUpdate<R>& update, const Scheme& scheme,
                const Finish& finish, Clock* clock, const Queue& queue) {
  static_assert(Scheme::radius == 3, "five cells to an edge pair");
  require(update.form != UpdateForm::two,
          "sweeps carry their rates in `out`, which the update of two registers reads");
  bool any = false;
  for (int axis = 0; axis < 3; ++axis) {
    if (a.upper[axis] <= a.lower[axis]) return;
    any = any || scheme.active(axis);
  }
  require(any, "sweeps need an axis of more than one cell");
  for (int axis = 0; axis < 3; ++axis) {
    if (scheme.active(axis)) face_sweep(OnCuda{}, a, update, scheme, finish, clock, queue, axis);
  }
}

// Reports for the launches of a three-dimensional stage.
template <class R, class Scheme, class Finish>
std::vector<KernelReport> face_reports(OnCuda) {
  using March = MarchShape<R, Scheme>;
  using Row = RowShape<R, Scheme>;
  return {detail::sweep_report("sweep x", face_row_kernel<false, R, Scheme, Finish>, Row::threads,
                               Row::shared_bytes),
          detail::sweep_report("sweep y", face_march_kernel<1, false, R, Scheme, Finish>,
                               March::threads, March::template shared_bytes<false>),
          detail::sweep_report("sweep z", face_march_kernel<2, true, R, Scheme, Finish>,
                               March::threads, March::template shared_bytes<true>)};
}

}  // namespace watersmeet::exec
