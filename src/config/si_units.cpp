#include "config/si_units.hpp"

#include <algorithm>
#include <array>

namespace watersmeet::config {
namespace {

// Of the two code points for the sign of micro both are in use.
constexpr std::array<SiUnit, 24> units = {
    {{"ns", "time", 1, 1e9},        {"us", "time", 1, 1e6},
     {"\u00b5s", "time", 1, 1e6},   {"\u03bcs", "time", 1, 1e6},
     {"ms", "time", 1, 1e3},        {"s", "time", 1},
     {"min", "time", 60},           {"h", "time", 3600},
     {"d", "time", 86400},          {"nm", "length", 1, 1e9},
     {"um", "length", 1, 1e6},      {"\u00b5m", "length", 1, 1e6},
     {"\u03bcm", "length", 1, 1e6}, {"mm", "length", 1, 1e3},
     {"cm", "length", 1, 1e2},      {"m", "length", 1},
     {"km", "length", 1e3},         {"Pa", "pressure", 1},
     {"hPa", "pressure", 1e2},      {"mbar", "pressure", 1e2},
     {"kPa", "pressure", 1e3},      {"bar", "pressure", 1e5},
     {"MPa", "pressure", 1e6},      {"GPa", "pressure", 1e9}}};

}  // namespace

const SiUnit* find_si_unit(const std::string& name) {
  const auto found = std::find_if(units.begin(), units.end(),
                                  [&](const SiUnit& unit) { return name == unit.name; });
  return found == units.end() ? nullptr : &*found;
}

std::string si_units_of(const std::string& dimension) {
  std::string text, last;
  for (const SiUnit& unit : units) {
    const bool ascii = static_cast<unsigned char>(unit.name[0]) < 0x80;
    if (unit.dimension != dimension || !ascii) continue;
    if (!last.empty()) text += (text.empty() ? "" : ", ") + last;
    last = unit.name;
  }
  return text + " or " + last;
}

std::string si_dimension(const std::string& unit) {
  if (unit == "time" || unit == "s") return "time";
  if (unit == "length" || unit == "m") return "length";
  return unit == "pressure" || unit == "mass/(length time^2)" ? "pressure" : "";
}

}  // namespace watersmeet::config
