#pragma once
// The face form on CUDA, direction-fused schedule: a launch for each active axis, the first of
// which starts the rates in `out`, the others add to them, and the last one updates. Along its axis
// a launch converts a cell once, reconstructs it once and computes every flux once.
//
// Along y and z a thread marches over a chunk of a column with five cells in registers. What it
// will need one cell later travels meanwhile into shared memory that it alone uses (cp.async):
// without that the loads' latency is what such a loop spends its time on, and registers for them
// are not left. Step p of a chunk [c0, c1), m = p - 2:
//
//     rows of `in`       ... m-1   m    m+1   m+2 = p | p+1 in flight
//     edges of cell m:              ^
//     flux at m - 1/2:          ^      from the upper edge of the step before
//     cell m-1 closes:       ^         between the flux of the step before and this one
//
// Along x a warp goes along rows of the box, each with its three ghosts on both sides, one after
// the other as one stream of cells, 32 at a time, and its lanes exchange states, edges and records
// through shared memory of their own: no lane idles at the end of a row. Lane l closes the cell of
// lane l - 1, whose records are its own and that of lane l - 1.

#include <cuda_pipeline_primitives.h>

#include <algorithm>
#include <vector>

#include "exec/cell_map_cuda.hpp"
#include "exec/check_cuda.hpp"
#include "exec/face.hpp"
#include "exec/tuning.hpp"

namespace watersmeet::exec {

// Which part of a stage a launch is, and how its work is cut.
struct Sweep {
  bool first = false;   // rates start at 0, else they are in `out`
  bool closes = false;  // updates, else leaves the rates in `out`
  int chunk = 1;        // cells along the axis of a thread (march), 32 cells of a warp (x)
  int column_blocks = 1;
};

// Adds the edges of a cell that were replaced to the record of the run.
template <class R>
__device__ void count_events(Clock* clock, R fallbacks, bool own) {
  if (own && fallbacks > R(0)) {
    atomicAdd(reinterpret_cast<unsigned long long*>(&clock->events),
              static_cast<unsigned long long>(fallbacks));
  }
}

// The update of a cell, `at` elements from cell (0, 0, 0); its signal in the last stage, else 0.
// old(v) and stored(v) are the old and the present values.
template <class R, class Finish, int n, class Old, class Stored>
__device__ R update_cell(const CellArrays<R>& a, const StageUpdate<R>& update, const Finish& finish,
                         R dt, std::int64_t at, const Vec<R, n>& rate, const Old& old,
                         const Stored& stored) {
  Vec<R, n> value;
#pragma unroll
  for (int v = 0; v < n; ++v) {
    const Updated<R> updated =
        advance_value(update, stored(v), update.read_old ? old(v) : R(0), rate[v], dt);
    value[v] = updated.value;
    if (update.form == UpdateForm::stored && update.write_increment) {
      a.increment[v * a.stride_var + at] = updated.increment;
    }
  }
  R signal = R(0);
  if (update.last) signal = finish(value);
#pragma unroll
  for (int v = 0; v < n; ++v) a.out[v * a.stride_var + at] = value[v];
  return signal;
}

template <class R, class Scheme>
struct MarchShape : SweepTuning<R, Scheme::heavy> {
  static constexpr int threads = SweepTuning<R, Scheme::heavy>::march_threads;
  // Planes in shared memory: of `in` those that are not yet updated and the one in flight (5, the
  // next power of two), of rates and of old values the present and the next.
  static constexpr int planes = 8;
  static constexpr int plane_words = Scheme::variables * threads;
  static constexpr std::size_t shared_bytes(bool closes) {
    return sizeof(R) * std::size_t(plane_words) * std::size_t(planes + (closes ? 4 : 2));
  }
};

template <int axis, class R, class Scheme, class Finish>
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
  R* const mine = reinterpret_cast<R*>(shared_bytes) + threadIdx.x;

  const int columns_x = a.upper[0] - a.lower[0];
  const int columns = columns_x * (a.upper[across] - a.lower[across]);
  const int wanted = int(blockIdx.x) % sweep.column_blocks * Shape::threads + int(threadIdx.x);
  const bool inside = wanted < columns;
  const int column = inside ? wanted : columns - 1;
  const int i = a.lower[0] + column % columns_x, t = a.lower[across] + column / columns_x;
  const int c0 = a.lower[axis] + int(blockIdx.x) / sweep.column_blocks * sweep.chunk;
  const int c1 = min(c0 + sweep.chunk, a.upper[axis]);
  const std::int64_t stride = axis == 1 ? a.stride_j : a.stride_k;
  const std::int64_t start = i + t * (axis == 1 ? a.stride_k : a.stride_j);

  const auto fetch = [&](int slot, const R* from) {
#pragma unroll
    for (int v = 0; v < n; ++v) {
      __pipeline_memcpy_async(mine + slot * Shape::plane_words + v * Shape::threads,
                              from + v * a.stride_var, sizeof(R));
    }
  };
  const auto staged = [&](int slot, int v) {
    return mine[slot * Shape::plane_words + v * Shape::threads];
  };
  const auto slot_of = [](int plane) { return plane & (Shape::planes - 1); };
  const auto rate_slot = [](int cell) { return Shape::planes + (cell & 1); };
  const auto old_slot = [](int cell) { return Shape::planes + 2 + (cell & 1); };
  const auto converted = [&](int plane) {
    Vec<R, n> s;
#pragma unroll
    for (int v = 0; v < n; ++v) s[v] = staged(slot_of(plane), v);
    return scheme.state(s);
  };

#pragma unroll
  for (int p = c0 - 3; p < c0 + 1; ++p) fetch(slot_of(p), a.in + start + p * stride);
  __pipeline_commit();
  fetch(slot_of(c0 + 1), a.in + start + (c0 + 1) * stride);
  __pipeline_commit();
  __pipeline_wait_prior(1);
  Vec<R, Scheme::states> w[5];  // of the cells m-2 .. m+2
#pragma unroll
  for (int d = 0; d < 4; ++d) w[d + 1] = converted(c0 - 3 + d);
  Vec<R, Scheme::states> upper = w[0];
  Vec<R, Scheme::records> record{};
  Vec<R, Scheme::kept> kept{};
  R signal = R(0);
  std::int64_t at = start + (c0 - 1) * stride;  // of cell m

#pragma unroll 1
  for (int m = c0 - 1; m <= c1; ++m, at += stride) {
    __pipeline_wait_prior(0);
    if (m < c1) {
      fetch(slot_of(m + 3), a.in + at + 3 * stride);
      if (m >= c0) {
        if (!sweep.first) fetch(rate_slot(m), a.out + at);
        if (sweep.closes && update.read_old) fetch(old_slot(m), a.increment + at);
      }
    }
    __pipeline_commit();
#pragma unroll
    for (int d = 0; d < 4; ++d) w[d] = w[d + 1];
    w[4] = converted(m + 2);

    const Edges<R, Scheme::states> e =
        scheme.template edges<R>([&](int v, int d) { return w[d + 2][v]; });
    count_events(clock, e.fallbacks, inside && m >= c0 && m < c1);
    if (m >= c0) {
      const Vec<R, Scheme::records> next = scheme.template flux<axis, R>(upper, e.lower);
      if (m > c0) {
        Vec<R, n> rate;
#pragma unroll
        for (int v = 0; v < n; ++v) rate[v] = sweep.first ? R(0) : staged(rate_slot(m - 1), v);
        scheme.template add<axis, R>(rate, record, next, w[1], kept, axis == 1 ? m - 1 : t);
        if (inside && !sweep.closes) {
#pragma unroll
          for (int v = 0; v < n; ++v) a.out[v * a.stride_var + (at - stride)] = rate[v];
        } else if (inside) {
          signal = max_or_nan(signal, update_cell<R>(
                                          a, update, finish, dt, at - stride, rate,
                                          [&](int v) { return staged(old_slot(m - 1), v); },
                                          [&](int v) { return staged(slot_of(m - 1), v); }));
        }
      }
      record = next;
    }
    kept = scheme.template keep<R>(e, w[2]);
    upper = e.upper;
  }
  if (sweep.closes && update.last) report_block(clock, signal, 0);
}

template <class R, class Scheme>
struct RowShape : SweepTuning<R, Scheme::heavy> {
  static constexpr int threads = SweepTuning<R, Scheme::heavy>::row_threads;
  // Of a warp: states of four times 32 cells, edges and records of twice 32.
  static constexpr int states = 128, faces = 64;
  static constexpr int warp_words =
      Scheme::states * (states + faces) + Scheme::records * faces + Scheme::kept * faces;
  static constexpr std::size_t shared_bytes = sizeof(R) * std::size_t(warp_words) * (threads / 32);
};

// A lane's place in the stream of rows, and how it moves on by 32 cells.
struct RowCursor {
  int i, j, k;
  template <class R>
  __device__ static RowCursor at(const CellArrays<R>& a, std::int64_t position, int reach) {
    const int length = a.upper[0] - a.lower[0] + 2 * reach, rows = a.upper[1] - a.lower[1];
    const std::int64_t row = position / length;
    return {a.lower[0] - reach + int(position - row * length), a.lower[1] + int(row % rows),
            a.lower[2] + int(row / rows)};
  }
  template <class R>
  __device__ void advance(const CellArrays<R>& a, int reach) {
    i += 32;
    while (i >= a.upper[0] + reach) {
      i -= a.upper[0] - a.lower[0] + 2 * reach;
      if (++j == a.upper[1]) {
        j = a.lower[1];
        ++k;
      }
    }
  }
  template <class R>
  __device__ std::int64_t offset(const CellArrays<R>& a) const {
    return i + j * a.stride_j + k * a.stride_k;
  }
};

template <class R, class Scheme, class Finish>
__global__ void __launch_bounds__(RowShape<R, Scheme>::threads, RowShape<R, Scheme>::row_blocks)
    face_row_kernel(const __grid_constant__ CellArrays<R> a,
                    const __grid_constant__ StageUpdate<R> update,
                    const __grid_constant__ Scheme scheme, const __grid_constant__ Finish finish,
                    Clock* const clock, const __grid_constant__ Sweep sweep,
                    const std::int64_t segments) {
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
  const std::int64_t last = min(first + sweep.chunk, segments);
  const std::int64_t begin = max(first - 1, std::int64_t(0));
  R signal = R(0);
  RowCursor ahead = RowCursor::at(a, 32 * begin + lane, reach), here = ahead;
  const auto load = [&]() {
    const R* const from =
        a.in + ahead.i + ahead.j * a.stride_j + min(ahead.k, a.upper[2] - 1) * a.stride_k;
    Vec<R, n> s;
#pragma unroll
    for (int v = 0; v < n; ++v) s[v] = from[v * a.stride_var];
    ahead.advance(a, reach);
    return s;
  };
  const auto store = [&](int place, const Vec<R, n>& s) {
    const Vec<R, Scheme::states> w = scheme.state(s);
#pragma unroll
    for (int v = 0; v < Scheme::states; ++v) {
      states[v * Shape::states + (place & (Shape::states - 1))] = w[v];
    }
  };
  int place = lane;  // of this lane's cell in the ring of states
  if (first < last) {
    store(place, load());
    store(place + 32, load());
    __syncwarp();
  }

#pragma unroll 1
  for (std::int64_t segment = begin; segment < last; ++segment, place += 32) {
    const Vec<R, n> coming = load();
    const auto window = [&](int v, int d) {
      return states[v * Shape::states + ((place + d) & (Shape::states - 1))];
    };
    const Edges<R, Scheme::states> e = scheme.template edges<R>(window);
    const bool in_box = here.k < a.upper[2] && segment >= first;
    count_events(clock, e.fallbacks, in_box && here.i >= a.lower[0] && here.i < a.upper[0]);
    const int face = place & (Shape::faces - 1), before = (place - 1) & (Shape::faces - 1);
#pragma unroll
    for (int v = 0; v < Scheme::states; ++v) uppers[v * Shape::faces + face] = e.upper[v];
    if constexpr (Scheme::kept > 0) {
      Vec<R, Scheme::states> w;
#pragma unroll
      for (int v = 0; v < Scheme::states; ++v) w[v] = window(v, 0);
      const Vec<R, Scheme::kept> own = scheme.template keep<R>(e, w);
#pragma unroll
      for (int v = 0; v < Scheme::kept; ++v) kepts[v * Shape::faces + face] = own[v];
    }
    __syncwarp();
    Vec<R, Scheme::states> left;
#pragma unroll
    for (int v = 0; v < Scheme::states; ++v) left[v] = uppers[v * Shape::faces + before];
    const Vec<R, Scheme::records> record = scheme.template flux<0, R>(left, e.lower);
#pragma unroll
    for (int v = 0; v < Scheme::records; ++v) records[v * Shape::faces + face] = record[v];
    __syncwarp();

    if (in_box && here.i > a.lower[0] && here.i <= a.upper[0]) {
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
      scheme.template add<0, R>(rate, lower, record, w, own, here.j);
      const std::int64_t at = here.offset(a) - 1;
      if (!sweep.closes) {
#pragma unroll
        for (int v = 0; v < n; ++v) a.out[v * a.stride_var + at] = rate[v];
      } else {
        signal = max_or_nan(signal, update_cell<R>(
                                        a, update, finish, dt, at, rate,
                                        [&](int v) { return a.increment[v * a.stride_var + at]; },
                                        [&](int v) { return a.in[v * a.stride_var + at]; }));
      }
    }
    here.advance(a, reach);
    store(place + 64, coming);
    __syncwarp();
  }
  if (sweep.closes && update.last) report_block(clock, signal, 0);
}

namespace detail {

// Blocks of a launch that the device holds at once, less what messages under way displace.
inline int sweep_residents(int resident, const Queue& queue) {
  const int displaced = queue.beside_messages ? blocks_displaced_by_messages : 0;
  return std::max({1, resident / 2, resident - displaced});
}

template <class Kernel>
KernelReport sweep_report(const char* name, Kernel kernel, int threads, std::size_t shared_bytes) {
  check_cuda(
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(shared_bytes)),
      "this device has too little shared memory for the sweeps");
  KernelReport r = report_kernel(kernel, threads, shared_bytes);
  r.name = name;
  return r;
}

template <class Kernel>
int blocks_on_device(const char* name, Kernel kernel, int threads, std::size_t shared_bytes) {
  int index = 0, processors = 1;
  check_cuda(cudaGetDevice(&index), "no current device");
  check_cuda(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, index),
             "cannot read the device");
  return processors *
         std::max(1, sweep_report(name, kernel, threads, shared_bytes).blocks_per_multiprocessor);
}

// Cells of a chunk such that the rounds of blocks waste least: a chunk reconstructs two cells more
// than it updates and waits for its first five.
inline int march_chunk(int column_blocks, int cells, int resident) {
  int best = cells;
  double best_cost = 1e300;
  for (int chunks = 1; chunks <= std::max(1, cells / 12); ++chunks) {
    const int chunk = (cells + chunks - 1) / chunks;
    const std::int64_t blocks = std::int64_t(column_blocks) * ((cells + chunk - 1) / chunk);
    const double cost = double((blocks + resident - 1) / resident) * (chunk + 4);
    if (cost < 0.999 * best_cost) {
      best_cost = cost;
      best = chunk;
    }
  }
  return best;
}

template <int axis, class R, class Scheme, class Finish>
void launch_march(const CellArrays<R>& a, const StageUpdate<R>& update, const Scheme& scheme,
                  const Finish& finish, Clock* clock, const Queue& queue, Sweep sweep) {
  using Shape = MarchShape<R, Scheme>;
  const auto kernel = face_march_kernel<axis, R, Scheme, Finish>;
  static const int resident =
      blocks_on_device("march", kernel, Shape::threads, Shape::shared_bytes(true));
  constexpr int across = 3 - axis;
  const int columns = (a.upper[0] - a.lower[0]) * (a.upper[across] - a.lower[across]);
  const int cells = a.upper[axis] - a.lower[axis];
  sweep.column_blocks = (columns + Shape::threads - 1) / Shape::threads;
  sweep.chunk = march_chunk(sweep.column_blocks, cells, sweep_residents(resident, queue));
  const int chunks = (cells + sweep.chunk - 1) / sweep.chunk;
  kernel<<<unsigned(sweep.column_blocks * chunks), Shape::threads,
           Shape::shared_bytes(sweep.closes), static_cast<cudaStream_t>(queue.stream)>>>(
      a, update, scheme, finish, clock, sweep);
  check_cuda(cudaGetLastError(), "cannot launch a sweep");
}

template <class R, class Scheme, class Finish>
void launch_rows(const CellArrays<R>& a, const StageUpdate<R>& update, const Scheme& scheme,
                 const Finish& finish, Clock* clock, const Queue& queue, Sweep sweep) {
  using Shape = RowShape<R, Scheme>;
  const auto kernel = face_row_kernel<R, Scheme, Finish>;
  static const int resident = blocks_on_device("rows", kernel, Shape::threads, Shape::shared_bytes);
  constexpr int warps = Shape::threads / 32;
  const std::int64_t rows = std::int64_t(a.upper[1] - a.lower[1]) * (a.upper[2] - a.lower[2]);
  const std::int64_t cells = rows * (a.upper[0] - a.lower[0] + 2 * Scheme::radius);
  const std::int64_t segments = (cells + 31) / 32;
  // Whole rounds of equal warps; long enough for the extra segment of each not to matter.
  const std::int64_t at_once = std::int64_t(sweep_residents(resident, queue)) * warps;
  const std::int64_t rounds = (segments + 256 * at_once - 1) / (256 * at_once);
  sweep.chunk = int(std::max((segments + rounds * at_once - 1) / (rounds * at_once),
                             std::min<std::int64_t>(segments, 4)));
  const std::int64_t blocks =
      (segments + std::int64_t(sweep.chunk) * warps - 1) / (std::int64_t(sweep.chunk) * warps);
  kernel<<<unsigned(blocks), Shape::threads, Shape::shared_bytes,
           static_cast<cudaStream_t>(queue.stream)>>>(a, update, scheme, finish, clock, sweep,
                                                      segments);
  check_cuda(cudaGetLastError(), "cannot launch a sweep");
}

}  // namespace detail

template <class R, class Scheme, class Finish>
void face_stage_sweeps(const CellArrays<R>& a, const StageUpdate<R>& update, const Scheme& scheme,
                       const Finish& finish, Clock* clock, const Queue& queue) {
  static_assert(Scheme::radius == 3, "five cells to an edge pair");
  require(update.form != UpdateForm::two,
          "sweeps carry their rates in `out`, which the update of two registers reads");
  int last = -1;
  for (int axis = 0; axis < 3; ++axis) {
    if (a.upper[axis] <= a.lower[axis]) return;
    if (scheme.active(axis)) last = axis;
  }
  require(last >= 0, "sweeps need an axis of more than one cell");
  Sweep sweep;
  sweep.first = true;
  for (int axis = 0; axis <= last; ++axis) {
    if (!scheme.active(axis)) continue;
    sweep.closes = axis == last;
    if (axis == 0) detail::launch_rows(a, update, scheme, finish, clock, queue, sweep);
    if (axis == 1) detail::launch_march<1>(a, update, scheme, finish, clock, queue, sweep);
    if (axis == 2) detail::launch_march<2>(a, update, scheme, finish, clock, queue, sweep);
    sweep.first = false;
  }
}

// Of the launches of a three-dimensional stage.
template <class R, class Scheme, class Finish>
std::vector<KernelReport> sweep_reports() {
  using March = MarchShape<R, Scheme>;
  using Row = RowShape<R, Scheme>;
  return {detail::sweep_report("x", face_row_kernel<R, Scheme, Finish>, Row::threads,
                               Row::shared_bytes),
          detail::sweep_report("y", face_march_kernel<1, R, Scheme, Finish>, March::threads,
                               March::shared_bytes(false)),
          detail::sweep_report("z", face_march_kernel<2, R, Scheme, Finish>, March::threads,
                               March::shared_bytes(true))};
}

}  // namespace watersmeet::exec
