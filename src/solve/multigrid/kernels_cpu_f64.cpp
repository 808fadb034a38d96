#include "solve/multigrid/kernels_part_cpu.hpp"

namespace watersmeet::solve::detail {
template void clear_cpu(const LevelArrays<double>&, int);
template void red_black_cpu(const LevelArrays<double>&, int, int);
template void jacobi_cpu(const LevelArrays<double>&, int);
template void lines_z_cpu(const LevelArrays<double>&, int, int);
template void restrict_residual_cpu(const LevelArrays<double>&, const TransferArrays<double>&,
                                    const LevelArrays<double>&, bool, int);
template void interpolate_cpu(const LevelArrays<double>&, const TransferArrays<double>&,
                              const LevelArrays<double>&, bool, int);
template void solve_bottom_cpu(const LevelArrays<double>&, const BottomArrays<double>&, int);
template void to_words_cpu(const LevelArrays<double>&, const PartPlace&, std::int64_t*, int);
template void from_words_cpu(const LevelArrays<double>&, const std::int64_t*, int);
template void take_part_cpu(const LevelArrays<double>&, const PartPlace&,
                            const LevelArrays<double>&, int);
}  // namespace watersmeet::solve::detail
