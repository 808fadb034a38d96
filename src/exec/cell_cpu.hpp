#pragma once
// The cell form on the CPU: rows of packs, blocked in j so that the 2 radius + 1 planes a tile
// needs stay in the second-level cache, OpenMP over tiles. The last pack of a row computes into the
// padding and stores only its valid lanes, so every cell sees the same instructions whatever its
// place. Included by CPU instantiation files only.

#include <algorithm>
#include <cstdint>

#include "core/device.hpp"
#include "core/pack.hpp"
#include "exec/back_end.hpp"
#include "exec/cell.hpp"
#include "exec/kernel_report.hpp"

namespace watersmeet::exec {

struct CellTilesCpu {
  int j = 16, k = 16;  // rows and planes of a tile
};

namespace detail {

// What the cells of a thread leave behind: the largest signal (NaN if any is), lane by lane, and
// the units of work modulo 2^64.
template <class R>
struct FinishedCells {
  Pack<R> signal = R(0);
  std::uint64_t work_units[Pack<R>::size()] = {};
};

// One row of cells.
template <class R, class Rhs, class Finish>
void cell_row(const CellArrays<R>& a, const StageUpdate<R>& update, const Rhs& rhs,
              const Finish& finish, R dt, double work_scale, int j, int k,
              FinishedCells<R>& finished_cells) {
  using T = Pack<R>;
  constexpr int width = static_cast<int>(T::size());
  for (int i = a.lower[0]; i < a.upper[0]; i += width) {
    const auto s = direct_accessor<T>(a, Rhs::outputs, i, j, k);
    const int lanes = a.upper[0] - i;
    const auto increments = rhs(s);
    const R* const old_values = update.form == UpdateForm::two ? a.out : a.increment;
    Vec<T, Rhs::outputs> value;
    for (int v = 0; v < Rhs::outputs; ++v) {
      const std::int64_t at = v * a.stride_var + s.offset;
      const T old = update.read_old ? load_as<T>(old_values + at) : T(R(0));
      const auto updated = advance_point<Rhs>(update, s(v, 0, 0, 0), old, increments[v], dt);
      value[v] = updated.value;
      if (writes_increment<Rhs>(update)) {
        store_pack(a.increment + at, updated.increment, lanes);
      }
    }
    if (update.last) {
      Finished<T> finished = finish(value, s);
      Lanes<T>::clear_from(finished.signal, lanes);  // the padding of the row
      Lanes<T>::clear_from(finished.work, lanes);
      finished_cells.signal = max_or_nan(finished_cells.signal, finished.signal);
      if (work_scale > 0.0) {
        R work[width];
        finished.work.copy_to(work);
        for (int l = 0; l < width; ++l) {
          finished_cells.work_units[l] += work_units_of(double(work[l]), work_scale);
        }
      }
    }
    for (int v = 0; v < Rhs::outputs; ++v)
      store_pack(a.out + v * a.stride_var + s.offset, value[v], lanes);
  }
}

}  // namespace detail

// One fused stage over the box of `a`. Reads u (and the old value, from the second stage on) and
// writes out once a cell.
template <class R, class Rhs, class Finish>
void cell_stage(OnCpu, CellSchedule, const CellArrays<R>& a, const StageUpdate<R>& wanted,
                const Rhs& rhs, const Finish& finish, Clock* clock, const Queue& queue,
                const CellTilesCpu tiles = {}) {
  if (!clock->active) return;
  const StageUpdate<R> update = settled<Rhs>(wanted, *clock);
  const R dt = R(clock->dt);
  const double work_scale = clock->work_scale;
  const int tiles_j = (a.upper[1] - a.lower[1] + tiles.j - 1) / tiles.j;
  const int tiles_k = (a.upper[2] - a.lower[2] + tiles.k - 1) / tiles.k;
  double largest = 0.0;
  std::uint64_t work_units = 0;
#pragma omp parallel num_threads(queue.threads)
  {
    detail::FinishedCells<R> mine;
#pragma omp for collapse(2) schedule(dynamic)
    for (int tk = 0; tk < tiles_k; ++tk) {
      for (int tj = 0; tj < tiles_j; ++tj) {
        const int k_end = std::min(a.lower[2] + (tk + 1) * tiles.k, a.upper[2]);
        const int j_end = std::min(a.lower[1] + (tj + 1) * tiles.j, a.upper[1]);
        for (int k = a.lower[2] + tk * tiles.k; k < k_end; ++k) {
          for (int j = a.lower[1] + tj * tiles.j; j < j_end; ++j) {
            detail::cell_row(a, update, rhs, finish, dt, work_scale, j, k, mine);
          }
        }
      }
    }
#pragma omp critical
    for (std::size_t l = 0; l < Pack<R>::size(); ++l) {
      largest = max_or_nan(largest, double(R(mine.signal[l])));
      work_units += mine.work_units[l];
    }
  }
  if (update.last) {
    clock->signal_bits = std::max(clock->signal_bits, double_to_bits(largest));
    add_modulo(clock->work_units, work_units);
  }
}

template <class R, class Rhs, class Finish>
KernelReport cell_report(OnCpu, CellSchedule) {
  return {.name = "cpu"};
}

}  // namespace watersmeet::exec
