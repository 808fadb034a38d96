#pragma once
// Units that a number of a case in SI units may have behind it: "15 d", "5 mm", "2 MPa"; and those
// of columns of files.

#include <string>

namespace watersmeet::config {

struct SiUnit {
  const char* name;
  const char* dimension;  // "time", "length", "pressure"; of files alone also others
  double factor;          // SI units in it
  double parts = 1;       // it in an SI unit; "3 ms" is 3/1000 s, the nearest number to 0.003
  double offset = 0;      // of its zero

  double of(double amount) const { return amount * factor / parts + offset; }
};

// Null where there is none of that name.
const SiUnit* find_si_unit(const std::string& name);
// "s, min, h or d" of a dimension.
std::string si_units_of(const std::string& dimension);
// All of them.
std::string si_unit_names();
// A number of a file in a unit; "" is none.
double in_si_units(const std::string& unit, double amount);
// The dimension of a key's unit; "" where numbers of such a key have no units behind them.
std::string si_dimension(const std::string& unit);
// The units behind the number of a text "340 m/s" that is no expression, those that no key takes
// included; "" where the text has another form, or another word than units.
std::string units_behind_number(const std::string& text);

}  // namespace watersmeet::config
