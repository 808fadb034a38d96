#pragma once
// Published or computed series that a verification compares with; files of validation/data.

#include <string>
#include <vector>

namespace watersmeet::verify {

// Columns of numbers of data/`name`; lines that begin with # are comments. Error{io} when it cannot
// be read.
std::vector<std::vector<double>> read_reference(const std::string& name);

// The value of `column` at x by linear interpolation in column 0, which must ascend.
double interpolate(const std::vector<std::vector<double>>& table, std::size_t column, double x);

}  // namespace watersmeet::verify
