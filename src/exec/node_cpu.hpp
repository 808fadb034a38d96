#pragma once
// The node form on the CPU: packs along i in the central rows, scalars in the closures at both ends
// of a line. The cut into packs does not depend on the number of threads. Included by CPU
// instantiation files only.

#include <algorithm>

#include "core/device.hpp"
#include "core/pack.hpp"
#include "exec/clock.hpp"
#include "exec/node.hpp"

namespace watersmeet::exec {

// The largest number that the body returned, NaN if one was; and their sum, for counts: its bits
// depend on the threads unless they are small whole numbers.
struct NodeNumbers {
  double largest = 0.0, sum = 0.0;
};

// Calls the body for all nodes of the blocks.
template <class R, class Body>
NodeNumbers node_loop_cpu(const NodeBlock* blocks, int count, const Body& body, int threads) {
  using T = Pack<R>;
  constexpr int width = static_cast<int>(T::size());
  NodeNumbers all;
#pragma omp parallel num_threads(threads)
  {
    T packs = R(0), sums = R(0);
    R rest = R(0), sum = R(0);
    for (int b = 0; b < count; ++b) {
      const NodeBlock& block = blocks[b];
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

// Calls body(point) for all nodes, one at a time; returns the sum of what it counts.
template <class Body>
std::int64_t node_visit_cpu(const NodeBlock* blocks, int count, const Body& body, int threads) {
  std::int64_t events = 0;
#pragma omp parallel num_threads(threads) reduction(+ : events)
  for (int b = 0; b < count; ++b) {
    const NodeBlock& block = blocks[b];
#pragma omp for collapse(2) schedule(static) nowait
    for (int k = 0; k < block.n[2]; ++k) {
      for (int j = 0; j < block.n[1]; ++j) {
        for (int i = 0; i < block.n[0]; ++i) events += body(node_point(&block, i, j, k));
      }
    }
  }
  return events;
}

}  // namespace watersmeet::exec
