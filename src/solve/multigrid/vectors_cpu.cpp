#include "solve/multigrid/vectors_cpu.hpp"

namespace watersmeet::solve::detail {
template void combine_cpu(const LevelArrays<float>&, const LevelArrays<float>&, double, double,
                          int);
template double dot_cpu(const LevelArrays<float>&, const LevelArrays<float>&, const CellWidths&,
                        int);
template void hand_over_cpu(const LevelArrays<float>&, const LevelArrays<float>&, double, int);
template void combine_cpu(const LevelArrays<double>&, const LevelArrays<float>&, double, double,
                          int);
template double dot_cpu(const LevelArrays<double>&, const LevelArrays<float>&, const CellWidths&,
                        int);
template void hand_over_cpu(const LevelArrays<double>&, const LevelArrays<float>&, double, int);
template void combine_cpu(const LevelArrays<double>&, const LevelArrays<double>&, double, double,
                          int);
template double dot_cpu(const LevelArrays<double>&, const LevelArrays<double>&, const CellWidths&,
                        int);
template void hand_over_cpu(const LevelArrays<double>&, const LevelArrays<double>&, double, int);
template void apply_cpu(const LevelArrays<float>&, int);
template void apply_cpu(const LevelArrays<double>&, int);
}  // namespace watersmeet::solve::detail
