#include "solve/multigrid/outer_cuda.hpp"

namespace watersmeet::solve::detail {
template void measure_cuda(const LevelArrays<float>&, const CellWidths&, bool, Measured*,
                           const Queue&);
template void measure_cuda(const LevelArrays<double>&, const CellWidths&, bool, Measured*,
                           const Queue&);
template void count_cuda(const LevelArrays<float>&, const CellWidths&, bool, const exec::SumScale&,
                         std::int64_t*, const Queue&);
template void count_cuda(const LevelArrays<double>&, const CellWidths&, bool, const exec::SumScale&,
                         std::int64_t*, const Queue&);
template void correct_cuda(const LevelArrays<float>&, const LevelArrays<float>&, double, bool, bool,
                           const Queue&);
template void correct_cuda(const LevelArrays<double>&, const LevelArrays<float>&, double, bool,
                           bool, const Queue&);
template void correct_cuda(const LevelArrays<double>&, const LevelArrays<double>&, double, bool,
                           bool, const Queue&);
template void residual_cuda(const LevelArrays<float>&, double, double, const LevelArrays<float>&,
                            Residual*, const Queue&);
template void residual_cuda(const LevelArrays<double>&, double, double, const LevelArrays<float>&,
                            Residual*, const Queue&);
template void residual_cuda(const LevelArrays<double>&, double, double, const LevelArrays<double>&,
                            Residual*, const Queue&);
template void shift_cuda(const LevelArrays<float>&, double, const Queue&);
template void shift_cuda(const LevelArrays<double>&, double, const Queue&);
}  // namespace watersmeet::solve::detail
