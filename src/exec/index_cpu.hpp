#pragma once
// A body called for every number 0 .. count - 1, in any order: lists of nodes, lists of surfaces,
// transfers between levels. Included by CPU instantiation files only; index_cuda.hpp has the same.

#include <algorithm>
#include <cstdint>

#include "core/device.hpp"
#include "exec/back_end.hpp"
#include "exec/clock.hpp"

namespace watersmeet::exec {

// The body returns 1 for an event, which the clock counts. `clock` may be null where a body never
// does and `always` is true.
template <class Body>
void index_loop(OnCpu, std::int64_t count, const Body& body, Clock* clock, bool always,
                const Queue& queue) {
  if (!always && !clock->active) return;
  std::int64_t events = 0;
#pragma omp parallel for num_threads(queue.threads) schedule(static) reduction(+ : events)
  for (std::int64_t at = 0; at < count; ++at) events += body(at);
  if (events != 0) clock->events += events;
}

// The body returns a signal of R; with `report` the clock keeps the largest.
template <class R, class Body>
void signal_loop(OnCpu, std::int64_t count, const Body& body, Clock* clock, bool report,
                 const Queue& queue) {
  if (!clock->active) return;
  double largest = 0;
#pragma omp parallel num_threads(queue.threads)
  {
    R mine = R(0);
#pragma omp for schedule(static)
    for (std::int64_t at = 0; at < count; ++at) mine = max_or_nan(mine, body(at));
#pragma omp critical
    largest = max_or_nan(largest, double(mine));
  }
  if (report) clock->signal_bits = std::max(clock->signal_bits, double_to_bits(largest));
}

}  // namespace watersmeet::exec
