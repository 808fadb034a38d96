#pragma once
// Column solvers of the back ends.

#include "solve/poisson/stages.hpp"

namespace watersmeet::solve {

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
