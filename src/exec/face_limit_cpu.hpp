#pragma once
// CPU loops of the flux limiter (exec/face_limit.hpp). Included by CPU instantiation files only,
// which are compiled without contraction.

#include <algorithm>
#include <cstdint>
#include <limits>

#include "core/pack.hpp"
#include "exec/back_end.hpp"
#include "exec/face_limit.hpp"

namespace watersmeet::exec {

namespace detail {

// Flags the cells of a row that are not acceptable, but in the pass that only looks. Returns their
// number and adds that of the new ones.
template <class R, class Scheme>
std::int64_t find_in_row(const CellArrays<R>& a, const Scheme& scheme, const LimitPass<R>& pass,
                         int j, int k, std::int64_t& fresh) {
  using T = Pack<R>;
  constexpr int width = static_cast<int>(T::size());
  std::int64_t found = 0;
  for (int i = a.lower[0]; i < a.upper[0]; i += width) {
    const R* const cell = a.out + i + j * a.stride_j + k * a.stride_k;
    const R* const old = a.in + (cell - a.out);
    Vec<T, Scheme::variables> stored, before;
    for (int v = 0; v < Scheme::variables; ++v) {
      stored[v] = load_as<T>(cell + v * a.stride_var);
      before[v] = load_as<T>(old + v * a.stride_var);
    }
    const auto good = pass.number > limit_passes ? scheme.acceptable(stored)
                                                 : scheme.acceptable_after(before, stored);
    R* const flags = pass.flags.cell + pass.flags.at(i, j, k);
    const int lanes = std::min(width, a.upper[0] - i);
    if (pass.number == 1) std::fill(flags, flags + lanes, R(0));
    if (all_of(good)) continue;
    for (int l = 0; l < lanes; ++l) {
      if (good[l]) continue;
      ++found;
      if (pass.number <= limit_passes && !(flags[l] > R(0))) {
        flags[l] = R(pass.number);
        ++fresh;
      }
    }
  }
  return found;
}

}  // namespace detail

// Looks at the new values in a.out. In the last stage's last pass a cell that nothing helped makes
// the signal NaN.
template <class R, class Scheme>
void limit_find(OnCpu, const CellArrays<R>& a, const StageUpdate<R>& update, const Scheme& scheme,
                const LimitPass<R>& pass, Clock* clock, const Queue& queue) {
  if (!clock->active || pass.idle(pass.number - 1)) return;
  std::int64_t found = 0, fresh = 0;
#pragma omp parallel for collapse(2) num_threads(queue.threads) reduction(+ : found, fresh)
  for (int k = a.lower[2]; k < a.upper[2]; ++k) {
    for (int j = a.lower[1]; j < a.upper[1]; ++j) {
      // Others are as the first pass found them.
      if (pass.number > 1 &&
          !row_concerned(pass, scheme, 1, pass.number - 1, a.lower[0], a.upper[0], j, k))
        continue;
      std::int64_t fresh_here = 0;
      found += detail::find_in_row(a, scheme, pass, j, k, fresh_here);
      fresh += fresh_here;
      if (fresh_here > 0 && pass.rows.marks) pass.rows.mark(pass.number, j, k) = 1;
    }
  }
  pass.record->found[pass.number - 1] = found;
  pass.record->limited += fresh;
  if (pass.number > limit_passes && found > 0 && update.last) {
    clock->signal_bits = double_to_bits(std::numeric_limits<double>::quiet_NaN());
  }
}

template <class R, class Scheme, class Finish>
void limit_correct(OnCpu, const CellArrays<R>& a, const StageUpdate<R>& update,
                   const Scheme& scheme, const Scheme& low, const Finish& finish,
                   const LimitPass<R>& pass, Clock* clock, const Queue& queue) {
  if (!clock->active || pass.idle(pass.number)) return;
  const R dt = R(clock->dt);
  double largest = 0;
#pragma omp parallel for collapse(2) num_threads(queue.threads) reduction(max : largest)
  for (int k = a.lower[2]; k < a.upper[2]; ++k) {
    for (int j = a.lower[1]; j < a.upper[1]; ++j) {
      if (!row_concerned(pass, scheme, pass.number, pass.number, a.lower[0], a.upper[0], j, k))
        continue;
      for (int i = a.lower[0]; i < a.upper[0]; ++i) {
        Vec<R, Scheme::variables> value;
        if (!correct_cell(a, update, scheme, low, pass, dt, i, j, k, value)) continue;
        if (update.last) largest = std::max(largest, double(finish(value)));
        const std::int64_t at = i + j * a.stride_j + k * a.stride_k;
        for (int v = 0; v < Scheme::variables; ++v) a.out[at + v * a.stride_var] = value[v];
      }
    }
  }
  if (update.last) clock->signal_bits = std::max(clock->signal_bits, double_to_bits(largest));
}

}  // namespace watersmeet::exec
