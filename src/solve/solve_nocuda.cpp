// What a build without CUDA has of the solvers on a GPU: never called, because no such queue can be made.
#include "core/error.hpp"
#include "solve/multigrid/device_solver.hpp"
#include "solve/multigrid/kernels.hpp"
#include "solve/multigrid/outer.hpp"
#include "solve/poisson/columns_loops.hpp"
#include "solve/poisson/dense_loops.hpp"
#include "solve/poisson/line_loops.hpp"
#include "solve/spectra.hpp"

namespace watersmeet::solve {

namespace {
[[noreturn]] void no_cuda() { throw Error(ErrorKind::internal, "no CUDA back end in this build"); }
}  // namespace

std::vector<double> detail::power_cuda(const SpectrumInput&, std::size_t, const Queue&) {
  no_cuda();
}

bool device_solver_built() { return false; }
std::unique_ptr<PoissonSolver> make_device_solver(const Hierarchy&, const PoissonPlace&,
                                                  const MultigridOptions&) {
  no_cuda();
}
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
LineShape plan_lines_cuda(std::int64_t, bool) {
  no_cuda();
}
template <class R>
void transform_lines_cuda(const LineTables<R>&, const LineShape&, LineDirection, const R*,
                          const LineSet&, R*, const LineSet&, const exec::Clock*, const Queue&) {
  no_cuda();
}
template <class R>
std::unique_ptr<DenseProduct> make_dense_product_cuda(const DenseModes&, int, const Index3&,
                                                      const Queue&) {
  no_cuda();
}
template <class R>
void copy_if_active_cuda(const CellArray&, const CellArray&, const Index3&, const exec::Clock*,
                         const Queue&) {
  no_cuda();
}
std::unique_ptr<ColumnSolver> make_columns_cuda(const ColumnPlan&, Precision, comm::Team&,
                                                const Queue&) {
  no_cuda();
}

std::unique_ptr<PlaneTransform> make_plane_transform(const PoissonProblem&, const Index3&,
                                                     Precision, const Queue&) {
  no_cuda();
}

template LineShape plan_lines_cuda<float>(std::int64_t, bool);
template LineShape plan_lines_cuda<double>(std::int64_t, bool);
template void transform_lines_cuda<float>(const LineTables<float>&, const LineShape&, LineDirection,
                                          const float*, const LineSet&, float*, const LineSet&,
                                          const exec::Clock*, const Queue&);
template void transform_lines_cuda<double>(const LineTables<double>&, const LineShape&,
                                           LineDirection, const double*, const LineSet&, double*,
                                           const LineSet&, const exec::Clock*, const Queue&);
template std::unique_ptr<DenseProduct> make_dense_product_cuda<float>(const DenseModes&, int,
                                                                      const Index3&, const Queue&);
template std::unique_ptr<DenseProduct> make_dense_product_cuda<double>(const DenseModes&, int,
                                                                       const Index3&, const Queue&);
template void copy_if_active_cuda<float>(const CellArray&, const CellArray&, const Index3&,
                                         const exec::Clock*, const Queue&);
template void copy_if_active_cuda<double>(const CellArray&, const CellArray&, const Index3&,
                                          const exec::Clock*, const Queue&);

}  // namespace watersmeet::solve
