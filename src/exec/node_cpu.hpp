#pragma once
// The node form on the CPU: packs along i in the central rows, scalars in the closures at both ends
// of a line. The cut into packs does not depend on the number of threads. Included by CPU
// instantiation files only.

#include <algorithm>

#include "core/device.hpp"
#include "core/pack.hpp"
#include "exec/back_end.hpp"
#include "exec/clock.hpp"
#include "exec/node_pool.hpp"

namespace watersmeet::exec {

namespace detail {

// The largest number that the body returned, NaN if one was; and their sum, for counts: its bits
// depend on the threads unless they are small whole numbers.
struct NodeNumbers {
  double largest = 0.0, sum = 0.0;
};

template <class R, class Body>
NodeNumbers node_numbers(std::span<const NodeBlock> blocks, const Body& body, int threads) {
  using T = Pack<R>;
  constexpr int width = static_cast<int>(T::size());
  NodeNumbers all;
#pragma omp parallel num_threads(threads)
  {
    T packs = R(0), sums = R(0);
    R rest = R(0), sum = R(0);
    for (const NodeBlock& block : blocks) {
      const int n = block.n[0], ends = std::min(end_rows(block.order[0]), n);
#pragma omp for collapse(2) schedule(static) nowait
      for (int k = 0; k < block.n[2]; ++k) {
        for (int j = 0; j < block.n[1]; ++j) {
          const auto scalar = [&](int i) {
            const R signal = body(node_point(&block, i, j, k), static_cast<const R*>(nullptr), 1);
            rest = max_or_nan(rest, signal);
            sum += signal;
          };
          const int upper = std::max(ends, n - ends);
          for (int i = 0; i < ends; ++i) scalar(i);
          for (int i = ends; i < upper; i += width) {
            const int lanes = std::min(width, upper - i);
            T signal = body(node_point(&block, i, j, k), static_cast<const T*>(nullptr), lanes);
            Lanes<T>::clear_from(signal, lanes);
            packs = max_or_nan(packs, signal);
            sums += signal;
          }
          for (int i = upper; i < n; ++i) scalar(i);
        }
      }
    }
    NodeNumbers mine{double(rest), double(sum)};
    for (std::size_t l = 0; l < T::size(); ++l) {
      mine.largest = max_or_nan(mine.largest, double(R(packs[l])));
      mine.sum += double(R(sums[l]));
    }
#pragma omp critical
    {
      all.largest = max_or_nan(all.largest, mine.largest);
      all.sum += mine.sum;
    }
  }
  return all;
}

}  // namespace detail

// Calls the body for all nodes of the blocks, in an active step only or `always`.
template <NodeReport report, class R, class Body>
void node_loop(OnCpu, const NodePool& pool, const Body& body, Clock* clock, bool always,
               const Queue& queue) {
  if (!always && !clock->active) return;
  const detail::NodeNumbers numbers = detail::node_numbers<R>(pool.blocks, body, queue.threads);
  if constexpr (report == NodeReport::signal) {
    clock->signal_bits = std::max(clock->signal_bits, double_to_bits(numbers.largest));
  } else if constexpr (report == NodeReport::events) {
    clock->events += static_cast<std::int64_t>(numbers.sum);
  }
}

// Calls body(point), which returns whether it saw an event. In an active step only.
template <class Body>
void node_visit(OnCpu, const NodePool& pool, const Body& body, Clock* clock, const Queue& queue) {
  if (!clock->active) return;
  std::int64_t events = 0;
#pragma omp parallel num_threads(queue.threads) reduction(+ : events)
  for (const NodeBlock& block : pool.blocks) {
#pragma omp for collapse(2) schedule(static) nowait
    for (int k = 0; k < block.n[2]; ++k) {
      for (int j = 0; j < block.n[1]; ++j) {
        for (int i = 0; i < block.n[0]; ++i) events += body(node_point(&block, i, j, k));
      }
    }
  }
  clock->events += events;
}

// The same of a body that has parts (node_cuda.hpp), which body(point) does one after the other, and no events.
template <class Body>
void node_parts(OnCpu back_end, const NodePool& pool, const Body& body, Clock* clock,
                const Queue& queue) {
  node_visit(back_end, pool, body, clock, queue);
}

}  // namespace watersmeet::exec
