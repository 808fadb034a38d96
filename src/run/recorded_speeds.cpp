#include "run/recorded_speeds.hpp"

#include <array>

namespace watersmeet::run {

namespace {
// The output of `tools/recorded_speeds.py bench/results/nvidia-h200`: the sizes that were measured, and the largest difference of the fit from
// them. Cycles of aerodynamics have other coefficients than its steps, because they launch more kernels for their points.
constexpr std::array table = std::to_array<RecordedSpeed>({
    {"isothermal", Precision::single_, 32.3e-6, 0.0228e-9},                 // 2 sizes, 0 %
    {"isothermal", Precision::double_, 36.2e-6, 0.0424e-9},                 // 2 sizes, 0 %
    {"mhd", Precision::single_, 33.9e-6, 0.0422e-9},                        // 2 sizes, 0 %
    {"mhd", Precision::double_, 63.7e-6, 0.0802e-9},                        // 2 sizes, 0 %
    {"mhd entropy", Precision::single_, 43.1e-6, 0.0485e-9},                // 2 sizes, 0 %
    {"mhd entropy", Precision::double_, 78.2e-6, 0.1100e-9},                // 2 sizes, 0 %
    {"multicomponent", Precision::single_, 96.5e-6, 0.0991e-9},             // 3 sizes, 6 %
    {"multicomponent", Precision::double_, 109.3e-6, 0.1866e-9},            // 3 sizes, 4 %
    {"shallow_water", Precision::single_, 15.2e-6, 0.0202e-9},              // 3 sizes, 1 %
    {"shallow_water", Precision::double_, 18.2e-6, 0.0342e-9},              // 3 sizes, 0 %
    {"shallow_water sphere", Precision::single_, 24.2e-6, 0.0297e-9},       // 2 sizes, 0 %
    {"shallow_water sphere", Precision::double_, 28.3e-6, 0.0564e-9},       // 2 sizes, 0 %
    {"atmosphere", Precision::single_, 91.3e-6, 0.0275e-9},                 // 2 sizes, 0 %
    {"atmosphere", Precision::double_, 101.1e-6, 0.0485e-9},                // 2 sizes, 0 %
    {"atmosphere terrain", Precision::single_, 101.6e-6, 0.0360e-9},        // 2 sizes, 0 %
    {"atmosphere terrain", Precision::double_, 157.1e-6, 0.0720e-9},        // 2 sizes, 0 %
    {"atmosphere sphere", Precision::single_, 116.3e-6, 0.0531e-9},         // 2 sizes, 0 %
    {"atmosphere sphere", Precision::double_, 286.7e-6, 0.0844e-9},         // 3 sizes, 0 %
    {"atmosphere hevi", Precision::single_, 0.0e-6, 0.1363e-9},             // 1 sizes, 0 %
    {"atmosphere hevi", Precision::double_, 0.0e-6, 0.2278e-9},             // 1 sizes, 0 %
    {"boussinesq fft", Precision::single_, 50.7e-6, 0.0592e-9},             // 4 sizes, 9 %
    {"boussinesq fft", Precision::double_, 50.6e-6, 0.1026e-9},             // 4 sizes, 10 %
    {"boussinesq mg", Precision::single_, 171.3e-6, 0.1102e-9},             // 4 sizes, 43 %
    {"boussinesq mg", Precision::double_, 614.4e-6, 0.1936e-9},             // 4 sizes, 21 %
    {"aerodynamics order 1", Precision::single_, 5.6e-6, 0.0810e-9},        // 5 sizes, 16 %
    {"aerodynamics order 1", Precision::double_, 5.9e-6, 0.1118e-9},        // 5 sizes, 18 %
    {"aerodynamics order 1 cycle", Precision::single_, 5.0e-6, 0.0903e-9},  // 5 sizes, 10 %
    {"aerodynamics order 1 cycle", Precision::double_, 5.3e-6, 0.1256e-9},  // 5 sizes, 14 %
    {"aerodynamics order 3", Precision::single_, 4.2e-6, 0.1241e-9},        // 5 sizes, 1 %
    {"aerodynamics order 3", Precision::double_, 4.7e-6, 0.1676e-9},        // 5 sizes, 5 %
    {"aerodynamics order 3 cycle", Precision::single_, 4.0e-6, 0.1289e-9},  // 5 sizes, 6 %
    {"aerodynamics order 3 cycle", Precision::double_, 4.3e-6, 0.1756e-9},  // 5 sizes, 9 %
});
}  // namespace

const RecordedSpeed* find_recorded(const std::string& row, Precision precision) {
  for (const RecordedSpeed& speed : table) {
    if (row == speed.row && precision == speed.precision) return &speed;
  }
  return nullptr;
}

}  // namespace watersmeet::run
