#include "solve/multigrid/vectors_cuda.hpp"

namespace watersmeet::solve::detail {
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
