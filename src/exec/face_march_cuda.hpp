#pragma once
// The sweeps along y and z (face_sweep_cuda.hpp): a thread marches over a chunk of a column with
// five cells in registers. What it will need one cell later travels meanwhile into shared memory of
// its warp (cp.async, 16 bytes a copy): without that the loads' latency is what such a loop spends
// its time on, and registers for them are not left. Step m of a chunk [c0, c1):
//
//     planes of `in`     ... m-1   m    m+1   m+2 | m+3 in flight
//     edges of cell m:             ^
//     flux at m - 1/2:         ^       from the upper edge of the step before
//     cell m-1 closes:       ^         between the flux of the step before and this one
//
// A warp has 32 columns one after the other (sweep_plan.hpp); its lanes share their planes only in
// copying.

#include <cuda_pipeline_primitives.h>
#include <cstdint>

#include "exec/face_update_cuda.hpp"
#include "exec/sweep_plan.hpp"

namespace watersmeet::exec {

template <class R, class Scheme>
struct MarchShape : SweepTuning<R, Scheme::heavy> {
  static constexpr int threads = SweepTuning<R, Scheme::heavy>::march_threads;
  // Planes of a warp in shared memory: of `in` those that are not yet updated and the one in flight
  // (5, the next power of two), of rates and of old values the present and the next.
  static constexpr int planes = 8;
  static constexpr int plane_words = Scheme::variables * 32;
  template <bool closes>
  static constexpr int warp_planes = planes + (closes ? 4 : 2);
  template <bool closes>
  static constexpr std::size_t shared_bytes =
      sizeof(R) * std::size_t(plane_words) * std::size_t(warp_planes<closes>) * (threads / 32);
  // A plane comes in copies of 16 bytes, `rounds` a lane; a round brings round_variables.
  static constexpr int copy_words = 16 / int(sizeof(R)), copies_of_variable = 32 / copy_words;
  static constexpr int copies = Scheme::variables * copies_of_variable;
  static constexpr int rounds = (copies + 31) / 32, round_variables = 32 / copies_of_variable;
};

template <int axis, bool closes, class R, class Scheme, class Finish>
__global__ void __launch_bounds__(MarchShape<R, Scheme>::threads,
                                  MarchShape<R, Scheme>::march_blocks)
    face_march_kernel(const __grid_constant__ CellArrays<R> a,
                      const __grid_constant__ StageUpdate<R> update,
                      const __grid_constant__ Scheme scheme, const __grid_constant__ Finish finish,
                      Clock* const clock, const __grid_constant__ Sweep sweep) {
  using Shape = MarchShape<R, Scheme>;
  constexpr int n = Scheme::variables, across = 3 - axis;
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  if (!clock->active) return;
  const R dt = R(clock->dt);
  const int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
  R* const planes = reinterpret_cast<R*>(shared_bytes) +
                    warp * Shape::template warp_planes<closes> * Shape::plane_words;

  const std::int64_t stride = axis == 1 ? a.stride_j : a.stride_k;
  const std::int64_t stride_across = axis == 1 ? a.stride_k : a.stride_j;
  const ChunkPlan::Piece piece =
      sweep.march.chunks.piece(int(blockIdx.x), a.upper[axis] - a.lower[axis]);
  const int first_column = (piece.column * (Shape::threads / 32) + warp) * 32;
  const MarchColumn own = march_column(first_column + lane, sweep.march.row);
  const int i = a.lower[0] + own.i, t = a.lower[across] + own.t;
  const bool inside = i < a.upper[0] && t < a.upper[across];
  const int c0 = a.lower[axis] + piece.first, c1 = a.lower[axis] + piece.end;

  // Where this lane's copies come from, in the plane of cell 0 along the axis. Behind the last row
  // it is read again; behind the cells of a row lie at most three ghosts.
  const int place = lane % Shape::copies_of_variable * Shape::copy_words;
  const MarchColumn copied = march_column(first_column + place, sweep.march.row);
  const int copy_i = a.lower[0] + copied.i;
  const int copy_t = min(a.lower[across] + copied.t, a.upper[across] - 1);
  const std::int64_t copy_from = lane / Shape::copies_of_variable * a.stride_var +
                                 copy_t * stride_across + copy_i + c0 * stride;
  const auto fetch = [&](int slot, const R* from) {
    R* const to = planes + slot * Shape::plane_words + lane * Shape::copy_words;
#pragma unroll
    for (int round = 0; round < Shape::rounds; ++round) {
      if (round * 32 + 32 <= Shape::copies || round * 32 + lane < Shape::copies) {
        __pipeline_memcpy_async(to + round * 32 * Shape::copy_words,
                                from + round * Shape::round_variables * a.stride_var, 16);
      }
    }
  };
  const auto staged = [&](int slot, int v) {
    return planes[slot * Shape::plane_words + v * 32 + lane];
  };
  const auto slot_of = [](int plane) { return plane & (Shape::planes - 1); };
  const auto rate_slot = [](int cell) { return Shape::planes + (cell & 1); };
  const auto old_slot = [](int cell) { return Shape::planes + 2 + (cell & 1); };
  // The cell of this lane's column in a plane; lanes beyond the last column stand for it.
  const int column_i = min(i, a.upper[0] + 2), column_t = min(t, a.upper[across] - 1);
  const auto cell_at = [&](int plane) {
    return axis == 1 ? Place{column_i, plane, column_t} : Place{column_i, column_t, plane};
  };
  const auto converted = [&](int plane) {
    Vec<R, n> s;
#pragma unroll
    for (int v = 0; v < n; ++v) s[v] = staged(slot_of(plane), v);
    return state_at<R>(scheme, s, cell_at(plane));
  };

  const R* next_plane = a.in + copy_from - 3 * stride;
#pragma unroll
  for (int d = -3; d < 2; ++d, next_plane += stride) {
    fetch(slot_of(c0 + d), next_plane);
    if (d >= 0) __pipeline_commit();
  }
  __pipeline_wait_prior(1);
  __syncwarp();
  Vec<R, Scheme::states> w[5];  // of the cells m-2 .. m+2
#pragma unroll
  for (int d = 0; d < 4; ++d) w[d + 1] = converted(c0 - 3 + d);
  Vec<R, Scheme::states> upper = w[1];
  Vec<R, Scheme::records> record{};
  Vec<R, Scheme::kept> kept{};
  R signal = R(0);
  std::int64_t next_rate = copy_from;
  std::int64_t at = i + t * stride_across + (c0 - 2) * stride;  // of cell m - 1

#pragma unroll 1
  for (int m = c0 - 1; m <= c1; ++m, at += stride) {
    __pipeline_wait_prior(0);
    __syncwarp();
    if (m < c1) {
      fetch(slot_of(m + 3), next_plane);
      next_plane += stride;
      if (m >= c0) {
        if (!sweep.first) fetch(rate_slot(m), a.out + next_rate);
        if (closes && update.read_old) fetch(old_slot(m), a.increment + next_rate);
        next_rate += stride;
      }
    }
    __pipeline_commit();
#pragma unroll
    for (int d = 0; d < 4; ++d) w[d] = w[d + 1];
    w[4] = converted(m + 2);

    const Edges<R, Scheme::states> e = edges_at<axis, R>(
        scheme, [&](int v, int d) { return w[d + 2][v]; }, cell_at(m));
    count_events(clock, e.fallbacks, inside && m >= c0 && m < c1);
    if (m >= c0) {
      const Vec<R, Scheme::records> next = flux_at<axis, R>(scheme, upper, e.lower, cell_at(m));
      if (m > c0) {
        Vec<R, n> rate{};
        if (!sweep.first) {
#pragma unroll
          for (int v = 0; v < n; ++v) rate[v] = staged(rate_slot(m - 1), v);
        }
        add_at<axis, R>(scheme, rate, record, next, w[1], kept, cell_at(m - 1));
        if (inside) {
          if constexpr (closes) {
            signal = max_or_nan(signal, update_cell<R>(
                                            a, update, finish, dt, at, cell_at(m - 1), rate,
                                            [&](int v) { return staged(old_slot(m - 1), v); },
                                            [&](int v) { return staged(slot_of(m - 1), v); }));
          } else {
#pragma unroll
            for (int v = 0; v < n; ++v) a.out[v * a.stride_var + at] = rate[v];
          }
        }
      }
      record = next;
    }
    kept = keep_at<axis, R>(scheme, e, w[2], cell_at(m));
    upper = e.upper;
  }
  if constexpr (closes) {
    if (update.last) report_block(clock, signal, 0);
  }
}

}  // namespace watersmeet::exec
