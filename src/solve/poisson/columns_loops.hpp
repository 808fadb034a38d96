#pragma once
// Column solvers of the back ends.

#include "solve/poisson/stages.hpp"

namespace watersmeet::solve {

std::unique_ptr<ColumnSolver> make_columns_cpu(const ColumnPlan& plan, Precision precision,
                                               const Queue& queue);
std::unique_ptr<ColumnSolver> make_columns_cuda(const ColumnPlan& plan, Precision precision,
                                                const Queue& queue);

}  // namespace watersmeet::solve
