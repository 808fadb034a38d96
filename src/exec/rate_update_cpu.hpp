#pragma once
// The update of a stage as a pass of its own on the CPU, from rates that another device has computed, for a solution in host memory
// (stream/sweep.hpp). It is the epilogue of the face form with the rates read from memory, and gives its bits. The solution u changes in place:
//
//   stored   w <- a w + dt R;   u <- u + b w
//   base     u <- u + a (u0 - u) + b dt R, where the first stage keeps u0 = u
//   two      u <- u + a (u - u0) + b dt R, where each stage keeps u0 = u
//
// Included by CPU instantiation files only, which are compiled without contraction.

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "core/device.hpp"
#include "core/pack.hpp"
#include "exec/back_end.hpp"
#include "exec/face.hpp"
#include "exec/loops.hpp"

namespace watersmeet::exec {

// Registers of the launch: `out` the solution, `increment` w or u0, which is stored where the update says so, and `extra` the rates of the
// launch's box alone, of n variables. finish: as of the face form, after the last stage.
template <int n, class R, class Finish>
void update_from_rates(OnCpu, std::integral_constant<int, n>, const Launch& launch,
                       const StageUpdate<R>& update, const Finish& finish) {
  using T = Pack<R>;
  Clock* const clock = launch.clock;
  if (!clock->active) return;
  const CellArrays<R> a = arrays_of<R>(launch);
  const BlockLayout& of_rates = *launch.registers.extra_layout;
  const R dt = R(clock->dt);
  const bool stored = update.form == UpdateForm::stored;
  double largest = 0.0;
#pragma omp parallel num_threads(launch.queue.threads)
  {
    T signal = R(0);
#pragma omp for collapse(2) schedule(static)
    for (int k = a.lower[2]; k < a.upper[2]; ++k) {
      for (int j = a.lower[1]; j < a.upper[1]; ++j) {
        const std::int64_t row = a.lower[0] + j * a.stride_j + k * a.stride_k;
        const R* const rates = a.extra + of_rates.at(0, j - a.lower[1], k - a.lower[2]);
        const int count = a.upper[0] - a.lower[0];
        for (int i = 0; i < count; i += T::lanes) {
          const int lanes = count - i;
          Vec<T, n> value;
          for (int v = 0; v < n; ++v) {
            const std::int64_t at = row + i + v * a.stride_var;
            const T u = load_as<T>(a.out + at);
            const T old = update.read_old ? load_as<T>(a.increment + at) : T(R(0));
            const auto updated =
                advance_value(update, u, old, load_as<T>(rates + i + v * of_rates.stride_var), dt);
            value[v] = updated.value;
            if (update.write_increment)
              store_pack(a.increment + at, stored ? updated.increment : u, lanes);
          }
          if (update.last) {
            T mine = finish_at(finish, value, Place{a.lower[0] + i, j, k});
            Lanes<T>::clear_from(mine, lanes);
            signal = max_or_nan(signal, mine);
          }
          for (int v = 0; v < n; ++v)
            store_pack(a.out + row + i + v * a.stride_var, value[v], lanes);
        }
      }
    }
#pragma omp critical
    for (int l = 0; l < T::lanes; ++l)
      largest = max_or_nan(largest, double(Lanes<T>::one(signal, l)));
  }
  if (update.last) clock->signal_bits = std::max(clock->signal_bits, double_to_bits(largest));
}

}  // namespace watersmeet::exec
