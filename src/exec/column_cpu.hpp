#pragma once
// The line form along z on the CPU: a body that goes up and down whole columns of cells, for
// recurrences such as implicit vertical terms. Blocks of levels may be stacked along z; the body
// gets the column (i, j) and its block,
//   template <class T> void operator()(int i, int j, int block, int lanes, R dt) const
// of packs along x the first `lanes` count. Runs only in an active step. Included by CPU
// instantiation files only; column_cuda.hpp has the same.

#include <algorithm>

#include "core/device.hpp"
#include "core/pack.hpp"
#include "exec/back_end.hpp"
#include "exec/clock.hpp"

namespace watersmeet::exec {

template <class R, class Body>
void column_loop(OnCpu, int columns, int rows, int blocks, const Body& body, const Clock* clock,
                 const Queue& queue) {
  if (!clock->active) return;
  using T = Pack<R>;
  constexpr int width = static_cast<int>(T::size());
  const R dt = R(clock->dt);
#pragma omp parallel for collapse(3) num_threads(queue.threads) schedule(static)
  for (int block = 0; block < blocks; ++block) {
    for (int j = 0; j < rows; ++j) {
      for (int i = 0; i < columns; i += width) {
        body.template operator()<T>(i, j, block, std::min(width, columns - i), dt);
      }
    }
  }
}

}  // namespace watersmeet::exec
