#pragma once
// The direct solvers, fft and gemm: transforms along x and y, tridiagonal systems along z.

#include "solve/poisson/solver.hpp"

namespace watersmeet::solve {

// The problem and the method fit (fault(), refusal()).
std::unique_ptr<PoissonSolver> make_direct_solver(const PoissonProblem& problem,
                                                  PoissonMethod method, const PoissonPlace& place);
std::size_t direct_bytes(const PoissonProblem& problem, PoissonMethod method, const Index3& part,
                         Precision precision, Backend backend);

}  // namespace watersmeet::solve
