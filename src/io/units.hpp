#pragma once
// Units as files state them. Systems name dimensions, "mass/(length time^2)"; in code units these
// are the units, and in a case in SI units they have names.

#include <string>

namespace watersmeet::io {

// "mass length/time" -> "kg m/s"; pressures and energies as Pa and J. Anything that is no dimension
// ("1") stays as it is.
std::string unit_text(const std::string& dimension, bool si);

// A table whose second line, "# units: 1,length", names dimensions: the same with unit_text() of
// each. A text without such a line stays as it is.
std::string table_in_units(const std::string& table, bool si);

}  // namespace watersmeet::io
