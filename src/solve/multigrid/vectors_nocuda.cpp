// Conjugate gradients of a build without CUDA: never called, because no such queue can be made.
#include "core/error.hpp"
#include "solve/multigrid/vectors.hpp"

namespace watersmeet::solve::detail {

template <class R, class X>
void combine_cuda(const LevelArrays<R>&, const LevelArrays<X>&, double, double, const Queue&) {
  require(false, "no CUDA back end in this build");
}
template <class R>
void apply_cuda(const LevelArrays<R>&, const Queue&) {
  require(false, "no CUDA back end in this build");
}
template <class R, class X>
void dot_cuda(const LevelArrays<R>&, const LevelArrays<X>&, const CellWidths&, Measured*,
              const Queue&) {
  require(false, "no CUDA back end in this build");
}
template <class R, class C>
void hand_over_cuda(const LevelArrays<R>&, const LevelArrays<C>&, double, const Queue&) {
  require(false, "no CUDA back end in this build");
}
template void combine_cuda(const LevelArrays<float>&, const LevelArrays<float>&, double, double,
                           const Queue&);
template void dot_cuda(const LevelArrays<float>&, const LevelArrays<float>&, const CellWidths&,
                       Measured*, const Queue&);
template void hand_over_cuda(const LevelArrays<float>&, const LevelArrays<float>&, double,
                             const Queue&);
template void combine_cuda(const LevelArrays<double>&, const LevelArrays<float>&, double, double,
                           const Queue&);
template void dot_cuda(const LevelArrays<double>&, const LevelArrays<float>&, const CellWidths&,
                       Measured*, const Queue&);
template void hand_over_cuda(const LevelArrays<double>&, const LevelArrays<float>&, double,
                             const Queue&);
template void combine_cuda(const LevelArrays<double>&, const LevelArrays<double>&, double, double,
                           const Queue&);
template void dot_cuda(const LevelArrays<double>&, const LevelArrays<double>&, const CellWidths&,
                       Measured*, const Queue&);
template void hand_over_cuda(const LevelArrays<double>&, const LevelArrays<double>&, double,
                             const Queue&);
template void apply_cuda(const LevelArrays<float>&, const Queue&);
template void apply_cuda(const LevelArrays<double>&, const Queue&);
}  // namespace watersmeet::solve::detail
