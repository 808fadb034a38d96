#pragma once
// The cell form on CUDA, ring schedule: a thread block marches in k over a tile of columns with the
// last 2 radius + 1 planes of the tile and its halo in shared memory, while copies (ring_copies_cuda.hpp) bring the
// next one. One meeting a plane, at which threads arrive early and wait late:
//
//      slot   k-3 k-2 k-1  k  k+1 k+2 k+3 | k+4 in flight        (radius 3)
//
//   wait: plane k+3 is there, and all threads have read plane k-1, so that its slot k-4 = k+4 mod 8 is
//   free; start the copy of plane k+4; compute the right-hand side of plane k; arrive; update plane k.
//
// Where threads keep what they read below k themselves (own_below in cell_ring.hpp) the slot of plane k-1 is the one that is free:
//
//      slot                k  k+1 k+2 k+3 | k+4 in flight, in place of k-1
//
// so that tiles of more threads fit, of MHD in double precision 8 warps in place of 6 and 7.
//
// A plane row holds the cells i0 - side .. i0 + x + side - 1, where `side` is the radius rounded up
// to whole 16-byte copies. Needs a box whose lower x index is a multiple of 4.
//
// Along axes with a period the copies take what lies beyond an end of the block from its other end: along z where it is, along x and y
// from ghosts that the stage before has stored.

#include <cstdint>

#include "exec/cell.hpp"
#include "exec/cell_cuda.hpp"
#include "exec/cell_map_cuda.hpp"
#include "exec/cell_ring.hpp"
#include "exec/check_cuda.hpp"
#include "exec/chunk_plan.hpp"
#include "exec/ring_copies_cuda.hpp"

namespace watersmeet::exec {

// Starts to bring a value from memory to the second-level cache.
__device__ __forceinline__ void prefetch(const void* value) {
  asm volatile("prefetch.global.L2 [%0];" ::"l"(value));
}

template <class R, class Rhs, class Finish>
__global__ void __launch_bounds__(RingShape<R, Rhs>::threads, RingShape<R, Rhs>::blocks)
    cell_ring_kernel(const CellArrays<R> a, const StageUpdate<R> wanted, const Rhs rhs,
                     const Finish finish, Clock* const clock, const int tiles_x,
                     const ChunkPlan plan, const __grid_constant__ PlaneMap map) {
  using Shape = RingShape<R, Rhs>;
  constexpr int slots = Shape::slots, radius = Rhs::radius, span = 2 * radius;
  static_assert(
      Shape::own_below ? slots == radius + 2 : (slots & (slots - 1)) == 0 && slots >= span + 2,
      "slots: radius + 2 with own_below, else a power of two, at least 2 radius + 2");
  extern __shared__ __align__(128) unsigned char shared_bytes[];
  __shared__ __mbarrier_t meeting;
  R* const ring = reinterpret_cast<R*>(shared_bytes);
  if (!clock->active) return;
  const StageUpdate<R> update = settled<Rhs>(wanted, *clock);
  const R dt = R(clock->dt);

  const ChunkPlan::Piece piece = plan.piece(int(blockIdx.x), a.upper[2] - a.lower[2]);
  const int i0 = a.lower[0] + piece.column % tiles_x * Shape::x,
            j0 = a.lower[1] + piece.column / tiles_x * Shape::y;
  const int k0 = a.lower[2] + piece.first, k1 = a.lower[2] + piece.end;
  const int tx = int(threadIdx.x) % Shape::x, ty = int(threadIdx.x) / Shape::x;
  const int i = i0 + tx, j = j0 + ty;
  const bool inside = i < a.upper[0] && j < a.upper[1];

  RingCopies<R, Shape, Rhs> copies(
      a, map, ring, reinterpret_cast<int*>(shared_bytes + Shape::ring_bytes), &meeting, i0, j0);
  copies.template start<Shape::own_below ? slots : span + 1>(0, k0 - radius);
  detail::arrive(&meeting);

  Ring<R, Shape, Rhs> s;
  s.shared = ring;
  s.i = i;
  s.j = j;
  s.offset = i + j * a.stride_j + k0 * a.stride_k;
  const int mine = (ty + radius) * Shape::pitch + tx + Shape::side;
  // Slot of plane p: (p - k0 + 3) mod slots (radius 3).
  const auto slot_at = [&](int slot) { return mine + slot * Shape::plane_words; };
  // Cells from here to the ghost that is a copy; 0: there is none.
  const auto around = [&](int axis, int at) {
    const int period = a.periods[axis];
    return period == 0 ? 0 : at < radius ? period : at >= period - radius ? -period : 0;
  };
  const bool has_copies = around(0, i) != 0 || around(1, j) != 0;
  R signal = R(0);
  std::uint64_t work_units = 0;
  // Old values that are read where they are used keep warps waiting, a seventh of the time of a stage of MHD in single precision. Read
  // ahead, before the wait for their plane, which a compiler moves no reads across, they arrive together with it; but they take
  // registers all the time that the right-hand side is computed.
  const R* const old_values = update.form == UpdateForm::two ? a.out : a.increment;
  Vec<R, Rhs::outputs> old{};
  const auto read_old = [&] {
    if (!update.read_old) return;
#pragma unroll
    for (int v = 0; v < Rhs::outputs; ++v) old[v] = old_values[v * a.stride_var + s.offset];
  };
  if (Shape::reads_ahead && inside) read_old();

  // Planes k0-3 .. k0+3, then one for each meeting.
  int first_round = 0, next = 0;  // the meeting of plane k0; the slot of the next copy
  if constexpr (Shape::own_below) {
    // Planes k0-3 .. k0+1 at once. k0+2 and k0+3 follow in the first two slots as soon as all threads have added these to their sums.
    first_round = 2;
    next = 1;
    s.clear_sums();
    detail::wait(&meeting, 0);
#pragma unroll
    for (int d = 0; d < radius; ++d) {
      s.plane[d] = Shape::own_at(int(threadIdx.x), d);
      s.keep_below(d, slot_at(d));
    }
    for (int d = 0; d < 2; ++d) s.add_to_sums(slot_at(d), rhs.c.w);
    copies.template start<0>(0, 0);
    detail::arrive(&meeting);
    detail::wait(&meeting, 1);
    copies.template start<2>(0, k0 + slots - radius);
    for (int d = 2; d < slots; ++d) s.add_to_sums(slot_at(d), rhs.c.w);
    detail::arrive(&meeting);
    detail::wait(&meeting, 2);
    s.add_to_sums(slot_at(0), rhs.c.w);
#pragma unroll
    for (int d = radius; d <= span; ++d) s.plane[d] = slot_at(d % slots);
    s.begin();
  } else {
#pragma unroll
    for (int d = 0; d <= span; ++d) s.plane[d] = slot_at(d);
    if constexpr (Shape::columns > 0 || Shape::sums) {
      detail::wait(&meeting, 0);
      s.begin();
      if constexpr (Shape::sums) {
        s.clear_sums();
        for (int d = 0; d < span; ++d) s.add_to_sums(slot_at(d), rhs.c.w);
      }
    }
  }
#pragma unroll 1
  for (int k = k0; k < k1; ++k) {
    detail::wait(&meeting, k - k0 + first_round);
    s.take_last();
    if constexpr (Shape::own_below)
      next = next + 1 < slots ? next + 1 : 0;
    else
      next = (k - k0 + span + 1) & (slots - 1);
    if (k + 1 < k1) copies.template start<1>(next, k + radius + 1);
    if (inside) {
      if (Shape::prefetches &&
          update.read_old) {  // of the next plane; behind the last one there are ghosts
#pragma unroll
        for (int v = 0; v < Rhs::outputs; ++v)
          prefetch(old_values + v * a.stride_var + s.offset + a.stride_k);
      }
      Vec<R, Rhs::outputs> carried{};
      if (Shape::reads_ahead) {
#pragma unroll
        for (int v = 0; v < Rhs::outputs; ++v)
          carried[v] = carried_over<Rhs>(update, s(v, 0, 0, 0), old[v]);
      } else {
        read_old();
      }
      s.k = k;
      const Vec<R, Rhs::outputs> increments = rhs(s);
      Vec<R, Rhs::outputs> center, value;
#pragma unroll
      for (int v = 0; v < Rhs::outputs; ++v) center[v] = s(v, 0, 0, 0);
      if (!update.last) detail::arrive(&meeting);  // the finish may read more
#pragma unroll
      for (int v = 0; v < Rhs::outputs; ++v) {
        if (!Shape::reads_ahead) carried[v] = carried_over<Rhs>(update, center[v], old[v]);
        const Updated<R> updated =
            advance_with<Rhs>(update, center[v], carried[v], increments[v], dt);
        value[v] = updated.value;
        if (writes_increment<Rhs>(update)) {
          a.increment[v * a.stride_var + s.offset] = updated.increment;
        }
      }
      if (update.last) {
        const Finished<R> finished = finish(value, s);
        detail::arrive(&meeting);
        signal = max_or_nan(signal, finished.signal);
        work_units += work_units_of(double(finished.work), clock->work_scale);
      }
      if constexpr (Shape::own_below) s.keep_below(center);
      const auto store = [&](R* out, std::int64_t stride_var) {
        const auto store_at = [&](std::int64_t shift) {
#pragma unroll
          for (int v = 0; v < Rhs::outputs; ++v) out[v * stride_var + s.offset + shift] = value[v];
        };
        store_at(0);
        if (!has_copies) return;
        const int along_x = around(0, i), along_y = around(1, j);
        if (along_x != 0) store_at(along_x);
        if (along_y != 0) store_at(along_y * a.stride_j);
        if (along_x != 0 && along_y != 0) store_at(along_x + along_y * a.stride_j);
      };
      store(a.out, a.stride_var);
      store_far(a, k, store);
    } else {
      detail::arrive(&meeting);
    }
    s.offset += a.stride_k;
    if (Shape::reads_ahead && inside && k + 1 < k1) read_old();
    s.go_up(slot_at(next));
  }
  if (update.last) report_block(clock, signal, work_units);
}

template <class R, class Rhs, class Finish>
KernelReport ring_report() {
  using Shape = RingShape<R, Rhs>;
  const auto kernel = cell_ring_kernel<R, Rhs, Finish>;
  allow_shared(kernel, Shape::shared_bytes,
               "this device has too little shared memory for the ring schedule");
  check_whole_copies<R, Shape, Rhs>(kernel);
  return report_kernel(kernel, Shape::threads, Shape::shared_bytes);
}

template <class R, class Rhs, class Finish>
void cell_stage_ring(const CellArrays<R>& a, const StageUpdate<R>& update, const Rhs& rhs,
                     const Finish& finish, Clock* clock, const Queue& queue) {
  using Shape = RingShape<R, Rhs>;
  const int resident = of_device([] { return resident_blocks(ring_report<R, Rhs, Finish>()); });
  require(a.lower[0] % 4 == 0, "ring schedule: the box must start at a multiple of 4 in x");
  const int tiles_x = (a.upper[0] - a.lower[0] + Shape::x - 1) / Shape::x;
  const int tiles_y = (a.upper[1] - a.lower[1] + Shape::y - 1) / Shape::y;
  // A block loads 2 radius planes that it does not compute, each at a guess two thirds of computing one.
  const ChunkPlan plan = chunk_plan(tiles_x * tiles_y, a.upper[2] - a.lower[2], shortest_tile_march,
                                    pieces_at_once(resident, queue), 4.0 * Rhs::radius / 3);
  cell_ring_kernel<R, Rhs, Finish><<<unsigned(plan.pieces()), Shape::threads, Shape::shared_bytes,
                                     static_cast<cudaStream_t>(queue.stream)>>>(
      a, update, rhs, finish, clock, tiles_x, plan, plane_map<R, Shape, Rhs>(a));
  check_cuda(cudaGetLastError(), "cannot launch a stage");
}

// Right-hand sides that no ring is built for say so: static constexpr bool rings = false.
template <class Rhs>
constexpr bool has_ring = !requires {
  requires !Rhs::rings;
};

template <class R, class Rhs, class Finish>
void cell_stage(OnCuda, CellSchedule schedule, const CellArrays<R>& a, const StageUpdate<R>& update,
                const Rhs& rhs, const Finish& finish, Clock* clock, const Queue& queue) {
  if constexpr (has_ring<Rhs>) {
    if (schedule == CellSchedule::ring) {
      return cell_stage_ring(a, update, rhs, finish, clock, queue);
    }
  }
  cell_stage_direct(a, update, rhs, finish, clock, queue);
}

template <class R, class Rhs, class Finish>
KernelReport cell_report(OnCuda, CellSchedule schedule) {
  KernelReport report;
  if (schedule == CellSchedule::ring && has_ring<Rhs>) {
    if constexpr (has_ring<Rhs>) report = ring_report<R, Rhs, Finish>();
    report.name = name_of(CellSchedule::ring);
  } else {
    report = report_kernel(cell_direct_kernel<R, Rhs, Finish>, DirectTuning::threads, 0);
    report.name = name_of(CellSchedule::direct);
  }
  return report;
}

}  // namespace watersmeet::exec
