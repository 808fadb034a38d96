#pragma once
// The direct solvers, fft and gemm: transforms along x and y, tridiagonal systems along z.

#include "solve/poisson/solver.hpp"

namespace watersmeet::solve {

// Whether a method treats an axis by a dense matrix. fft never does; gemm does along the axes that
// need it, and along all of several cells where none does:
//   stretched ones, and those whose number of cells has a prime factor above largest_radix, which
//   costs a pass of the fast transform that many additions a value.
bool dense_along(const PoissonProblem& problem, PoissonMethod method, int axis);
// x and y have neither.
bool fast_along_both(const PoissonProblem& problem);
constexpr std::int64_t largest_radix = 13;

// The problem and the method fit (fault(), refusal()).
std::unique_ptr<PoissonSolver> make_direct_solver(const PoissonProblem& problem,
                                                  PoissonMethod method, const PoissonPlace& place);
comm::Traffic direct_traffic(const PoissonProblem& problem, Precision precision,
                             const comm::Domain& domain);
std::size_t direct_bytes(const PoissonProblem& problem, PoissonMethod method, const Index3& part,
                         Precision precision, Backend backend);

}  // namespace watersmeet::solve
