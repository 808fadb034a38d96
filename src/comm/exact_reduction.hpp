#pragma once
// Sums and maxima over the cells of all ranks whose bits depend neither on how many ranks there are
// nor on which of them holds a cell (exec/exact_sum.hpp). Two passes over the cells.

#include <cstdint>
#include <functional>

#include "comm/communicator.hpp"
#include "exec/exact_sum.hpp"

namespace watersmeet::comm {

// Collective. results: `sums` sums, then `maxima` maxima, the same on all ranks; a sum is NaN when
// a value of any cell is not finite, a maximum when one is NaN.
//   measure(largest)           raises largest[v] to the largest magnitude of the values of sum v on
//                              this rank, and largest[sums + m] to maximum m
//   count(scales, high_low)    adds the integers of sum v to high_low[2 v] and high_low[2 v + 1]
// Both may go over several blocks, or none. cells_of_all: of the whole domain, at most 2^52.
void reduce_exactly(
    Communicator& world, int sums, int maxima, std::int64_t cells_of_all,
    const std::function<void(double* largest)>& measure,
    const std::function<void(const exec::SumScale* scales, std::int64_t* high_low)>& count,
    double* results);

}  // namespace watersmeet::comm
