#pragma once
// The face form on a plane on CUDA: a warp marches along y over a strip of columns, a cell a lane.
// Nothing is shared but by shuffles, so that no warp waits for another and no cell, edge or record
// is made twice but at the rims of strips and chunks:
//
//   x   the states of the cells left and right come from the lanes beside; so do the upper edge of
//       the cell to the left and the record of the upper face
//   y   three rows of states stay in registers, and the edges and record of the row before
//
// Step m of a chunk [j0, j1):
//
//     states of rows         m-1   m   m+1 | m+2 on its way
//     edges along y of row m       ^         flux at m - 1/2 with the upper edge of the step before
//     row m-1 closes          ^              between the flux of the step before and this one
//     gain along x of row m        ^         looking at the rows m-1 and m+1, kept for that
//
// Lanes 0, 1, 30 and 31 hold the cells around a strip's 28 (plane_plan.hpp).

#include <cstdint>

#include "exec/back_end.hpp"
#include "exec/cell_map_cuda.hpp"
#include "exec/check_cuda.hpp"
#include "exec/face_update_cuda.hpp"
#include "exec/plane.hpp"
#include "exec/plane_plan.hpp"
#include "exec/tuning.hpp"

namespace watersmeet::exec {

namespace detail {

template <class R, int n>
__device__ __forceinline__ Vec<R, n> from_left(const Vec<R, n>& mine) {
  Vec<R, n> r;
#pragma unroll
  for (int v = 0; v < n; ++v) r[v] = __shfl_up_sync(0xffffffffu, mine[v], 1);
  return r;
}
template <class R, int n>
__device__ __forceinline__ Vec<R, n> from_right(const Vec<R, n>& mine) {
  Vec<R, n> r;
#pragma unroll
  for (int v = 0; v < n; ++v) r[v] = __shfl_down_sync(0xffffffffu, mine[v], 1);
  return r;
}

// The values of a cell as they come from memory.
template <class R, int n>
struct PlaneCell {
  Vec<R, n> stored;
  R fixed;
};

// The update of the cell `place`, `at` elements from cell (0, 0, 0); its signal in the last stage,
// else 0.
template <class R, class Scheme>
__device__ __forceinline__ R update_plane_cell(const CellArrays<R>& a, const StageUpdate<R>& update,
                                               const Scheme& scheme, R dt, const PlanePlace& place,
                                               std::int64_t at, const Vec<R, Scheme::rates>& rate,
                                               const Vec<R, Scheme::variables>& old,
                                               const PlaneCell<R, Scheme::variables>& cell) {
  constexpr int n = Scheme::variables;
  Vec<R, n> value;
  const bool increments = update.form == UpdateForm::stored && update.write_increment;
#pragma unroll
  for (int v = 0; v < n; ++v) {
    const Updated<R> updated = advance_value(update, cell.stored[v], old[v], rate[v], dt);
    value[v] = updated.value;
    if (increments) a.increment[v * a.stride_var + at] = updated.increment;
  }
  scheme.settle(value, cell.fixed, place);
  R signal = R(0);
  if (update.last) signal = scheme.finish(value, cell.fixed, place);
  const auto store = [&](R* out, std::int64_t stride_var) {
#pragma unroll
    for (int v = 0; v < n; ++v) out[v * stride_var + at] = value[v];
  };
  store(a.out, a.stride_var);
  store_far(a, a.far_axis == 1 ? place.j : place.k, store);
  return signal;
}

}  // namespace detail

template <class R, class Scheme>
__global__ void __launch_bounds__(PlaneTuning<R, Scheme::heavy>::threads,
                                  PlaneTuning<R, Scheme::heavy>::blocks)
    plane_kernel(const __grid_constant__ CellArrays<R> a,
                 const __grid_constant__ StageUpdate<R> update,
                 const __grid_constant__ Scheme scheme, Clock* const clock,
                 const __grid_constant__ PlanePlan plan) {
  constexpr int n = Scheme::variables, states = Scheme::states;
  using Edge = Vec<R, Scheme::edge_values>;
  if (!clock->active) return;
  const R dt = R(clock->dt);
  const int lane = int(threadIdx.x) % plane_lanes;
  const int warp = int(blockIdx.x) * (PlaneTuning<R, Scheme::heavy>::threads / plane_lanes) +
                   int(threadIdx.x) / plane_lanes;
  // Warps behind the last piece do work of the first one, and store nothing.
  const bool working = warp < plan.chunks.pieces();
  const ChunkPlan::Piece piece = plan.chunks.piece(working ? warp : 0, a.upper[1] - a.lower[1]);
  const int strip = piece.column % plan.strips, layer = piece.column / plan.strips;
  const int i = a.lower[0] + strip * plane_columns + lane - plane_halo;
  const bool inside =
      lane >= plane_halo && lane < plane_lanes - plane_halo && i < a.upper[0] && working;
  const int k = a.lower[2] + layer;
  const int j0 = a.lower[1] + piece.first, j1 = a.lower[1] + piece.end;
  // Behind the last ghost it is read again.
  const std::int64_t column = min(i, a.upper[0] + plane_halo - 1);
  const bool has_x = scheme.active(0), has_y = scheme.active(1);

  const auto fetch = [&](int j) {
    const std::int64_t at = column + j * a.stride_j + k * a.stride_k;
    detail::PlaneCell<R, n> cell;
#pragma unroll
    for (int v = 0; v < n; ++v) cell.stored[v] = a.in[v * a.stride_var + at];
    cell.fixed = fixed_value<R>(a, at);
    return cell;
  };
  const auto converted = [&](const detail::PlaneCell<R, n>& cell) {
    return scheme.template state<R>(cell.stored, cell.fixed);
  };
  const R* const old_start = old_values(a, update.form);

  // Rows m-1, m, m+1. Without faces along y the one row is its own neighbour: stride_j is 0.
  const int first = has_y ? j0 - 1 : j0, last = has_y ? j1 : j1 - 1;
  Vec<R, states> s0 = converted(fetch(first - 1)), s1, s2;
  detail::PlaneCell<R, n> here = fetch(first), above = fetch(first + 1), closing = here;
  s1 = converted(here);
  s2 = converted(above);
  Edge upper{};
  Vec<R, Scheme::records> record{};
  Vec<R, Scheme::kept> kept_y{};
  Vec<R, Scheme::rates> gain_x{};
  R signal = R(0);

#pragma unroll 1
  for (int m = first; m <= last; ++m) {
    // Row m + 2 travels while row m is computed; behind the rows that anybody needs the last one is
    // read again.
    const detail::PlaneCell<R, n> coming = fetch(has_y ? min(m + 2, j1 + 1) : m);
    const int row = has_y ? m - 1 : m;  // that closes in this step
    const std::int64_t at = i + row * a.stride_j + k * a.stride_k;
    Vec<R, n> old{};
    if (update.read_old && inside && row >= j0) {
#pragma unroll
      for (int v = 0; v < n; ++v) old[v] = old_start[v * a.stride_var + at];
    }
    const Vec<R, states> left = detail::from_left(s1), right = detail::from_right(s1);

    Vec<R, Scheme::rates> along_x{};
    if (has_x && (!has_y || (m >= j0 && m < j1))) {
      const auto e = scheme.template edges<0, R>([&](int v, int along, int across) {
        return along < 0    ? left[v]
               : along > 0  ? right[v]
               : across < 0 ? s0[v]
               : across > 0 ? s2[v]
                            : s1[v];
      });
      auto lower = scheme.template flux<0, R>(detail::from_left(e.upper), e.lower, dt, {i, m, k});
      if constexpr (HasRims<Scheme>) {
        if (i == scheme.rim_face(0, false) || i == scheme.rim_face(0, true)) {
          lower = scheme.template rim<0, R>(i == scheme.rim_face(0, true), m, k);
        }
      }
      along_x =
          scheme.template gain<0, R>(lower, detail::from_right(lower), scheme.keep(e), {i, m, k});
    }
    if (has_y) {
      const auto e = scheme.template edges<1, R>([&](int v, int along, int across) {
        return along < 0    ? s0[v]
               : along > 0  ? s2[v]
               : across < 0 ? left[v]
               : across > 0 ? right[v]
                            : s1[v];
      });
      Vec<R, Scheme::records> next = scheme.template flux<1, R>(upper, e.lower, dt, {i, m, k});
      if constexpr (HasRims<Scheme>) {
        if (m == scheme.rim_face(1, false) || m == scheme.rim_face(1, true)) {
          next = scheme.template rim<1, R>(m == scheme.rim_face(1, true), int(column), k);
        }
      }
      if (row >= j0 && inside) {
        const auto along_y = scheme.template gain<1, R>(record, next, kept_y, {i, row, k});
        Vec<R, Scheme::rates> rate;
#pragma unroll
        for (int v = 0; v < Scheme::rates; ++v) rate[v] = gain_x[v] + along_y[v];
        scheme.add_sources(rate, s0, closing.stored, {i, row, k}, dt);
        signal = max_or_nan(signal, detail::update_plane_cell(a, update, scheme, dt, {i, row, k},
                                                              at, rate, old, closing));
      }
      record = next;
      upper = e.upper;
      kept_y = scheme.keep(e);
      gain_x = along_x;
      closing = here;
      here = above;
      above = coming;
      s0 = s1;
      s1 = s2;
      s2 = converted(coming);
    } else if (inside) {
      Vec<R, Scheme::rates> rate = along_x;
      scheme.add_sources(rate, s1, here.stored, {i, row, k}, dt);
      signal = max_or_nan(signal, detail::update_plane_cell(a, update, scheme, dt, {i, row, k}, at,
                                                            rate, old, here));
    }
  }
  if (update.last) report_block(clock, signal, std::uint64_t{0});
}

template <class R, class Scheme>
KernelReport plane_report(OnCuda) {
  KernelReport report =
      report_kernel(plane_kernel<R, Scheme>, PlaneTuning<R, Scheme::heavy>::threads, 0);
  report.name = "march";
  return report;
}

// One fused stage over the box of `a`.
template <class R, class Scheme>
void plane_stage(OnCuda, const CellArrays<R>& a, const StageUpdate<R>& update, const Scheme& scheme,
                 Clock* clock, const Queue& queue) {
  const int resident = of_device([] {  // warps
    const KernelReport report = plane_report<R, Scheme>(OnCuda{});
    return resident_blocks(report) * (report.threads / 32);
  });
  constexpr int warps_of_block = PlaneTuning<R, Scheme::heavy>::threads / plane_lanes;
  const int cells = a.upper[0] - a.lower[0], rows = a.upper[1] - a.lower[1];
  const int planes = a.upper[2] - a.lower[2];
  if (cells <= 0 || rows <= 0 || planes <= 0) return;
  const PlanePlan plan =
      plane_plan(cells, rows, pieces_at_once(resident, queue, warps_of_block), planes);
  const auto blocks = unsigned((plan.chunks.pieces() + warps_of_block - 1) / warps_of_block);
  plane_kernel<R, Scheme>
      <<<blocks, PlaneTuning<R, Scheme::heavy>::threads, 0,
         static_cast<cudaStream_t>(queue.stream)>>>(a, update, scheme, clock, plan);
  check_cuda(cudaGetLastError(), "cannot launch a stage");
}

}  // namespace watersmeet::exec
