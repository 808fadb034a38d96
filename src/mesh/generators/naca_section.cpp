#include "mesh/generators/naca_section.hpp"

#include <cmath>

#include "mesh/generators/finish.hpp"

namespace watersmeet::mesh {

namespace {

constexpr double open_end = 1.008930411365;  // where the thickness with 0.1015 is zero

// Thickness over 5 t at x, and its slope.
double half_thickness(double x, double last) {
  return 0.2969 * std::sqrt(x) + x * (-0.1260 + x * (-0.3516 + x * (0.2843 - x * last)));
}
double half_slope(double x, double last) {
  return 0.5 * 0.2969 / std::sqrt(x) - 0.1260 + x * (-0.7032 + x * (0.8529 - 4 * x * last));
}

}  // namespace

double NacaSection::nose_radius() const {
  const double a = 5 * thickness * 0.2969;
  return 0.5 * a * a;
}

double NacaSection::trailing_angle() const {
  const double slope = extended ? half_slope(open_end, 0.1015) : half_slope(1, 0.1036);
  return 2 * std::atan(-5 * thickness * slope);
}

double NacaSection::camber_slope(double x) const {
  if (camber == 0) return 0;
  const double m = camber, p = camber_place;
  return x < p ? 2 * m / (p * p) * (p - x) : 2 * m / ((1 - p) * (1 - p)) * (p - x);
}

Real3 NacaSection::point(double u, int side) const {
  const double x = u * u;
  double half =
      extended ? half_thickness(x * open_end, 0.1015) / open_end : half_thickness(x, 0.1036);
  // At the end the sums leave some 1e-13.
  half = u >= 1 ? 0 : 5 * thickness * half;
  if (camber == 0) return {x, side * half, 0};
  const double m = camber, p = camber_place;
  const double line = x < p ? m / (p * p) * (2 * p * x - x * x)
                            : m / ((1 - p) * (1 - p)) * (1 - 2 * p + 2 * p * x - x * x);
  const double angle = std::atan(camber_slope(x));
  const double height = u >= 1 ? 0 : line;
  return {x - side * half * std::sin(angle), height + side * half * std::cos(angle), 0};
}

NacaSection naca_section(const std::string& digits, const std::string& trailing_edge,
                         const std::string& generator) {
  bool good = digits.size() == 4;
  for (const char c : digits) good = good && c >= '0' && c <= '9';
  demand(good, generator,
         "digits must be four digits such as \"0012\" or \"2412\", not \"" + digits + "\"");
  NacaSection section;
  section.camber = 0.01 * (digits[0] - '0');
  section.camber_place = 0.1 * (digits[1] - '0');
  section.thickness = 0.01 * (10 * (digits[2] - '0') + (digits[3] - '0'));
  section.extended = trailing_edge == "extended";
  demand(section.thickness > 0, generator, "a section of no thickness: \"" + digits + "\"");
  demand(section.camber == 0 || section.camber_place > 0, generator,
         "camber needs a place, the second of the digits \"" + digits + "\"");
  return section;
}

}  // namespace watersmeet::mesh
