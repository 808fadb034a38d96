#pragma once
// The sweep along x (face_sweep_cuda.hpp): a warp goes along rows of the box, each with its three
// ghosts on both sides, one after the other as one stream of cells, 32 at a time, so that no lane
// idles at the end of a row. Its lanes exchange states, edges and records through shared memory;
// lane l closes the cell of lane l - 1, whose records are its own and that of lane l - 1.
//
//     stream    | g g g 0 1 2 ... n-1 g g g | g g g 0 1 ...     edges across a row's end are of no
//     lanes       0 1 2 3 ...                   31 | 0 1        use to any cell

#include <cstdint>

#include "exec/face_update_cuda.hpp"

namespace watersmeet::exec {

template <class R, class Scheme>
struct RowShape : SweepTuning<R, Scheme::heavy> {
  static constexpr int threads = SweepTuning<R, Scheme::heavy>::row_threads;
  // Places of a warp: states of four times 32 cells, edges and records of twice 32.
  static constexpr int states = 128, faces = 64;
  static constexpr int warp_words =
      Scheme::states * (states + faces) + Scheme::records * faces + Scheme::kept * faces;
  static constexpr std::size_t shared_bytes = sizeof(R) * std::size_t(warp_words) * (threads / 32);
};

// A lane's cell in the stream of rows, and how it moves on by 32 cells. Beyond the last row it
// reads the last plane again, as cells of no use.
struct RowCursor {
  int i, j, k;
  std::int64_t at;
  bool ended;
  template <class R>
  __device__ RowCursor(const CellArrays<R>& a, std::int64_t position, int reach) {
    const int length = a.upper[0] - a.lower[0] + 2 * reach, rows = a.upper[1] - a.lower[1];
    const std::int64_t row = position / length;
    i = a.lower[0] - reach + int(position - row * length);
    j = a.lower[1] + int(row % rows);
    k = a.lower[2] + int(row / rows);
    ended = k >= a.upper[2];
    if (ended) k = a.upper[2] - 1;
    at = i + j * a.stride_j + k * a.stride_k;
  }
  template <class R>
  __device__ void advance(const CellArrays<R>& a, int reach) {
    i += 32;
    at += 32;
    while (i >= a.upper[0] + reach) {
      i -= a.upper[0] - a.lower[0] + 2 * reach;
      if (++j == a.upper[1]) {
        j = a.lower[1];
        if (k + 1 < a.upper[2]) {
          ++k;
        } else {
          ended = true;
        }
      }
      at = i + j * a.stride_j + k * a.stride_k;
    }
  }
};

// What is left of it when the cell's turn comes.
struct RowCell {
  int i;  // far below every cell when it is of no use
  Place place;
  std::int64_t at;
  __device__ RowCell(const RowCursor& c)
      : i(c.ended ? -(1 << 30) : c.i), place{c.i, c.j, c.k}, at(c.at) {}
};

template <bool closes, class R, class Scheme, class Finish>
__global__ void __launch_bounds__(RowShape<R, Scheme>::threads, RowShape<R, Scheme>::row_blocks)
    face_row_kernel(const __grid_constant__ CellArrays<R> a,
                    const __grid_constant__ StageUpdate<R> update,
                    const __grid_constant__ Scheme scheme, const __grid_constant__ Finish finish,
                    Clock* const clock, const __grid_constant__ Sweep sweep) {
  using Shape = RowShape<R, Scheme>;
  constexpr int n = Scheme::variables, reach = Scheme::radius;
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  if (!clock->active) return;
  const R dt = R(clock->dt);
  const int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
  R* const states = reinterpret_cast<R*>(shared_bytes) + warp * Shape::warp_words;
  R* const uppers = states + Scheme::states * Shape::states;
  R* const records = uppers + Scheme::states * Shape::faces;
  R* const kepts = records + Scheme::records * Shape::faces;

  // Segments of 32 cells [first, last) of this warp, and one before them for the records that its
  // first cell needs; none before the first row, whose first three cells are ghosts.
  const std::int64_t first =
      (std::int64_t(blockIdx.x) * (Shape::threads / 32) + warp) * sweep.chunk;
  const std::int64_t last = min(first + sweep.chunk, sweep.segments);
  const std::int64_t begin = max(first - 1, std::int64_t(0));
  R signal = R(0);
  const auto load = [&](const RowCursor& cell) {
    Vec<R, n> s;
#pragma unroll
    for (int v = 0; v < n; ++v) s[v] = a.in[cell.at + v * a.stride_var];
    return s;
  };
  const auto store = [&](int place, const Vec<R, n>& s, const RowCursor& cell) {
    const Vec<R, Scheme::states> w = state_at<R>(scheme, s, Place{cell.i, cell.j, cell.k});
#pragma unroll
    for (int v = 0; v < Scheme::states; ++v) {
      states[v * Shape::states + (place & (Shape::states - 1))] = w[v];
    }
  };
  int place = lane;  // of this lane's cell in the ring of states
  RowCursor ahead(a, 32 * begin + lane, reach);
  RowCell here = ahead;
  if (first < last) store(place, load(ahead), ahead);
  ahead.advance(a, reach);
  RowCell next = ahead;
  if (first < last) store(place + 32, load(ahead), ahead);
  ahead.advance(a, reach);
  __syncwarp();

#pragma unroll 1
  for (int left = int(last - begin), skip = int(first - begin); left > 0; --left, --skip) {
    const Vec<R, n> coming = load(ahead);
    const auto window = [&](int v, int d) {
      return states[v * Shape::states + ((place + d) & (Shape::states - 1))];
    };
    const Edges<R, Scheme::states> e = edges_at<0, R>(scheme, window, here.place);
    count_events(clock, e.fallbacks, skip <= 0 && here.i >= a.lower[0] && here.i < a.upper[0]);
    const int face = place & (Shape::faces - 1), before = (place - 1) & (Shape::faces - 1);
#pragma unroll
    for (int v = 0; v < Scheme::states; ++v) uppers[v * Shape::faces + face] = e.upper[v];
    if constexpr (Scheme::kept > 0) {
      Vec<R, Scheme::states> w;
#pragma unroll
      for (int v = 0; v < Scheme::states; ++v) w[v] = window(v, 0);
      const Vec<R, Scheme::kept> own = keep_at<0, R>(scheme, e, w, here.place);
#pragma unroll
      for (int v = 0; v < Scheme::kept; ++v) kepts[v * Shape::faces + face] = own[v];
    }
    __syncwarp();
    Vec<R, Scheme::states> below;
#pragma unroll
    for (int v = 0; v < Scheme::states; ++v) below[v] = uppers[v * Shape::faces + before];
    const Vec<R, Scheme::records> record = flux_at<0, R>(scheme, below, e.lower, here.place);
#pragma unroll
    for (int v = 0; v < Scheme::records; ++v) records[v * Shape::faces + face] = record[v];
    __syncwarp();

    if (skip <= 0 && here.i > a.lower[0] && here.i <= a.upper[0]) {
      Vec<R, Scheme::records> lower;
      Vec<R, Scheme::states> w;
      Vec<R, Scheme::kept> own;
#pragma unroll
      for (int v = 0; v < Scheme::records; ++v) lower[v] = records[v * Shape::faces + before];
#pragma unroll
      for (int v = 0; v < Scheme::states; ++v) w[v] = window(v, -1);
      if constexpr (Scheme::kept > 0) {
#pragma unroll
        for (int v = 0; v < Scheme::kept; ++v) own[v] = kepts[v * Shape::faces + before];
      }
      Vec<R, n> rate{};
      const Place cell{here.place.i - 1, here.place.j, here.place.k};
      add_at<0, R>(scheme, rate, lower, record, w, own, cell);
      const std::int64_t at = here.at - 1;
      if constexpr (closes) {
        signal = max_or_nan(signal, update_cell<R>(
                                        a, update, finish, dt, at, cell, rate,
                                        [&](int v) { return a.increment[v * a.stride_var + at]; },
                                        [&](int v) { return a.in[v * a.stride_var + at]; }));
      } else {
#pragma unroll
        for (int v = 0; v < n; ++v) a.out[v * a.stride_var + at] = rate[v];
      }
    }
    here = next;
    next = ahead;
    store(place + 64, coming, ahead);
    ahead.advance(a, reach);
    place += 32;
    __syncwarp();
  }
  if constexpr (closes) {
    if (update.last) report_block(clock, signal, 0);
  }
}

}  // namespace watersmeet::exec
