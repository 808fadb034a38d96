#include "run/recorded_speeds.hpp"

#include <array>

namespace watersmeet::run {

namespace {
// The output of `tools/recorded_speeds.py bench/results/nvidia-h200`: the sizes that were measured, and the largest difference of the fit from
// them. Cycles of aerodynamics have other coefficients than its steps, because they launch more kernels for their points.
constexpr std::array table = std::to_array<RecordedSpeed>({
    {"isothermal", Precision::single_, 34.4e-6, 0.0297e-9},                 // 6 sizes, 4 %
    {"isothermal", Precision::double_, 31.7e-6, 0.0527e-9},                 // 6 sizes, 2 %
    {"multicomponent", Precision::single_, 86.8e-6, 0.1007e-9},             // 3 sizes, 5 %
    {"multicomponent", Precision::double_, 98.8e-6, 0.1898e-9},             // 3 sizes, 2 %
    {"shallow_water", Precision::single_, 14.9e-6, 0.0208e-9},              // 3 sizes, 1 %
    {"shallow_water", Precision::double_, 18.3e-6, 0.0341e-9},              // 3 sizes, 1 %
    {"shallow_water sphere", Precision::single_, 25.4e-6, 0.0305e-9},       // 2 sizes, 0 %
    {"shallow_water sphere", Precision::double_, 30.5e-6, 0.0586e-9},       // 2 sizes, 0 %
    {"atmosphere", Precision::single_, 103.9e-6, 0.0292e-9},                // 2 sizes, 0 %
    {"atmosphere", Precision::double_, 121.8e-6, 0.0488e-9},                // 2 sizes, 0 %
    {"atmosphere terrain", Precision::single_, 119.8e-6, 0.0409e-9},        // 2 sizes, 0 %
    {"atmosphere terrain", Precision::double_, 205.9e-6, 0.0758e-9},        // 2 sizes, 0 %
    {"atmosphere sphere", Precision::single_, 0.0e-6, 0.0624e-9},           // 1 sizes, 0 %
    {"atmosphere sphere", Precision::double_, 272.2e-6, 0.0853e-9},         // 2 sizes, 0 %
    {"atmosphere hevi", Precision::single_, 0.0e-6, 0.1362e-9},             // 1 sizes, 0 %
    {"atmosphere hevi", Precision::double_, 0.0e-6, 0.2249e-9},             // 1 sizes, 0 %
    {"boussinesq fft", Precision::single_, 50.7e-6, 0.0603e-9},             // 4 sizes, 9 %
    {"boussinesq fft", Precision::double_, 52.0e-6, 0.1079e-9},             // 4 sizes, 8 %
    {"boussinesq mg", Precision::single_, 167.7e-6, 0.1150e-9},             // 4 sizes, 44 %
    {"boussinesq mg", Precision::double_, 621.7e-6, 0.2102e-9},             // 4 sizes, 22 %
    {"aerodynamics order 1", Precision::single_, 5.1e-6, 0.0807e-9},        // 5 sizes, 17 %
    {"aerodynamics order 1", Precision::double_, 5.6e-6, 0.1117e-9},        // 5 sizes, 19 %
    {"aerodynamics order 1 cycle", Precision::single_, 5.0e-6, 0.0894e-9},  // 5 sizes, 10 %
    {"aerodynamics order 1 cycle", Precision::double_, 5.4e-6, 0.1251e-9},  // 5 sizes, 14 %
    {"aerodynamics order 3", Precision::single_, 3.9e-6, 0.1221e-9},        // 5 sizes, 1 %
    {"aerodynamics order 3", Precision::double_, 4.4e-6, 0.1653e-9},        // 5 sizes, 5 %
    {"aerodynamics order 3 cycle", Precision::single_, 3.9e-6, 0.1262e-9},  // 5 sizes, 6 %
    {"aerodynamics order 3 cycle", Precision::double_, 4.5e-6, 0.1734e-9},  // 5 sizes, 8 %
});
}  // namespace

const RecordedSpeed* find_recorded(const std::string& row, Precision precision) {
  for (const RecordedSpeed& speed : table) {
    if (row == speed.row && precision == speed.precision) return &speed;
  }
  return nullptr;
}

}  // namespace watersmeet::run
