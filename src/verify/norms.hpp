#pragma once
// Norms of fields and of their differences, the order of convergence that two errors show, and what
// groups take from fields before.

#include <cstdint>
#include <string>
#include <vector>

#include "watersmeet/simulation.hpp"

namespace watersmeet::verify {

// log2(coarse / fine): the order when the spacing or step was halved.
double order_of(double coarse, double fine);
// The relative error of a wave of n cells after one period by a scheme with this kappa: phase error and damping, to leading order.
double kappa_wave_error(std::int64_t n, double kappa);

// NaN if any is, as below.
double largest_magnitude(const std::vector<double>& a);
double rms(const std::vector<double>& a);
double rms_difference(const std::vector<double>& a, const std::vector<double>& b);
double largest_difference(const std::vector<double>& a, const std::vector<double>& b);
// What a field changes by in so many steps: root mean square, over that of the field.
double relative_change(Simulation s, const std::string& field, std::int64_t steps);
// max |a / value - 1|
double largest_deviation(const std::vector<double>& a, double value);
double mean_difference(const std::vector<double>& a, const std::vector<double>& b);
// Values whose bits differ.
double count_different(const std::vector<double>& a, const std::vector<double>& b);
// The same of all variables of two simulations; one more when their times or time steps differ.
double count_different(const Simulation& a, const Simulation& b);

// Coordinates of the centres of the cells along an axis.
std::vector<double> centres(const Simulation& s, int axis = 0);
// One component of a field of vectors.
std::vector<double> component(const std::vector<double>& vectors, int c);
// All variables, one after the other.
std::vector<double> all_variables(const Simulation& s);
// Where values fall for the last time through a level, on a straight line between two places x; NaN
// where they do not.
double last_fall(const std::vector<double>& x, const std::vector<double>& values, double level);

}  // namespace watersmeet::verify
