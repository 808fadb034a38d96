#pragma once
// Whether a run can go on from what its sums and extrema say.

#include <string>
#include <vector>

#include "systems/system.hpp"

namespace watersmeet::run {

// No flow that the equations describe comes near this ratio of its largest and least density: water
// and air differ by 1e3, isothermal turbulence of Mach 20 by 1e9 or so.
constexpr double largest_density_ratio = 1e12;
// A depth below zero by more than this part of the largest depth is no round-off, also in single
// precision.
constexpr double least_depth_part = -1e-5;

// What is wrong with a row of the time series, in words that hold the numbers, "mass is nan,
// u_max is inf"; empty where nothing is. Wrong are values that are not finite, and where the system
// has the columns rho_min and rho_max, or depth_min and depth_max, ranges beyond the bounds above.
std::string wrong_in_series(const std::vector<systems::SeriesColumn>& columns,
                            const std::vector<double>& values);

}  // namespace watersmeet::run
