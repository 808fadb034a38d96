// A build without CUDA has no solver on a device.
#include "core/error.hpp"
#include "solve/multigrid/device_solver.hpp"

namespace watersmeet::solve {

bool device_solver_built() { return false; }
std::unique_ptr<PoissonSolver> make_device_solver(const Hierarchy&, const PoissonPlace&,
                                                  const MultigridOptions&) {
  require(false, "no CUDA back end in this build");
  return nullptr;
}
std::size_t device_solver_bytes(const Hierarchy&, Precision, const MultigridOptions&) { return 0; }

}  // namespace watersmeet::solve
