#pragma once
// Column solvers of the back ends.

#include "solve/poisson/stages.hpp"

namespace watersmeet::solve {

// On the GPU a column is cut into sections of at most 16 cells, so many at most; longer ones are
// marched through memory and need another array of modes for their factors.
constexpr std::int64_t most_sections_cuda = 64;
inline std::size_t column_arrays_cuda(std::int64_t nz) {
  return nz > 16 * most_sections_cuda ? 1 : 0;
}

template <class R>
CellWeights<R> rounded(const CellWeights<double>& c) {
  return {static_cast<R>(c.low), static_cast<R>(c.up), static_cast<R>(c.leak),
          static_cast<R>(c.width)};
}

std::unique_ptr<ColumnSolver> make_columns_cpu(const ColumnPlan& plan, Precision precision,
                                               comm::Team& team, const Queue& queue);
std::unique_ptr<ColumnSolver> make_columns_cuda(const ColumnPlan& plan, Precision precision,
                                                comm::Team& team, const Queue& queue);

}  // namespace watersmeet::solve
