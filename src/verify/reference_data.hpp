#pragma once
// Published or computed series that a verification compares with; files of validation/data.

#include <string>
#include <vector>

namespace watersmeet::verify {

// The folder of the reference data: $WATERSMEET_DATA, else share/watersmeet/validation beside the
// program's own folder, else that of the source tree. Error{io} when none of them is there.
std::string validation_directory();

// Columns of numbers of data/`name`; lines that begin with # are comments. Error{io} when it cannot
// be read.
std::vector<std::vector<double>> read_reference(const std::string& name);

// The value of `column` at x by linear interpolation in column 0, which must ascend.
double interpolate(const std::vector<std::vector<double>>& table, std::size_t column, double x);

}  // namespace watersmeet::verify
