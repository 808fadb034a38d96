#pragma once
// The face form on CUDA, tile schedule: all axes in one launch. A block of 32 x `rows` threads, one
// warp a row, marches in z over a tile of columns; everything between the stored variables and the
// updated ones stays in registers and shared memory. Each edge and each record is made once, but
// for the rim of the tile.
//
// Plane k of the march, between the meetings A and B of all threads:
//
//   y edges of k; rims             upper edges go one row up
//   A arrive
//   z edges of k + 1 and record    a column is one thread's own: no exchange
//   A wait
//   y records of k                 records go one row down
//   B arrive
//   x edges of k, records, rate    exchanged by shuffles within the warp
//   B wait
//   y and z parts of the rate, update
//
// A thread arrives, does work that needs nobody, and only then waits: each meeting has a third of a
// plane of slack. While it computes, plane k + 4 arrives in the place of plane k - 2.
//
// Two planes more at the beginning of a march do z only, to have the record and the edges below its
// first cell. The rim is done by the lowest warps, one body of code for all of it: row -1, row
// `rows`, and per eight rows one task for column -1 (an upper edge) and for the record between the
// columns 31 and 32. Of 32 x 16 cells that is 4 tasks to 48 edges of its own.
//
// Needs a box whose lower x index is a multiple of 4, or an inactive x axis.

#include <cstdint>

#include "exec/cell_map_cuda.hpp"
#include "exec/check_cuda.hpp"
#include "exec/face_tile_launch_cuda.hpp"
#include "exec/face_tile_planes_cuda.hpp"
#include "exec/tile_meeting_cuda.hpp"
#include "exec/tuning.hpp"

namespace watersmeet::exec {

// The rim's task number `task`, of plane `plane` (its first word). Its results are in shared memory
// after meeting A.
template <class R, class Scheme, class Shape>
__device__ void face_tile_rim(R* shared, const int plane, const int half, const int task,
                              const int lane, const Scheme& scheme) {
  using namespace detail;
  const bool along_y = task < 2, top = task == 1;
  if (!(along_y ? scheme.active(1) : scheme.active(0))) return;
  // Along x: column -1, 31 or 32 of eight rows, and eight idle lanes.
  const int which = min(lane / 8, 2), row = min((task - 2) * 8 + lane % 8, Shape::rows - 1);
  const int j = along_y ? (top ? Shape::rows : -1) : row;
  const int i = along_y ? lane : (which == 0 ? -1 : 30 + which);
  const PlaneWindow<R, Shape::state_words> window{
      shared, plane + (j + Shape::reach) * Shape::pitch + i + Shape::lead,
      along_y ? Shape::pitch : 1};
  const Edges<R, Scheme::states> e = scheme.template edges<R>(window);
  if (along_y) {
    R* const to = shared + (top ? Shape::top_edges : Shape::y_edges) + lane;
    const int stride = top ? Shape::columns : Shape::edge_words;
#pragma unroll
    for (int v = 0; v < Scheme::states; ++v) to[v * stride] = top ? e.lower[v] : e.upper[v];
    return;
  }
  Vec<R, Scheme::states> left;
#pragma unroll
  for (int v = 0; v < Scheme::states; ++v) left[v] = __shfl_up_sync(all_lanes, e.upper[v], 8);
  const Vec<R, Scheme::records> record = scheme.template flux<0, R>(left, e.lower);
  const int place = half * Shape::rows + row;
  if (lane < 8)
    store_strided(shared + Shape::x_edges + place, 2 * Shape::rows, e.upper);
  else if (lane / 8 == 2)
    store_strided(shared + Shape::x_records + place, 2 * Shape::rows, record);
}

template <class R, class Scheme, class Finish, class Shape>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks)
    face_tile_kernel(const CellArrays<R> a, const StageUpdate<R> update, const Scheme scheme,
                     const Finish finish, Clock* const clock, const int tiles_x, const int tiles_y,
                     const int planes_per_block) {
  using namespace detail;
  constexpr int states = Scheme::states, records = Scheme::records, variables = Scheme::variables;
  constexpr int state_words = Shape::state_words;
  constexpr int rim_tasks = 2 + (Shape::rows + 7) / 8;
  static_assert(rim_tasks <= Shape::rows, "a task of the rim for a warp");
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  R* const shared = reinterpret_cast<R*>(shared_bytes);
  __shared__ __mbarrier_t meeting_a, meeting_b;
  if (!clock->active) return;
  const R dt = R(clock->dt);

  const TileMarch<Shape> march(a, tiles_x, tiles_y, planes_per_block);
  const auto [i0, j0, lane, row, k0, k1, inside] = march;
  const int i = i0 + lane, j = j0 + row;
  // Along an inactive z axis plane k is all there is.
  const int reach_z = scheme.active(2) ? Shape::reach : 0;
  const int first_k = scheme.active(2) ? k0 - 2 : k0;

  if (threadIdx.x == 0) {
    __mbarrier_init(&meeting_a, Shape::threads);
    __mbarrier_init(&meeting_b, Shape::threads);
  }
  PlanePieces<R, Scheme, Shape> pieces(a, scheme, i0, j0, first_k - 1);
  // Planes first_k - 1 .. first_k + 3.
  for (int s = 0; s < 5; ++s) {
    const int k = first_k - 1 + s;
    if (k >= k0 - reach_z && k < k1 + reach_z)
      pieces.start(shared + s * Shape::plane_words, a);
    else
      pieces.skip(a);
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);
  for (int s = 0; s < 5; ++s) {
    const int k = first_k - 1 + s;
    if (k >= k0 - reach_z && k < k1 + reach_z)
      pieces.convert(shared + s * Shape::plane_words, scheme, k);
  }
  __syncthreads();

  // First words of the planes k - 1 .. k + 4.
  int plane[Shape::slots];
#pragma unroll
  for (int s = 0; s < Shape::slots; ++s) plane[s] = s * Shape::plane_words;
  const int mine = (row + Shape::reach) * Shape::pitch + lane + Shape::lead;
  std::int64_t offset = i + j * a.stride_j + first_k * a.stride_k;
  const R* const old_start = old_values(a, update.form);

  Vec<R, states> z_upper;      // edges of cell k, toward k + 1
  Vec<R, records> z_record;    // between k - 1 and k
  Vec<R, Scheme::kept> z_own;  // of cell k
#pragma unroll
  for (int v = 0; v < states; ++v) z_upper[v] = R(1);
  R events = R(0), signal = R(0);

#pragma unroll 1
  for (int k = first_k; k < k1; ++k) {
    const int round = k - first_k, half = round & 1;
    const bool whole = k >= k0;
    const bool more = k + 4 < k1 + reach_z && reach_z > 0;
    if (more) pieces.start(shared + plane[5], a);
    __pipeline_commit();

    Vec<R, states> y_lower;
    Vec<R, Scheme::kept> y_own;
    if (whole) {
      if (scheme.active(1)) {
        const PlaneWindow<R, state_words> window{shared, plane[1] + mine, Shape::pitch};
        const Edges<R, states> e = scheme.template edges<R>(window);
        store_strided(shared + Shape::y_edges + (row + 1) * Shape::columns + lane,
                      Shape::edge_words, e.upper);
        y_lower = e.lower;
        if constexpr (Scheme::kept > 0)
          y_own = scheme.keep(e, load_strided<states>(shared + plane[1] + mine, state_words));
        events += e.fallbacks;
      }
      if (row < rim_tasks)
        face_tile_rim<R, Scheme, Shape>(shared, plane[1], half, row, lane, scheme);
    }
    arrive(&meeting_a);

    Vec<R, records> z_above;
    Vec<R, Scheme::kept> z_next;
    if (scheme.active(2)) {
      const ColumnWindow<R, state_words> window{
          shared,
          {plane[0] + mine, plane[1] + mine, plane[2] + mine, plane[3] + mine, plane[4] + mine}};
      const Edges<R, states> e = scheme.template edges<R>(window);
      z_above = scheme.template flux<2, R>(z_upper, e.lower);
      z_upper = e.upper;
      if constexpr (Scheme::kept > 0)
        z_next = scheme.keep(e, load_strided<states>(shared + plane[2] + mine, state_words));
      if (k + 1 >= k0 && k + 1 < k1) events += e.fallbacks;
    }
    __pipeline_wait_prior(0);
    if (more) pieces.convert(shared + plane[5], scheme, k + 4);

    wait(&meeting_a, round);
    if (whole && scheme.active(1)) {
      R* const below = shared + Shape::y_records + row * Shape::columns + lane;
      const R* const upper = shared + Shape::y_edges + row * Shape::columns + lane;
      store_strided(
          below, Shape::record_words,
          scheme.template flux<1, R>(load_strided<states>(upper, Shape::edge_words), y_lower));
      if (row == 1) {
        const Vec<R, states> l = load_strided<states>(
            shared + Shape::y_edges + Shape::rows * Shape::columns + lane, Shape::edge_words);
        const Vec<R, states> r =
            load_strided<states>(shared + Shape::top_edges + lane, Shape::columns);
        store_strided(shared + Shape::y_records + Shape::rows * Shape::columns + lane,
                      Shape::record_words, scheme.template flux<1, R>(l, r));
      }
    }
    arrive(&meeting_b);

    Vec<R, variables> rate, u, old;
    if (whole) {
#pragma unroll
      for (int v = 0; v < variables; ++v) rate[v] = R(0);
      Edges<R, states> e;
      if (scheme.active(0)) {
        const PlaneWindow<R, state_words> window{shared, plane[1] + mine, 1};
        e = scheme.template edges<R>(window);
        events += e.fallbacks;
      }
      // On their way while the records along x are made.
      if (inside) {
#pragma unroll
        for (int v = 0; v < variables; ++v) {
          u[v] = a.in[v * a.stride_var + offset];
          old[v] = update.read_old ? old_start[v * a.stride_var + offset] : R(0);
        }
      }
      if (scheme.active(0)) {
        Vec<R, states> left;
        Vec<R, records> above;
        const int place = half * Shape::rows + row;
#pragma unroll
        for (int v = 0; v < states; ++v) left[v] = __shfl_up_sync(all_lanes, e.upper[v], 1);
        if (lane == 0)
          left = load_strided<states>(shared + Shape::x_edges + place, 2 * Shape::rows);
        const Vec<R, records> below = scheme.template flux<0, R>(left, e.lower);
#pragma unroll
        for (int v = 0; v < records; ++v) above[v] = __shfl_down_sync(all_lanes, below[v], 1);
        if (lane == Shape::columns - 1)
          above = load_strided<records>(shared + Shape::x_records + place, 2 * Shape::rows);
        const Vec<R, states> w = load_strided<states>(shared + plane[1] + mine, state_words);
        scheme.template add<0, R>(rate, below, above, w, scheme.keep(e, w), j);
      }
    }
    wait(&meeting_b, round);
    if (whole) {
      const Vec<R, states> w = load_strided<states>(shared + plane[1] + mine, state_words);
      if (scheme.active(1)) {
        const R* const below = shared + Shape::y_records + row * Shape::columns + lane;
        scheme.template add<1, R>(
            rate, load_strided<records>(below, Shape::record_words),
            load_strided<records>(below + Shape::columns, Shape::record_words), w, y_own, j);
      }
      if (scheme.active(2)) scheme.template add<2, R>(rate, z_record, z_above, w, z_own, j);
      if (inside) {
        Vec<R, variables> value;
#pragma unroll
        for (int v = 0; v < variables; ++v) {
          const Updated<R> updated = advance_value(update, u[v], old[v], rate[v], dt);
          value[v] = updated.value;
          if (update.form == UpdateForm::stored && update.write_increment)
            a.increment[v * a.stride_var + offset] = updated.increment;
        }
        if (update.last) signal = max_or_nan(signal, finish(value));
#pragma unroll
        for (int v = 0; v < variables; ++v) a.out[v * a.stride_var + offset] = value[v];
      }
    }
    z_record = z_above;
    z_own = z_next;
    offset += a.stride_k;
    const int freed = plane[0];
#pragma unroll
    for (int s = 0; s < Shape::slots - 1; ++s) plane[s] = plane[s + 1];
    plane[Shape::slots - 1] = freed;
  }
  if (inside && events > R(0)) {
    atomicAdd(reinterpret_cast<unsigned long long*>(&clock->events),
              static_cast<unsigned long long>(events));
  }
  if (update.last) report_block(clock, signal, 0);
}

template <class R, class Scheme, class Finish,
          class Shape = FaceTileShape<R, Scheme, FaceTileTuning<R, Scheme::heavy>>>
KernelReport face_tile_report() {
  const auto kernel = face_tile_kernel<R, Scheme, Finish, Shape>;
  check_cuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  int(Shape::shared_bytes)),
             "this device has too little shared memory for the tile schedule");
  return report_kernel(kernel, Shape::threads, Shape::shared_bytes);
}

// One stage over the box of `a`.
template <class R, class Scheme, class Finish,
          class Shape = FaceTileShape<R, Scheme, FaceTileTuning<R, Scheme::heavy>>>
void face_stage_tile(const CellArrays<R>& a, const StageUpdate<R>& update, const Scheme& scheme,
                     const Finish& finish, Clock* clock, const Queue& queue) {
  static const int resident = resident_blocks(face_tile_report<R, Scheme, Finish, Shape>());
  launch_face_tiles<Shape>(face_tile_kernel<R, Scheme, Finish, Shape>, resident, a, update, scheme,
                           finish, clock, queue);
}

}  // namespace watersmeet::exec
