#pragma once
// The cases of the multicomponent verification as a small struct that becomes the text of an input
// file, and the numbers that are looked at afterwards.

#include <string>
#include <vector>

#include "core/types.hpp"
#include "schemes/exact_riemann.hpp"
#include "verify/verification.hpp"

namespace watersmeet::verify {

// Magnitudes that smoothness indicators are divided by.
struct WenoScales {
  double rho = 1, u = 1, p = 1, Gamma = 1, Pi = 1;
};

struct FlowCase {
  Index3 cells{1, 1, 1};
  Real3 lower{0, 0, 0}, upper{1, 1, 1};
  bool axisymmetric = false;
  std::string model = "mpcf";
  std::string fluids = {};                    // lines of [physics.fluids]
  double density_scale = 0, speed_scale = 0;  // of the stored numbers; 0: the program's choice
  std::string reconstruction = "weno5-js";
  double epsilon = 0;                   // of the weights; 0: the program's own
  WenoScales scales = {0, 0, 0, 0, 0};  // 0: those of the initial state
  std::string riemann = "hllc", energy = "auto", positivity = "fallback";
  double cfl = 0.6;
  std::string cfl_norm = "sum";
  double dt = 0;  // fixed when positive
  std::string scheme = "rk3-cubism";
  std::string initial = {};   // the tables [[initial]]
  std::string boundary = {};  // lines of [boundary]
  std::string grid = {};      // further lines of [grid]
};

std::string text_of(const FlowCase& c);

// A line of [physics.fluids].
std::string fluid_line(const std::string& name, const schemes::GasState& s);
// A table [[initial]] of one state, its velocity along `axis`; `shape` is the text of a shape.
std::string initial_entry(const std::string& fluid, const schemes::GasState& s, int axis = 0,
                          const std::string& shape = "");

// Air and water of Wermelinger et al. (PASC 2016), in SI units at 1e5 Pa.
inline constexpr schemes::GasState seed_water{1000, 0, 1e5, 6.12, 3.43e8};
inline constexpr schemes::GasState seed_air{1.204, 0, 1e5, 1.40, 0};
inline constexpr WenoScales seed_scales{1e3, 100, 4e7, 1, 4e8};

// The shape of a half space along x, for initial_entry().
std::string half_space(double x, const char* side = "upper");
// Two states side by side, each a fluid of its own, which meet at x.
std::string two_halves(const schemes::GasState& left, const schemes::GasState& right, double x);

// Sedov's blast wave in gas of density 1 and gamma = 1.4 (Similarity and Dimensional Methods in
// Mechanics, 1959): r = (E t^2 / (alpha rho))^(1/5). It begins as the heat of a sphere of 3.5 cells.
namespace sedov {
constexpr double ahead = 1e-5, radius = 0.75;  // pressure; where the front is at time_of(E)
FlowCase case_of(const Index3& cells, double h);
double time_of(double energy);
// Where the density falls for the last time through the middle between its largest value and that
// ahead; values at equal distances `step`, the first at `first`.
double front(const std::vector<double>& rho, double first, double step);
}  // namespace sedov

// Advances to t. A run that diverges before is a row of `name` that fails: false.
bool reaches(Verification& v, Simulation& s, double t, const std::string& name);

}  // namespace watersmeet::verify
