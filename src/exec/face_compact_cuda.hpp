#pragma once
// The face form on CUDA, tile schedule for schemes whose edges are made from the cell and its two
// neighbours: a face then needs four cells, and making both of its edges on the spot costs no more
// than handing edges around. All axes are in one launch; a block of 32 x `rows` threads, one warp a
// row, marches in z over a tile of columns, and everything between the stored variables and the
// updated ones stays in registers and shared memory. Plane k of the march:
//
//   x and y records of k         below the own cell, from the plane; y goes up one row in shared
//                                memory, and two warps in turn make the records at the rim, above
//                                row rows - 1 and column 31, by the same code
//   plane k + 3                  arrived meanwhile (cp.async) and is made primitive in place
//   arrive
//   z edges of k + 1 and record  a column is one thread's own: no exchange
//   wait
//   rate and update of k
//
// A thread arrives, does work that is independent, and only then waits. Plane k + 3 comes in the
// place of plane k - 1, which is not read any more once all have arrived in round k - 1; records
// along y are kept for two rounds, so that the next round may write while this one is read.
//
// Two planes more at the beginning of a march do z only, to have the record and the edge below its
// first cell. Rates add up along x, y, z as in the sweeps (face_sweep_cuda.hpp), to the same bits.
//
// Edges that look across their axis (c3 of the kappa scheme) need plane k - 1 as well, a fifth
// plane in shared memory, and the corners of the halo.
//
// Needs three active axes, a box whose lower x index is a multiple of 4, and as many states that
// are seen (exec/face.hpp) as variables. Does not count replaced edges: schemes with three cells to
// an edge have none.

#include <cstdint>

#include <algorithm>

#include "exec/cell_map_cuda.hpp"
#include "exec/check_cuda.hpp"
#include "exec/face_tile_launch_cuda.hpp"
#include "exec/face_tile_planes_cuda.hpp"
#include "exec/face_update_cuda.hpp"
#include "exec/tile_meeting_cuda.hpp"
#include "exec/tuning.hpp"

namespace watersmeet::exec {

template <class R, class Scheme, class Tuning = CompactTuning<R>>
struct CompactShape {
  static constexpr int columns = 32, rows = Tuning::rows, blocks = Tuning::blocks;
  static constexpr int threads = columns * rows;
  static constexpr bool split = Tuning::split;
  static constexpr int piece = 16 / int(sizeof(R));
  // Halo, and its columns on each side: whole pieces.
  static constexpr int reach = 2, lead = std::max(reach, piece);
  static constexpr bool corners = LooksAcross<Scheme>;
  static constexpr int before = corners ? 1 : 0;
  static constexpr int slots = 4 + before;  // planes k - before .. k + 2 and one to come
  static constexpr int pitch = columns + 2 * lead;
  static constexpr int state_words = pitch * (rows + 2 * reach);
  static constexpr int plane_words = state_words * Scheme::variables;

  // Behind the planes, twice each: records below rows 0 .. rows, and those above column 31.
  static constexpr int record_words = columns * (rows + 1);
  static constexpr int y_records = plane_words * slots;
  static constexpr int x_records = y_records + 2 * record_words * Scheme::records;
  static constexpr int words = x_records + 2 * rows * Scheme::records;
  static constexpr std::size_t shared_bytes = sizeof(R) * std::size_t(words);

  static constexpr int row_pieces = pitch / piece, inner_pieces = columns / piece;
  static constexpr int pieces =
      rows * row_pieces + 2 * reach * (corners ? row_pieces : inner_pieces);
  static constexpr int pieces_per_thread = (pieces + threads - 1) / threads;
  static_assert(seen_states<Scheme> == Scheme::variables, "planes are converted in place");
  static_assert(Scheme::edge_reach == 1, "edges from the cell and its two neighbours");
  static_assert(rows >= 2 && rows <= columns, "a lane a row at the rim, two warps for it");
};

namespace detail {

// A window along a column: plane k in registers, k + 1 and k + 2 in shared memory; m counts from k + 1.
template <class R, int states, int state_words>
struct RisingWindow {
  const Vec<R, states>& below;
  const R* here;
  const R* above;
  int pitch;
  WM_HD R operator()(int v, int m) const {
    return m < 0 ? below[v] : m == 0 ? here[v * state_words] : above[v * state_words];
  }
  WM_HD R across(int v) const {
    const R* const p = here + v * state_words;
    return ((p[-1] - p[0]) + (p[1] - p[0])) + ((p[-pitch] - p[0]) + (p[pitch] - p[0]));
  }
  WM_HD R step(int v, int n, int m) const {
    const R* const p = here + v * state_words;
    return p[n == 0 ? m : m * pitch] - p[0];
  }
};

// A window in a plane: neighbours are `stride` words apart; those across are `other` words apart and at `lower`
// and `upper` words from here in the planes k - 1 and k + 1.
template <class R, int state_words>
struct TileWindow {
  const R* here;
  int stride, other, lower, upper;
  WM_HD R operator()(int v, int m) const { return here[m * stride + v * state_words]; }
  WM_HD R across(int v) const {
    const R* const p = here + v * state_words;
    return ((p[-other] - p[0]) + (p[other] - p[0])) + ((p[lower] - p[0]) + (p[upper] - p[0]));
  }
  WM_HD R step(int v, int n, int m) const {
    const R* const p = here + v * state_words;
    return p[n == 0 ? m * other : m < 0 ? lower : upper] - p[0];
  }
};

// What is seen of the state of a cell.
template <class Scheme, class R>
__device__ __forceinline__ Vec<R, Scheme::states> load_state(const R* cell, int state_words) {
  Vec<R, Scheme::states> w{};
#pragma unroll
  for (int v = 0; v < Scheme::variables; ++v) w[v] = cell[v * state_words];
  return w;
}

// The record of the face between the cell before `cell` (its state 0 in plane k) and that cell, and
// what `add` needs of that cell's own edges.
template <class R, class Scheme>
struct FaceBelow {
  Vec<R, Scheme::records> record;
  Vec<R, Scheme::kept> kept;
};
template <int axis, class R, class Shape, class Scheme, class Column>
__device__ __forceinline__ FaceBelow<R, Scheme> face_below(const R* cell, int lower, int upper,
                                                           const Scheme& scheme, Place at,
                                                           const Column& column) {
  using Window = TileWindow<R, Shape::state_words>;
  constexpr int stride = axis == 0 ? 1 : Shape::pitch, other = axis == 0 ? Shape::pitch : 1;
  const Place before{at.i - (axis == 0 ? 1 : 0), at.j - (axis == 1 ? 1 : 0), at.k};
  const Vec<R, Scheme::states> left =
      edges_at<axis, R>(scheme, Window{cell - stride, stride, other, lower, upper}, before).upper;
  const Edges<R, Scheme::states> e =
      edges_at<axis, R>(scheme, Window{cell, stride, other, lower, upper}, at);
  FaceBelow<R, Scheme> face{flux_at<axis, R>(scheme, left, e.lower, at, column), {}};
  if constexpr (Scheme::kept > 0) {
    const Vec<R, Scheme::states> w = load_state<Scheme>(cell, Shape::state_words);
    face.kept = keep_at<axis, R>(scheme, e, w, at);
  }
  return face;
}

}  // namespace detail

template <class R, class Scheme, class Finish, class Shape>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks)
    face_compact_kernel(const __grid_constant__ CellArrays<R> a,
                        const __grid_constant__ StageUpdate<R> update,
                        const __grid_constant__ Scheme scheme,
                        const __grid_constant__ Finish finish, Clock* const clock,
                        const int tiles_x, const __grid_constant__ ChunkPlan plan) {
  using namespace detail;
  constexpr int states = Scheme::states, records = Scheme::records, variables = Scheme::variables;
  constexpr int state_words = Shape::state_words;
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  R* const shared = reinterpret_cast<R*>(shared_bytes);
  __shared__ __mbarrier_t meeting;
  if (!clock->active) return;
  const R dt = R(clock->dt);

  const TileMarch<Shape> march(a, tiles_x, plan);
  const auto [i0, j0, lane, row, k0, k1, inside] = march;
  // Threads beyond the box stand for ghosts next to it: tables go no further.
  const auto place = [&](int column, int face_row, int k) {
    return Place{min(i0 + column, a.upper[0] + 1), min(j0 + face_row, a.upper[1] + 1), k};
  };

  // The edges of the thread's own cells.
  const auto column_x = column_at<0, R>(scheme, place(lane, row, k0));
  const auto column_y = column_at<1, R>(scheme, place(lane, row, k0));
  const auto column_z = column_at<2, R>(scheme, place(lane, row, k0));

  if (Shape::split && threadIdx.x == 0) __mbarrier_init(&meeting, Shape::threads);
  const int first_k = k0 - Shape::reach;
  PlanePieces<R, Scheme, Shape> pieces(a, scheme, i0, j0, first_k);
#pragma unroll 1
  for (int s = 0; s < 3; ++s) {
    pieces.start(shared + (s + Shape::before) * Shape::plane_words, a);
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);
#pragma unroll 1
  for (int s = 0; s < 3; ++s) {
    pieces.convert(shared + (s + Shape::before) * Shape::plane_words, scheme, first_k + s);
  }
  __syncthreads();

  // First words of the planes k - before .. k + 3.
  constexpr int now = Shape::before;
  int plane[Shape::slots];
#pragma unroll
  for (int s = 0; s < Shape::slots; ++s) plane[s] = s * Shape::plane_words;
  const int mine = (row + Shape::reach) * Shape::pitch + lane + Shape::lead;
  std::int64_t offset = i0 + lane + (j0 + row) * a.stride_j + first_k * a.stride_k;

  Vec<R, states> z_upper;    // edge of cell k, toward k + 1
  Vec<R, records> z_record;  // between k - 1 and k
  Vec<R, Scheme::kept> z_kept{};
#pragma unroll
  for (int v = 0; v < states; ++v) z_upper[v] = R(1);
#pragma unroll
  for (int v = 0; v < records; ++v) z_record[v] = R(0);
  R signal = R(0);

#pragma unroll 1
  for (int k = first_k; k < k1; ++k) {
    const int round = k - first_k, half = round & 1;
    const bool whole = k >= k0;
    const bool more = k + 3 < k1 + Shape::reach;
    if (more) pieces.start(shared + plane[now + 3], a);
    __pipeline_commit();

    const Vec<R, states> w = load_state<Scheme>(shared + plane[now] + mine, state_words);
    R* const y_records = shared + Shape::y_records + half * Shape::record_words * records;
    R* const x_records = shared + Shape::x_records + half * Shape::rows * records;
    Vec<R, records> x_below;
    Vec<R, Scheme::kept> x_kept, y_kept;
    if (whole) {
      const int lower = plane[0] - plane[now], upper = plane[now + 1] - plane[now];
      // Records of the rim first, so that the own ones come last and stay.
      const bool top = row == round % Shape::rows;
#pragma unroll 1
      for (int rim = top ? 1 : 0; rim >= 0; --rim) {
        const int r = rim ? Shape::rows : row;
        const R* const cell = shared + plane[now] + mine + (r - row) * Shape::pitch;
        const Place at = place(lane, r, k);
        const auto column = rim ? column_at<1, R>(scheme, at) : column_y;
        const auto face = face_below<1, R, Shape>(cell, lower, upper, scheme, at, column);
        store_strided(y_records + r * Shape::columns + lane, Shape::record_words, face.record);
        y_kept = face.kept;
      }
      const bool side = row == (round + Shape::rows / 2) % Shape::rows;
#pragma unroll 1
      for (int rim = side ? 1 : 0; rim >= 0; --rim) {
        const int c = rim ? Shape::columns : lane, r = rim ? min(lane, Shape::rows - 1) : row;
        const R* const cell =
            shared + plane[now] + (r + Shape::reach) * Shape::pitch + c + Shape::lead;
        const Place at = place(c, r, k);
        const auto column = rim ? column_at<0, R>(scheme, at) : column_x;
        const auto face = face_below<0, R, Shape>(cell, lower, upper, scheme, at, column);
        x_below = face.record;
        x_kept = face.kept;
        if (rim && lane < Shape::rows) store_strided(x_records + lane, Shape::rows, x_below);
      }
    }
    __pipeline_wait_prior(0);
    if (more) pieces.convert(shared + plane[now + 3], scheme, k + 3);
    if constexpr (Shape::split) arrive(&meeting);

    // On their way while the record along z is made.
    Vec<R, variables> u{}, old{};
    if (whole && inside) {
#pragma unroll
      for (int v = 0; v < variables; ++v) {
        u[v] = a.in[v * a.stride_var + offset];
        if (update.read_old) old[v] = a.increment[v * a.stride_var + offset];
      }
    }
    const Place next = place(lane, row, k + 1);
    const R* const above_here = shared + plane[now + 1] + mine;
    const Edges<R, states> e =
        edges_at<2, R>(scheme,
                       RisingWindow<R, states, state_words>{
                           w, above_here, shared + plane[now + 2] + mine, Shape::pitch},
                       next);
    const Vec<R, records> z_above = flux_at<2, R>(scheme, z_upper, e.lower, next, column_z);
    z_upper = e.upper;
    Vec<R, Scheme::kept> next_kept;
    if constexpr (Scheme::kept > 0) {
      next_kept = keep_at<2, R>(scheme, e, load_state<Scheme>(above_here, state_words), next);
    }

    if constexpr (Shape::split) {
      wait(&meeting, round);
    } else {
      __syncthreads();
    }
    if (whole) {
      const Place at = place(lane, row, k);
      Vec<R, variables> rate;
#pragma unroll
      for (int v = 0; v < variables; ++v) rate[v] = R(0);
      Vec<R, records> above;
#pragma unroll
      for (int v = 0; v < records; ++v) above[v] = __shfl_down_sync(all_lanes, x_below[v], 1);
      if (lane == Shape::columns - 1) above = load_strided<records>(x_records + row, Shape::rows);
      add_at<0, R>(scheme, rate, x_below, above, w, x_kept, at, column_z);
      const R* const below = y_records + row * Shape::columns + lane;
      add_at<1, R>(scheme, rate, load_strided<records>(below, Shape::record_words),
                   load_strided<records>(below + Shape::columns, Shape::record_words), w, y_kept,
                   at, column_z);
      add_at<2, R>(scheme, rate, z_record, z_above, w, z_kept, at, column_z);
      if (inside) {
        signal =
            max_or_nan(signal, update_cell<R>(
                                   a, update, finish, dt, offset, at, rate,
                                   [&](int v) { return old[v]; }, [&](int v) { return u[v]; }));
      }
    }
    z_record = z_above;
    z_kept = next_kept;
    offset += a.stride_k;
    const int freed = plane[0];
#pragma unroll
    for (int s = 0; s < Shape::slots - 1; ++s) plane[s] = plane[s + 1];
    plane[Shape::slots - 1] = freed;
  }
  if (update.last) report_block(clock, signal, 0);
}

template <class R, class Scheme, class Finish, class Shape = CompactShape<R, Scheme>>
KernelReport face_compact_report() {
  const auto kernel = face_compact_kernel<R, Scheme, Finish, Shape>;
  allow_shared(kernel, Shape::shared_bytes,
               "this device has too little shared memory for the tile schedule");
  KernelReport r = report_kernel(kernel, Shape::threads, Shape::shared_bytes);
  r.name = "tile";
  return r;
}

// One stage over the box of `a`.
template <class R, class Scheme, class Finish, class Shape = CompactShape<R, Scheme>>
void face_stage_compact(const CellArrays<R>& a, const StageUpdate<R>& update, const Scheme& scheme,
                        const Finish& finish, Clock* clock, const Queue& queue) {
  const int resident =
      of_device([] { return resident_blocks(face_compact_report<R, Scheme, Finish, Shape>()); });
  for (int axis = 0; axis < 3; ++axis) {
    if (a.upper[axis] <= a.lower[axis]) return;
    require(scheme.active(axis), "the tile of compact edges needs three axes");
  }
  require(update.form != UpdateForm::two, "the tile reads old values from the increment");
  launch_face_tiles<Shape>(face_compact_kernel<R, Scheme, Finish, Shape>, resident, a, update,
                           scheme, finish, clock, queue);
}

}  // namespace watersmeet::exec
