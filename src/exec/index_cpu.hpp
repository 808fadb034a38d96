#pragma once
// A body called for every number 0 .. count - 1, in any order: lists of nodes, lists of surfaces,
// transfers between levels. Included by CPU instantiation files only; index_cuda.hpp has the same.

#include <cstdint>

namespace watersmeet::exec {

// Returns the sum of what the body counts.
template <class Body>
std::int64_t index_loop_cpu(std::int64_t count, const Body& body, int threads) {
  std::int64_t events = 0;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(+ : events)
  for (std::int64_t at = 0; at < count; ++at) events += body(at);
  return events;
}

}  // namespace watersmeet::exec
