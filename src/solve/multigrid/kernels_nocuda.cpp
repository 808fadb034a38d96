// Multigrid of a build without CUDA: never called, because no such queue can be made.
#include "core/error.hpp"
#include "solve/multigrid/kernels.hpp"
#include "solve/multigrid/outer.hpp"

namespace watersmeet::solve::detail {

namespace {
void refuse() { require(false, "no CUDA back end in this build"); }
}  // namespace

template <class R>
void clear_cuda(const LevelArrays<R>&, const When&, const Queue&) {
  refuse();
}
template <class R>
void red_black_cuda(const LevelArrays<R>&, int, const When&, const Queue&) {
  refuse();
}
template <class R>
void jacobi_cuda(const LevelArrays<R>&, const When&, const Queue&) {
  refuse();
}
template <class R>
void lines_z_cuda(const LevelArrays<R>&, int, const When&, const Queue&) {
  refuse();
}
template <class R>
void restrict_residual_cuda(const LevelArrays<R>&, const TransferArrays<R>&, const LevelArrays<R>&,
                            bool, const When&, const Queue&) {
  refuse();
}
template <class R>
void interpolate_cuda(const LevelArrays<R>&, const TransferArrays<R>&, const LevelArrays<R>&, bool,
                      const When&, const Queue&) {
  refuse();
}
template <class R>
void solve_bottom_cuda(const LevelArrays<R>&, const BottomArrays<R>&, const When&, const Queue&) {
  refuse();
}
template <class R>
void to_words_cuda(const LevelArrays<R>&, const PartPlace&, std::int64_t*, const Queue&) {
  refuse();
}
template <class R>
void from_words_cuda(const LevelArrays<R>&, const std::int64_t*, const Queue&) {
  refuse();
}
template <class R>
void take_part_cuda(const LevelArrays<R>&, const PartPlace&, const LevelArrays<R>&, const Queue&) {
  refuse();
}
template <class R>
void measure_cuda(const LevelArrays<R>&, const CellWidths&, bool, Measured*, const Queue&) {
  refuse();
}
template <class R>
void count_cuda(const LevelArrays<R>&, const CellWidths&, bool, const exec::SumScale&,
                std::int64_t*, const Queue&) {
  refuse();
}
template <class R, class C>
void correct_cuda(const LevelArrays<R>&, const LevelArrays<C>&, double, bool, bool, const Queue&) {
  refuse();
}
template <class R, class C>
void residual_cuda(const LevelArrays<R>&, double, double, const LevelArrays<C>&, Residual*,
                   const Queue&) {
  refuse();
}
template <class R>
void shift_cuda(const LevelArrays<R>&, double, const Queue&) {
  refuse();
}

template void clear_cuda(const LevelArrays<float>&, const When&, const Queue&);
template void red_black_cuda(const LevelArrays<float>&, int, const When&, const Queue&);
template void jacobi_cuda(const LevelArrays<float>&, const When&, const Queue&);
template void lines_z_cuda(const LevelArrays<float>&, int, const When&, const Queue&);
template void restrict_residual_cuda(const LevelArrays<float>&, const TransferArrays<float>&,
                                     const LevelArrays<float>&, bool, const When&, const Queue&);
template void interpolate_cuda(const LevelArrays<float>&, const TransferArrays<float>&,
                               const LevelArrays<float>&, bool, const When&, const Queue&);
template void solve_bottom_cuda(const LevelArrays<float>&, const BottomArrays<float>&, const When&,
                                const Queue&);
template void to_words_cuda(const LevelArrays<float>&, const PartPlace&, std::int64_t*,
                            const Queue&);
template void from_words_cuda(const LevelArrays<float>&, const std::int64_t*, const Queue&);
template void take_part_cuda(const LevelArrays<float>&, const PartPlace&, const LevelArrays<float>&,
                             const Queue&);
template void measure_cuda(const LevelArrays<float>&, const CellWidths&, bool, Measured*,
                           const Queue&);
template void shift_cuda(const LevelArrays<float>&, double, const Queue&);
template void clear_cuda(const LevelArrays<double>&, const When&, const Queue&);
template void red_black_cuda(const LevelArrays<double>&, int, const When&, const Queue&);
template void jacobi_cuda(const LevelArrays<double>&, const When&, const Queue&);
template void lines_z_cuda(const LevelArrays<double>&, int, const When&, const Queue&);
template void restrict_residual_cuda(const LevelArrays<double>&, const TransferArrays<double>&,
                                     const LevelArrays<double>&, bool, const When&, const Queue&);
template void interpolate_cuda(const LevelArrays<double>&, const TransferArrays<double>&,
                               const LevelArrays<double>&, bool, const When&, const Queue&);
template void solve_bottom_cuda(const LevelArrays<double>&, const BottomArrays<double>&,
                                const When&, const Queue&);
template void to_words_cuda(const LevelArrays<double>&, const PartPlace&, std::int64_t*,
                            const Queue&);
template void from_words_cuda(const LevelArrays<double>&, const std::int64_t*, const Queue&);
template void take_part_cuda(const LevelArrays<double>&, const PartPlace&,
                             const LevelArrays<double>&, const Queue&);
template void measure_cuda(const LevelArrays<double>&, const CellWidths&, bool, Measured*,
                           const Queue&);
template void shift_cuda(const LevelArrays<double>&, double, const Queue&);
template void count_cuda(const LevelArrays<float>&, const CellWidths&, bool, const exec::SumScale&,
                         std::int64_t*, const Queue&);
template void count_cuda(const LevelArrays<double>&, const CellWidths&, bool, const exec::SumScale&,
                         std::int64_t*, const Queue&);
template void correct_cuda(const LevelArrays<float>&, const LevelArrays<float>&, double, bool, bool,
                           const Queue&);
template void residual_cuda(const LevelArrays<float>&, double, double, const LevelArrays<float>&,
                            Residual*, const Queue&);
template void correct_cuda(const LevelArrays<double>&, const LevelArrays<float>&, double, bool,
                           bool, const Queue&);
template void residual_cuda(const LevelArrays<double>&, double, double, const LevelArrays<float>&,
                            Residual*, const Queue&);
template void correct_cuda(const LevelArrays<double>&, const LevelArrays<double>&, double, bool,
                           bool, const Queue&);
template void residual_cuda(const LevelArrays<double>&, double, double, const LevelArrays<double>&,
                            Residual*, const Queue&);
}  // namespace watersmeet::solve::detail
