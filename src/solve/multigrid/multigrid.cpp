// Which solver serves a problem, and what it needs.
#include "solve/multigrid/multigrid.hpp"

#include "core/error.hpp"
#include "solve/multigrid/device_solver.hpp"
#include "solve/multigrid/host_solver.hpp"

namespace watersmeet::solve {

namespace {
template <class R, class C>
std::unique_ptr<PoissonSolver> make(Hierarchy hierarchy, const PoissonPlace& place,
                                    const MultigridOptions& options) {
  return std::make_unique<HostMultigrid<R, C>>(std::move(hierarchy), place, options);
}
}  // namespace

std::unique_ptr<PoissonSolver> make_multigrid(const PoissonProblem& problem, PoissonMethod,
                                              const PoissonPlace& place,
                                              const MultigridOptions& options) {
  const std::string fault = problem.fault();
  if (!fault.empty()) throw Error(ErrorKind::user_input, fault);
  HierarchyOptions levels;
  levels.omega = options.omega;
  Hierarchy hierarchy = make_hierarchy(problem, levels);
  // The host counts the cycles of several ranks, and of full multigrid.
  if (place.queue.backend == Backend::cuda && options.fused && !options.full &&
      place.domain->parts.size() == 1 && device_solver_built()) {
    return make_device_solver(hierarchy, place, options);
  }
  if (place.precision == Precision::single_) {
    return make<float, float>(std::move(hierarchy), place, options);
  }
  if (options.cycles == Precision::single_) {
    return make<double, float>(std::move(hierarchy), place, options);
  }
  return make<double, double>(std::move(hierarchy), place, options);
}

}  // namespace watersmeet::solve
