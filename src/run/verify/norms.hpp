#pragma once
// Norms of fields and of their differences, and the order of convergence that two errors show.

#include <vector>

namespace watersmeet::run {

// log2(coarse / fine): the order when the spacing or step was halved.
double order_of(double coarse, double fine);

double rms(const std::vector<double>& a);
double rms_difference(const std::vector<double>& a, const std::vector<double>& b);
double largest_difference(const std::vector<double>& a, const std::vector<double>& b);
// Values whose bits differ.
double count_different(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace watersmeet::run
