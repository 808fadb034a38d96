#pragma once
// Geometric multigrid for the Poisson problem, and conjugate gradients with one of its cycles as
// the preconditioner, behind the interface of all solvers (solve/poisson/solver.hpp).
//
// Traffic of a cycle whose sweeps on each way are one pass, in numbers of the cycles' type a cell,
// without halos: down 3 1/8 (u and f read, u and an eighth written; one less from a zero guess), up
// 3 1/8; 8/7 of that with the coarser levels. A residual in double is 20 bytes, with a correction
// added on the way 32. multigrid_options() has what make_poisson_solver() takes.

#include "solve/multigrid/level_cycle.hpp"
#include "solve/poisson/solver.hpp"

namespace watersmeet::solve {

struct MultigridOptions {
  Sweeps sweeps;
  double omega = 0;    // of red-black relaxation; 0: by the shape of the cells (levels.hpp)
  bool lines = false;  // along z on every level, not only where the grid needs them
  // The precision of the cycles; never more than the problem's own. Single precision costs no cycle: each is a
  // correction to a residual of the problem's precision.
  Precision cycles = Precision::single_;
  int most_inner = 2;  // cycles between two such residuals
  // On a GPU, and on several of a host: several half sweeps, residual and transfer in one kernel, the small levels in one,
  // and decisions on the device. Without: one kernel a step, the same numbers.
  bool fused = true;
  // The half sweeps of a fused pass: 2, or 4, which take longer on whole grids of any size (docs/performance.md).
  int half_sweeps = 2;
};

// Why multigrid cannot serve a problem, in a sentence; empty when it can. The coarsest level needs
// dense matrices of its axes.
std::string multigrid_refusal(const PoissonProblem& problem, PoissonMethod method);
// Error{user_input} when the problem is at fault.
std::unique_ptr<PoissonSolver> make_multigrid(const PoissonProblem& problem, PoissonMethod method,
                                              const PoissonPlace& place,
                                              const MultigridOptions& options = {});
// V(1,2) with up to three cycles a residual where all levels are red-black, V(2,2) with up to two
// where one has damped sweeps or lines, and to precondition.
MultigridOptions multigrid_options(const PoissonProblem& problem, PoissonMethod method);
// Parts that can be halved as often as the grid share more levels: a unit for each level from which
// on every rank would do the rest of the cycle by itself (level_cycle.hpp).
std::vector<mesh::CutUnit> multigrid_cut_units(const PoissonProblem& problem);
comm::Traffic multigrid_traffic(const PoissonProblem& problem, PoissonMethod method,
                                Precision precision, const comm::Domain& domain, Backend backend);
std::size_t multigrid_bytes(const PoissonProblem& problem, PoissonMethod method, const Index3& part,
                            Precision precision, Backend backend);

}  // namespace watersmeet::solve
