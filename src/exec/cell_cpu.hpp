#pragma once
// The cell form on the CPU: rows of packs, blocked in j so that the 2 radius + 1 planes a tile
// needs stay in the second-level cache, OpenMP over tiles. The last pack of a row computes into the
// padding and stores only its valid lanes, so every cell sees the same instructions whatever its
// place. Included by CPU instantiation files only.

#include <algorithm>

#include "core/device.hpp"
#include "core/pack.hpp"
#include "exec/cell.hpp"

namespace watersmeet::exec {

struct CellTilesCpu {
  int j = 16, k = 16;  // rows and planes of a tile
};

namespace detail {

// One row of cells; returns the row's largest signal (NaN if any) and the sum of the work, 0 when
// the stage is not the last.
template <class R, class Rhs, class Finish>
Finished<R> cell_row(const CellArrays<R>& a, const StageUpdate<R>& update, const Rhs& rhs,
                     const Finish& finish, R dt, int j, int k) {
  using T = Pack<R>;
  constexpr int width = static_cast<int>(T::size());
  T largest = R(0), work = R(0);
  R largest_tail = R(0), work_tail = R(0);
  for (int i = a.lower[0]; i < a.upper[0]; i += width) {
    const auto s = direct_accessor<T>(a, Rhs::outputs, i, j, k);
    const int lanes = a.upper[0] - i;
    const auto increments = rhs(s);
    const R* const old_values = update.form == UpdateForm::two ? a.out : a.increment;
    Vec<T, Rhs::outputs> value;
    for (int v = 0; v < Rhs::outputs; ++v) {
      const std::int64_t at = v * a.stride_var + s.offset;
      const T old = update.read_old ? load_as<T>(old_values + at) : T(R(0));
      const auto updated = update_value(update, s(v, 0, 0, 0), old, increments[v], dt);
      value[v] = updated.value;
      if (update.form == UpdateForm::stored && update.write_increment) {
        store_pack(a.increment + at, updated.increment, lanes);
      }
    }
    if (update.last) {
      const Finished<T> finished = finish(value, s);
      if (lanes >= width) {
        largest = max_or_nan(largest, finished.signal);
        work += finished.work;
      } else {
        for (int l = 0; l < lanes; ++l) {
          largest_tail = max_or_nan(largest_tail, R(finished.signal[std::size_t(l)]));
          work_tail += R(finished.work[std::size_t(l)]);
        }
      }
    }
    for (int v = 0; v < Rhs::outputs; ++v)
      store_pack(a.out + v * a.stride_var + s.offset, value[v], lanes);
  }
  for (int l = 0; l < width; ++l) {
    largest_tail = max_or_nan(largest_tail, R(largest[std::size_t(l)]));
    work_tail += R(work[std::size_t(l)]);
  }
  return {largest_tail, work_tail};
}

}  // namespace detail

// One fused stage over the box of `a`. Reads u (and the old value, from the second stage on) and
// writes out once a cell.
template <class R, class Rhs, class Finish>
void cell_stage_cpu(const CellArrays<R>& a, const StageUpdate<R>& update, const Rhs& rhs,
                    const Finish& finish, Clock& clock, int threads,
                    const CellTilesCpu tiles = {}) {
  if (!clock.active) return;
  const R dt = R(clock.dt);
  const int tiles_j = (a.upper[1] - a.lower[1] + tiles.j - 1) / tiles.j;
  const int tiles_k = (a.upper[2] - a.lower[2] + tiles.k - 1) / tiles.k;
  double largest = 0.0;
  std::int64_t work_units = 0;
#pragma omp parallel num_threads(threads)
  {
    R mine = R(0);
    std::int64_t my_work = 0;
#pragma omp for collapse(2) schedule(dynamic)
    for (int tk = 0; tk < tiles_k; ++tk) {
      for (int tj = 0; tj < tiles_j; ++tj) {
        const int k_end = std::min(a.lower[2] + (tk + 1) * tiles.k, a.upper[2]);
        const int j_end = std::min(a.lower[1] + (tj + 1) * tiles.j, a.upper[1]);
        for (int k = a.lower[2] + tk * tiles.k; k < k_end; ++k) {
          for (int j = a.lower[1] + tj * tiles.j; j < j_end; ++j) {
            const Finished<R> row = detail::cell_row(a, update, rhs, finish, dt, j, k);
            mine = max_or_nan(mine, row.signal);
            my_work += work_units_of(double(row.work), a.inverse_cells);
          }
        }
      }
    }
#pragma omp critical
    {
      largest = max_or_nan(largest, double(mine));
      work_units += my_work;
    }
  }
  if (update.last) {
    clock.signal_bits = std::max(clock.signal_bits, double_to_bits(largest));
    clock.work_units += work_units;
  }
}

}  // namespace watersmeet::exec
