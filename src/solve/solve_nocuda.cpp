// What a build without CUDA has of the solvers on a GPU: never called, because no such queue can be made.
#include "core/error.hpp"
#include "solve/multigrid/device_solver.hpp"
#include "solve/multigrid/kernels.hpp"
#include "solve/multigrid/outer.hpp"
#include "solve/multigrid/slab_level.hpp"
#include "solve/poisson/columns_loops.hpp"
#include "solve/poisson/dense_loops.hpp"
#include "solve/poisson/line_loops.hpp"
#include "solve/spectra.hpp"

namespace watersmeet::solve {

namespace {
[[noreturn]] void no_cuda() { throw Error(ErrorKind::internal, "no CUDA back end in this build"); }
}  // namespace

const detail::FourierSteps& detail::fourier_steps_cuda() { no_cuda(); }

bool device_solver_built() { return false; }
std::unique_ptr<PoissonSolver> make_device_solver(const Hierarchy&, const PoissonPlace&,
                                                  const MultigridOptions&) {
  no_cuda();
}
template <class R>
std::unique_ptr<SharedCycle<R>> make_slab_cycle(const std::vector<Level>&,
                                                const std::vector<LevelCut>&, const Sweeps&,
                                                comm::Team*, const Queue&) {
  no_cuda();
}
template std::unique_ptr<SharedCycle<float>> make_slab_cycle(const std::vector<Level>&,
                                                             const std::vector<LevelCut>&,
                                                             const Sweeps&, comm::Team*,
                                                             const Queue&);
template std::unique_ptr<SharedCycle<double>> make_slab_cycle(const std::vector<Level>&,
                                                              const std::vector<LevelCut>&,
                                                              const Sweeps&, comm::Team*,
                                                              const Queue&);
std::size_t device_solver_bytes(const Hierarchy&, Precision, const MultigridOptions&) { return 0; }

template <class R>
const LevelLoops<R>& level_loops_cuda() {
  no_cuda();
}
template const LevelLoops<float>& level_loops_cuda();
template const LevelLoops<double>& level_loops_cuda();
template <class R, class C>
const OuterLoops<R, C>& outer_loops_cuda() {
  no_cuda();
}
template const OuterLoops<float, float>& outer_loops_cuda();
template const OuterLoops<double, float>& outer_loops_cuda();
template const OuterLoops<double, double>& outer_loops_cuda();

template <class R>
LineShape LinesCuda<R>::plan(std::int64_t, bool) {
  no_cuda();
}
template <class R>
void LinesCuda<R>::transform(const LineTables<R>&, const LineShape&, LineDirection, const R*,
                             const LineSet&, R*, const LineSet&, const exec::Clock*, const Queue&) {
  no_cuda();
}
template struct LinesCuda<float>;
template struct LinesCuda<double>;

std::unique_ptr<PlaneTransform> make_plane_transform(const PoissonProblem&, const Index3&,
                                                     Precision, const Queue&) {
  no_cuda();
}
std::unique_ptr<AxisTransform> make_dense_cuda(const DenseModes&, int, const Index3&, Precision,
                                               const Queue&) {
  no_cuda();
}
void copy_if_active_cuda(const CellArray&, const CellArray&, const Index3&, Precision,
                         const exec::Clock*, const Queue&) {
  no_cuda();
}
std::unique_ptr<ColumnSolver> make_columns_cuda(const ColumnPlan&, Precision, comm::Team&,
                                                const Queue&) {
  no_cuda();
}

}  // namespace watersmeet::solve
