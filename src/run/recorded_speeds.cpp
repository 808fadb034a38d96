#include "run/recorded_speeds.hpp"

#include <array>

namespace watersmeet::run {

namespace {
// The output of `tools/recorded_speeds.py bench/results/nvidia-h200`: the sizes that were measured, and the largest difference of the fit from
// them. Cycles of aerodynamics have other coefficients than its steps, because they launch more kernels for their points.
constexpr std::array table = std::to_array<RecordedSpeed>({
    {"isothermal", Precision::single_, 37.5e-6, 0.0229e-9},                 // 2 sizes, 0 %
    {"isothermal", Precision::double_, 20.9e-6, 0.0414e-9},                 // 2 sizes, 0 %
    {"mhd", Precision::single_, 33.6e-6, 0.0418e-9},                        // 2 sizes, 0 %
    {"mhd", Precision::double_, 52.6e-6, 0.0788e-9},                        // 2 sizes, 0 %
    {"mhd entropy", Precision::single_, 49.2e-6, 0.0473e-9},                // 2 sizes, 0 %
    {"mhd entropy", Precision::double_, 46.2e-6, 0.0893e-9},                // 2 sizes, 0 %
    {"multicomponent", Precision::single_, 92.3e-6, 0.1000e-9},             // 3 sizes, 6 %
    {"multicomponent", Precision::double_, 106.5e-6, 0.1870e-9},            // 3 sizes, 4 %
    {"shallow_water", Precision::single_, 16.3e-6, 0.0206e-9},              // 3 sizes, 0 %
    {"shallow_water", Precision::double_, 19.6e-6, 0.0343e-9},              // 3 sizes, 0 %
    {"shallow_water sphere", Precision::single_, 24.7e-6, 0.0301e-9},       // 2 sizes, 0 %
    {"shallow_water sphere", Precision::double_, 30.0e-6, 0.0573e-9},       // 2 sizes, 0 %
    {"atmosphere", Precision::single_, 91.3e-6, 0.0278e-9},                 // 2 sizes, 0 %
    {"atmosphere", Precision::double_, 71.1e-6, 0.0491e-9},                 // 2 sizes, 0 %
    {"atmosphere terrain", Precision::single_, 97.6e-6, 0.0366e-9},         // 2 sizes, 0 %
    {"atmosphere terrain", Precision::double_, 142.6e-6, 0.0731e-9},        // 2 sizes, 0 %
    {"atmosphere sphere", Precision::single_, 187.7e-6, 0.0522e-9},         // 2 sizes, 0 %
    {"atmosphere sphere", Precision::double_, 371.4e-6, 0.0829e-9},         // 3 sizes, 0 %
    {"atmosphere hevi", Precision::single_, 0.0e-6, 0.0950e-9},             // 1 sizes, 0 %
    {"atmosphere hevi", Precision::double_, 0.0e-6, 0.1536e-9},             // 1 sizes, 0 %
    {"boussinesq fft", Precision::single_, 50.7e-6, 0.0592e-9},             // 4 sizes, 9 %
    {"boussinesq fft", Precision::double_, 50.6e-6, 0.1026e-9},             // 4 sizes, 10 %
    {"boussinesq mg", Precision::single_, 171.3e-6, 0.1102e-9},             // 4 sizes, 43 %
    {"boussinesq mg", Precision::double_, 614.4e-6, 0.1936e-9},             // 4 sizes, 21 %
    {"aerodynamics order 1", Precision::single_, 5.3e-6, 0.0814e-9},        // 5 sizes, 15 %
    {"aerodynamics order 1", Precision::double_, 5.7e-6, 0.1123e-9},        // 5 sizes, 17 %
    {"aerodynamics order 1 cycle", Precision::single_, 5.0e-6, 0.0902e-9},  // 5 sizes, 10 %
    {"aerodynamics order 1 cycle", Precision::double_, 5.2e-6, 0.1257e-9},  // 5 sizes, 14 %
    {"aerodynamics order 3", Precision::single_, 4.2e-6, 0.1243e-9},        // 5 sizes, 1 %
    {"aerodynamics order 3", Precision::double_, 4.7e-6, 0.1676e-9},        // 5 sizes, 5 %
    {"aerodynamics order 3 cycle", Precision::single_, 4.0e-6, 0.1289e-9},  // 5 sizes, 6 %
    {"aerodynamics order 3 cycle", Precision::double_, 4.4e-6, 0.1753e-9},  // 5 sizes, 8 %
});
}  // namespace

const RecordedSpeed* find_recorded(const std::string& row, Precision precision) {
  for (const RecordedSpeed& speed : table) {
    if (row == speed.row && precision == speed.precision) return &speed;
  }
  return nullptr;
}

}  // namespace watersmeet::run
