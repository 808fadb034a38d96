#pragma once
// Norms of fields and of their differences, and the order of convergence that two errors show.

#include <vector>

#include "watersmeet/simulation.hpp"

namespace watersmeet::verify {

// log2(coarse / fine): the order when the spacing or step was halved.
double order_of(double coarse, double fine);

// NaN if any is, as below.
double largest_magnitude(const std::vector<double>& a);
double rms(const std::vector<double>& a);
double rms_difference(const std::vector<double>& a, const std::vector<double>& b);
double largest_difference(const std::vector<double>& a, const std::vector<double>& b);
// Values whose bits differ.
double count_different(const std::vector<double>& a, const std::vector<double>& b);
// The same of all variables of two simulations; one more when their times or time steps differ.
double count_different(const Simulation& a, const Simulation& b);

}  // namespace watersmeet::verify
