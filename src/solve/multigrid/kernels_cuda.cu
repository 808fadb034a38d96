#include "solve/multigrid/kernels_cuda.hpp"

namespace watersmeet::solve::detail {
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
}  // namespace watersmeet::solve::detail
