#include "solve/multigrid/kernels_part_cpu.hpp"

namespace watersmeet::solve::detail {
template void clear_cpu(const LevelArrays<float>&, int);
template void red_black_cpu(const LevelArrays<float>&, int, int);
template void jacobi_cpu(const LevelArrays<float>&, int);
template void lines_z_cpu(const LevelArrays<float>&, int, int);
template void restrict_residual_cpu(const LevelArrays<float>&, const TransferArrays<float>&,
                                    const LevelArrays<float>&, bool, int);
template void interpolate_cpu(const LevelArrays<float>&, const TransferArrays<float>&,
                              const LevelArrays<float>&, bool, int);
template void solve_bottom_cpu(const LevelArrays<float>&, const BottomArrays<float>&, int);
template void to_words_cpu(const LevelArrays<float>&, const PartPlace&, std::int64_t*, int);
template void from_words_cpu(const LevelArrays<float>&, const std::int64_t*, int);
template void take_part_cpu(const LevelArrays<float>&, const PartPlace&, const LevelArrays<float>&,
                            int);
}  // namespace watersmeet::solve::detail
