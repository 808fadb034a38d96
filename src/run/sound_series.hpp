#pragma once
// Whether a run can continue from what its sums and extrema say.

#include <string>
#include <vector>

#include "systems/observation.hpp"

namespace watersmeet::run {

// No flow that the equations describe comes near this ratio of its largest and least density: water
// and air differ by 1e3, isothermal turbulence of Mach 20 by 1e9 or so.
constexpr double largest_density_ratio = 1e12;
// A depth below zero by more than this part of the largest depth is no round-off, also in single
// precision.
constexpr double least_depth_part = -1e-5;

// No scheme is stable at this multiple of the Courant number at which its first wave grows, in
// whatever norm that number is measured: of sound along a diagonal the sum over d axes is
// sqrt(d) times what counts. The rest is for limiters, which damp the first waves that grow.
constexpr double largest_part_of_stable_cfl(double axes) {
  return axes < 2 ? 1.15 : axes < 3 ? 1.63 : 2;
}
// A flow that is the same everywhere has no waves, and so may be stepped beyond it. A signal that has
// grown by this factor since the start says that there are some, and so do extrema that differ.
constexpr double growth_of_waves = 1.1;

// What is wrong with a row of the time series, in words that hold the numbers, "mass is nan,
// u_max is inf"; empty where nothing is. Wrong are values that are not finite or beyond the largest
// of their column, and where the system has the columns rho_min and rho_max, or depth_min and
// depth_max, ranges beyond the bounds above.
std::string wrong_in_series(const std::vector<systems::SeriesColumn>& columns,
                            const std::vector<double>& values);
// The same of steps of a given length by the Courant number, that of the start, and the largest stable
// one (0: not known), in a flow of so many axes. `varies`: extrema of the flow differ.
std::string wrong_in_step(double cfl, double cfl_of_start, double stable_cfl, int axes,
                          bool varies);
// Whether there are columns NAME_max and NAME_min that differ by more than round-off.
bool varies_in_space(const std::vector<systems::SeriesColumn>& columns,
                     const std::vector<double>& values);
// Whether such a row, with nothing wrong in it, shows that the states before were good ones: of a
// search for a steady state, whether the residual is at most 100 times the first one.
bool confirms_states(const std::vector<systems::SeriesColumn>& columns,
                     const std::vector<double>& values);

}  // namespace watersmeet::run
