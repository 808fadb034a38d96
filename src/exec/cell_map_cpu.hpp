#pragma once
// CPU loops of exec/cell_map.hpp. Included by CPU instantiation files only.

#include <algorithm>

#include "core/device.hpp"
#include "core/pack.hpp"
#include "exec/back_end.hpp"
#include "exec/cell_map.hpp"

namespace watersmeet::exec {

// What a loop does beside each row of cells (j, k), while the row is in the first-level cache: nothing.
struct NothingBeside {
  void operator()(int, int) const {}
};

namespace detail {
template <class R, class Store, class F, class Before = NothingBeside>
void for_each_pack(const CellArrays<R>& a, const F& f, int threads, const Store& store,
                   const Before& before = {}) {
  using T = Pack<R>;
  constexpr int width = static_cast<int>(T::size());
#pragma omp parallel for collapse(2) num_threads(threads) schedule(static)
  for (int k = a.lower[2]; k < a.upper[2]; ++k) {
    for (int j = a.lower[1]; j < a.upper[1]; ++j) {
      before(j, k);
      for (int i = a.lower[0]; i < a.upper[0]; i += width) {
        const auto s = accessor_for<T, F>(a, i, j, k);
        store(f(s), s, std::min(width, a.upper[0] - i));
      }
    }
  }
}
}  // namespace detail

// a.out (variable 0) <- f. Runs only in an active step. `before` is called ahead of each row.
template <class R, class F, class Before = NothingBeside>
void cell_store(OnCpu, const CellArrays<R>& a, const F& f, const Clock* clock, const Queue& queue,
                const Before& before = {}) {
  if (!clock->active) return;
  detail::for_each_pack(
      a, f, queue.threads,
      [&](const auto& value, const auto& s, int lanes) {
        store_pack(a.out + s.offset, value, lanes);
      },
      before);
}

// a.out <- f for the variables that it changes, `out` being the array `in` or a congruent one. `before` and `after` are called
// ahead of each row and behind it.
template <class R, class F, class Before = NothingBeside, class After = NothingBeside>
void cell_change(OnCpu, const CellArrays<R>& a, const F& f, Clock* clock, const Queue& queue,
                 const Before& before = {}, const After& after = {}) {
  if (!clock->active) return;
  using T = Pack<R>;
  constexpr int width = static_cast<int>(T::size());
  double largest = 0.0;
#pragma omp parallel num_threads(queue.threads)
  {
    T signal = R(0);
#pragma omp for collapse(2) schedule(static)
    for (int k = a.lower[2]; k < a.upper[2]; ++k) {
      for (int j = a.lower[1]; j < a.upper[1]; ++j) {
        before(j, k);
        for (int i = a.lower[0]; i < a.upper[0]; i += width) {
          const auto s = accessor_for<T, F>(a, i, j, k);
          const int lanes = std::min(width, a.upper[0] - i);
          auto changed = f(s);
          Lanes<T>::clear_from(changed.signal, lanes);  // padding
          signal = max_or_nan(signal, changed.signal);
          for (int v = 0; v < F::outputs; ++v)
            store_pack(a.out + v * a.stride_var + s.offset, changed.value[v], lanes);
        }
        after(j, k);
      }
    }
#pragma omp critical
    for (std::size_t l = 0; l < T::size(); ++l) largest = max_or_nan(largest, double(R(signal[l])));
  }
  clock->signal_bits = std::max(clock->signal_bits, double_to_bits(largest));
}

template <class R, class F>
void cell_pack(OnCpu, const CellArrays<R>& a, const F& f, const PackedTarget<R>& target,
               const Queue& queue) {
  detail::for_each_pack(a, f, queue.threads, [&](const auto& value, const auto& s, int lanes) {
    R* const to = target.start + packed_index(a, target, s.i, s.j, s.k);
    for (int l = 0; l < lanes; ++l) {
      for (int c = 0; c < target.components; ++c)
        to[l * target.components + c] = R(value[c][std::size_t(l)]);
    }
  });
}

}  // namespace watersmeet::exec
