#pragma once
// The cell form on CUDA, direct schedule: one thread a cell, every value read through the
// first-level cache. Correct for every shape, and the reference that the faster schedules must
// match.

#include <cstdint>

#include "exec/back_end.hpp"
#include "exec/cell.hpp"
#include "exec/cell_map_cuda.hpp"
#include "exec/check_cuda.hpp"
#include "exec/tuning.hpp"

namespace watersmeet::exec {

// Thread blocks of a multiprocessor: in single precision few variables need 128 registers a thread, and compilers take 160 as well, as it happens,
// which leaves one block and a third less speed.
template <class R, class Rhs>
constexpr int direct_blocks = sizeof(R) == 4 && Rhs::inputs <= 5 ? 2 : 1;

template <class R, class Rhs, class Finish>
__global__ void __launch_bounds__(DirectTuning::threads, direct_blocks<R, Rhs>)
    cell_direct_kernel(const CellArrays<R> a, const StageUpdate<R> wanted, const Rhs rhs,
                       const Finish finish, Clock* const clock) {
  if (!clock->active) return;
  const StageUpdate<R> update = settled<Rhs>(wanted, *clock);
  const R dt = R(clock->dt);
  const DirectCell cell = direct_cell(a);
  R signal = R(0);
  // In shared memory: kept in registers during the right-hand side it takes the plain 19-point
  // kernels (nvcc 13, sm_90) from 64 to 72 registers in single precision and from 8 to 32 spilled
  // bytes in double; this way they stay at 64, and at 24 bytes.
  __shared__ std::uint64_t work_units[DirectTuning::threads];
  std::uint64_t& my_work_units = work_units[thread_of_block()];
  if (update.last) my_work_units = 0;
  if (cell.inside) {
    for (int k = cell.k; k < a.upper[2]; k += cell.planes) {
      const Direct<R> s = direct_accessor<R>(a, Rhs::outputs, cell.i, cell.j, k);
      const R* const old_values = update.form == UpdateForm::two ? a.out : a.increment;
      const Vec<R, Rhs::outputs> increments = rhs(s);
      Vec<R, Rhs::outputs> value;
#pragma unroll
      for (int v = 0; v < Rhs::outputs; ++v) {
        const std::int64_t at = v * a.stride_var + s.offset;
        const R old = update.read_old ? old_values[at] : R(0);
        const Updated<R> updated =
            advance_point<Rhs>(update, s(v, 0, 0, 0), old, increments[v], dt);
        value[v] = updated.value;
        if (writes_increment<Rhs>(update)) a.increment[at] = updated.increment;
      }
      if (update.last) {
        const Finished<R> finished = finish(value, s);
        signal = max_or_nan(signal, finished.signal);
        my_work_units += work_units_of(double(finished.work), clock->work_scale);
      }
#pragma unroll
      for (int v = 0; v < Rhs::outputs; ++v) a.out[v * a.stride_var + s.offset] = value[v];
    }
  }
  if (update.last) report_block(clock, signal, my_work_units);
}

template <class R, class Rhs, class Finish>
void cell_stage_direct(const CellArrays<R>& a, const StageUpdate<R>& update, const Rhs& rhs,
                       const Finish& finish, Clock* clock, const Queue& queue) {
  cell_direct_kernel<R, Rhs, Finish>
      <<<direct_grid(a), direct_block(a), 0, static_cast<cudaStream_t>(queue.stream)>>>(
          a, update, rhs, finish, clock);
  check_cuda(cudaGetLastError(), "cannot launch a stage");
}

}  // namespace watersmeet::exec
