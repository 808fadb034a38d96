#include "mesh/generators/glider_shape.hpp"

#include <algorithm>
#include <cmath>

namespace watersmeet::mesh {

namespace {

double radians(double degrees) { return degrees * M_PI / 180; }

// Radius of the unit sphere about x = 1 and, behind the point of contact, of the cone of the angle.
double sphere_cone(double x, double degrees) {
  const double angle = radians(degrees), contact = 1 - std::sin(angle);
  if (x < contact) return std::sqrt(x * (2 - x));
  return std::cos(angle) + (x - contact) * std::tan(angle);
}

double hyperbola(double s, double radius, double degrees) {
  const double rise = s * std::tan(radians(degrees));
  return std::sqrt(2 * radius * s + rise * rise);
}

}  // namespace

NoseDirection nose_direction(double y, double z) {
  const double r = std::hypot(y, z);
  if (r == 0) return {};
  return {std::atan(r), y / r, z / r};
}

double side_tangent(std::int64_t j, std::int64_t cells) {
  if (j == 0) return -1;
  if (j == cells) return 1;
  return std::tan(M_PI / 4 * static_cast<double>(2 * j - cells) / static_cast<double>(cells));
}

GliderShape::GliderShape(const Glider15& options) : o_(options) {
  // Billig's stand-off and radius of curvature for a sphere of radius 1; the boundary has to be
  // outside, so 1.4 times the one, and the other larger by what that adds and a tenth.
  const double shock = 0.143 * std::exp(3.24 / (o_.mach * o_.mach));
  const double curvature = 1.143 * std::exp(0.54 / std::pow(o_.mach - 1, 1.2));
  stand_off_ = 1.4 * shock;
  radius_ = 1.1 * curvature + 0.4 * shock;
}

// Smooth also where the lower side goes over into the upper: b changes as the sine of the angle.
Real3 GliderShape::section(const NoseDirection& d, double x, double side, double upper,
                           double lower, double exponent) const {
  const double height = 0.5 * (upper + lower) + 0.5 * (upper - lower) * d.sine;
  double r = 1;
  if (exponent != 2) {
    r = std::pow(std::pow(std::abs(d.cosine), exponent) + std::pow(std::abs(d.sine), exponent),
                 -1 / exponent);
  }
  return {x, r * side * d.cosine, r * height * d.sine};
}

Real3 GliderShape::body(const NoseDirection& d, double x) const {
  // A third-degree step, level at both ends.
  const double part = (x - 1) / (o_.length - 1);
  const double exponent = 2 + (o_.exponent - 2) * part * part * (3 - 2 * part);
  return section(d, x, sphere_cone(x, o_.side_angle_deg), sphere_cone(x, o_.upper_angle_deg),
                 sphere_cone(x, o_.lower_angle_deg), exponent);
}

Real3 GliderShape::outer(const NoseDirection& d, double x) const {
  const double s = x + stand_off_;
  return section(d, x, hyperbola(s, radius_, o_.side_angle_deg + o_.margin_deg),
                 hyperbola(s, radius_, o_.upper_angle_deg + o_.margin_deg),
                 hyperbola(s, radius_, o_.lower_angle_deg + o_.margin_deg), 2);
}

Real3 GliderShape::wake(const NoseDirection& d, double x) const {
  const double part = std::min(1.0, 2 * (x - o_.length) / o_.wake);
  const double share = 2.0 / 3.0 * part * part * (3 - 2 * part);
  const double smooth =
      std::pow(std::pow(std::abs(d.cosine), o_.exponent) + std::pow(std::abs(d.sine), o_.exponent),
               -1 / o_.exponent);
  const double box = 0.9 / std::max(std::abs(d.cosine), std::abs(d.sine));
  const Real3 base = body(d, o_.length);
  const double scale = 1 + share * (box / smooth - 1);
  return {x, scale * base[1], scale * base[2]};
}

Real3 GliderShape::nose(const NoseDirection& d, double polar) const {
  const double x = 1 - std::cos(polar);
  return section(d, x, sphere_cone(x, o_.side_angle_deg), sphere_cone(x, o_.upper_angle_deg),
                 sphere_cone(x, o_.lower_angle_deg), 2);
}

Real3 GliderShape::outer_nose(const NoseDirection& d, double polar) const {
  return outer(d, (1 + stand_off_) * (1 - std::cos(polar)) - stand_off_);
}

}  // namespace watersmeet::mesh
