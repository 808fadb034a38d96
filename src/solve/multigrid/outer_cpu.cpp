#include "solve/multigrid/outer_cpu.hpp"

namespace watersmeet::solve::detail {
template Measured measure_cpu(const LevelArrays<float>&, const CellWidths&, bool, int);
template Measured measure_cpu(const LevelArrays<double>&, const CellWidths&, bool, int);
template void count_cpu(const LevelArrays<float>&, const CellWidths&, bool, const exec::SumScale&,
                        std::int64_t*, int);
template void count_cpu(const LevelArrays<double>&, const CellWidths&, bool, const exec::SumScale&,
                        std::int64_t*, int);
template void correct_cpu(const LevelArrays<float>&, const LevelArrays<float>&, double, bool, bool,
                          int);
template void correct_cpu(const LevelArrays<double>&, const LevelArrays<float>&, double, bool, bool,
                          int);
template void correct_cpu(const LevelArrays<double>&, const LevelArrays<double>&, double, bool,
                          bool, int);
template Residual residual_cpu(const LevelArrays<float>&, double, double, const LevelArrays<float>&,
                               int);
template Residual residual_cpu(const LevelArrays<double>&, double, double,
                               const LevelArrays<float>&, int);
template Residual residual_cpu(const LevelArrays<double>&, double, double,
                               const LevelArrays<double>&, int);
template void shift_cpu(const LevelArrays<float>&, double, int);
template void shift_cpu(const LevelArrays<double>&, double, int);
}  // namespace watersmeet::solve::detail
