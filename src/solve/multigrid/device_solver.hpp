#pragma once
// Multigrid on one GPU, or on several that store into each other's memory, without the host:
// everything from the first residual to the last is one CUDA graph, whose cycles are the body of a
// conditional node. A solve is two launches, and no thread waits. All ranks decide alike, since they
// decide by the same numbers.
//
//   measure rhs -> begin -> residual -> judge -> while running { cycles, correction and residual,
//                                     judge } -> measure phi -> take its mean off

#include <memory>

#include "solve/multigrid/levels.hpp"
#include "solve/multigrid/multigrid.hpp"

namespace watersmeet::solve {

// Whether the CUDA version that this was built with has conditional nodes (12.4).
bool device_solver_built();
// Null on several ranks that cannot have it: by other messages, or whose parts are no slabs.
std::unique_ptr<PoissonSolver> make_device_solver(const Hierarchy& hierarchy,
                                                  const PoissonPlace& place,
                                                  const MultigridOptions& options);
std::size_t device_solver_bytes(const Hierarchy& hierarchy, Precision precision,
                                const MultigridOptions& options);

}  // namespace watersmeet::solve
