// The numbers of the columns from the problem, and the choice of the back end.
#include "solve/poisson/columns.hpp"

#include <algorithm>

#include "solve/poisson/columns_loops.hpp"

namespace watersmeet::solve {

ColumnPlan::ColumnPlan(const PoissonProblem& problem, std::vector<double> along_x,
                       std::vector<double> along_y)
    : mu_x(std::move(along_x)), mu_y(std::move(along_y)), singular(problem.singular()) {
  const std::int64_t n = problem.cells[2];
  const bool flat = n == 1 && problem.sides[4] != PoissonSide::dirichlet &&
                    problem.sides[5] != PoissonSide::dirichlet;
  periodic = problem.periodic(2) && !flat;
  for (std::int64_t face = 0; face <= n; ++face) distances.push_back(problem.distance(2, face));
  const auto leak = [&](PoissonSide side, std::int64_t face) {
    return side == PoissonSide::dirichlet ? 2 / distances[static_cast<std::size_t>(face)] : 0.0;
  };
  for (std::int64_t k = 0; k < n; ++k) {
    const std::size_t c = static_cast<std::size_t>(k);
    widths.push_back(problem.width(2, k));
    CellWeights<double> cell{1 / distances[c], 1 / distances[c + 1], 0, widths.back()};
    if (k == 0 && !periodic) {
      cell.low = 0;
      cell.leak += leak(problem.sides[4], 0);
    }
    if (k == n - 1 && !periodic) {
      cell.up = 0;
      cell.leak += leak(problem.sides[5], n);
    }
    cells.push_back(cell);
  }
  first = {0, n};
  ranks = {0};
}

std::int64_t ColumnPlan::most_cells() const {
  std::int64_t most = 0;
  for (int s = 0; s < slabs(); ++s) most = std::max(most, cells_of(s));
  return most;
}

std::int64_t mode_pitch(std::int64_t nx, Precision precision) {
  const std::int64_t line = 128 / static_cast<std::int64_t>(size_of(precision));
  return (nx + line - 1) / line * line;
}

std::unique_ptr<ColumnSolver> make_columns(const ColumnPlan& plan, Precision precision,
                                           comm::Team& team, const Queue& queue) {
  return queue.backend == Backend::cuda ? make_columns_cuda(plan, precision, team, queue)
                                        : make_columns_cpu(plan, precision, team, queue);
}

}  // namespace watersmeet::solve
