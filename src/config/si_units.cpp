#include "config/si_units.hpp"

#include <algorithm>
#include <array>
#include <numbers>

#include "config/expression.hpp"
#include "config/form.hpp"

namespace watersmeet::config {
namespace {

constexpr double pi = std::numbers::pi;

// Both code points for the sign of micro are in use.
constexpr std::array<SiUnit, 31> units = {{{"ns", "time", 1, 1e9},
                                           {"us", "time", 1, 1e6},
                                           {"\u00b5s", "time", 1, 1e6},
                                           {"\u03bcs", "time", 1, 1e6},
                                           {"ms", "time", 1, 1e3},
                                           {"s", "time", 1},
                                           {"min", "time", 60},
                                           {"h", "time", 3600},
                                           {"d", "time", 86400},
                                           {"nm", "length", 1, 1e9},
                                           {"um", "length", 1, 1e6},
                                           {"\u00b5m", "length", 1, 1e6},
                                           {"\u03bcm", "length", 1, 1e6},
                                           {"mm", "length", 1, 1e3},
                                           {"cm", "length", 1, 1e2},
                                           {"m", "length", 1},
                                           {"km", "length", 1e3},
                                           {"Pa", "pressure", 1},
                                           {"hPa", "pressure", 1e2},
                                           {"mbar", "pressure", 1e2},
                                           {"kPa", "pressure", 1e3},
                                           {"bar", "pressure", 1e5},
                                           {"MPa", "pressure", 1e6},
                                           {"GPa", "pressure", 1e9},
                                           {"K", "temperature", 1},
                                           {"degC", "temperature", 1, 1, 273.15},
                                           {"m/s", "velocity", 1},
                                           {"km/h", "velocity", 1, 3.6},
                                           {"kt", "velocity", 1852, 3600},
                                           {"rad", "angle", 1},
                                           {"deg", "angle", pi, 180}}};

// "a, b or c" of the units that are meant, which have two names or more.
template <class Meant>
std::string listed(const Meant& meant) {
  std::string text, last;
  for (const SiUnit& unit : units) {
    const bool ascii = static_cast<unsigned char>(unit.name[0]) < 0x80;
    if (!ascii || !meant(unit)) continue;
    if (!last.empty()) text += (text.empty() ? "" : ", ") + last;
    last = unit.name;
  }
  return text + " or " + last;
}

}  // namespace

const SiUnit* find_si_unit(const std::string& name) {
  const auto found = std::find_if(units.begin(), units.end(),
                                  [&](const SiUnit& unit) { return name == unit.name; });
  return found == units.end() ? nullptr : &*found;
}

std::string si_units_of(const std::string& dimension) {
  return listed([&](const SiUnit& unit) { return unit.dimension == dimension; });
}

std::string si_unit_names() {
  return listed([](const SiUnit&) { return true; });
}

double in_si_units(const std::string& unit, double amount) {
  const SiUnit* const found = find_si_unit(unit);
  return found == nullptr ? amount : found->of(amount);
}

std::string si_dimension(const std::string& unit) {
  if (unit == "time" || unit == "s") return "time";
  if (unit == "length" || unit == "m") return "length";
  return unit == "pressure" || unit == "mass/(length time^2)" ? "pressure" : "";
}

std::string units_behind_number(const std::string& text) {
  static constexpr std::array<const char*, 10> others = {"kg", "g",  "N",  "J",   "W",
                                                         "Hz", "ft", "in", "atm", "psi"};
  const auto parts = parts_of_form(text,
                                   "\\s*[+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?\\s*((?:\u00b5|\u03bc)?[A-"
                                   "Za-z][A-Za-z0-9 */^().-]*?)\\s*");
  if (!parts) return "";
  const std::vector<std::string> words = names_in((*parts)[1]);
  const bool units_alone = std::all_of(words.begin(), words.end(), [](std::string word) {
    word.erase(word.find_last_not_of("0123456789") + 1);  // m2
    return find_si_unit(word) != nullptr ||
           std::find(others.begin(), others.end(), word) != others.end();
  });
  return units_alone && !words.empty() ? (*parts)[1] : "";
}

}  // namespace watersmeet::config
