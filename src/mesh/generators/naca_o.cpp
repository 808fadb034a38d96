// With zT the trailing edge, zL a point half a nose radius inside the nose and n = 2 - tau/pi for
// the trailing angle tau,
//
//   w = ((z - zT)/(z - zL))^(1/n),   zeta = (1 + w)/(1 - w)
//
// takes the plane outside the section to that outside a near-circle. The principal branch is right:
// its cut is the segment from zL to zT. Back: w = (zeta - 1)/(zeta + 1) and
// z = (zT - zL w^n)/(1 - w^n).

#include "mesh/generators/naca_o.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

#include "mesh/curvilinear/nodes.hpp"
#include "mesh/generators/finish.hpp"

namespace watersmeet::mesh {

namespace {

using Complex = std::complex<double>;

class KarmanTrefftz {
 public:
  explicit KarmanTrefftz(const NacaSection& section) : section_(section) {
    const double slope = section.camber_slope(0);
    inner_ = 0.5 * section.nose_radius() * Complex(1, slope) / std::sqrt(1 + slope * slope);
    power_ = 2 - section.trailing_angle() / M_PI;
    // The middle of the near-circle.
    Complex least(1e300, 1e300), most(-1e300, -1e300);
    for (int i = -2000; i <= 2000; ++i) {
      const Complex zeta = on_surface(i / 2000.0);
      least = {std::min(least.real(), zeta.real()), std::min(least.imag(), zeta.imag())};
      most = {std::max(most.real(), zeta.real()), std::max(most.imag(), zeta.imag())};
    }
    middle_ = 0.5 * (least + most);
  }

  // s from -1 (trailing edge, lower side) through 0 (nose) to 1 (trailing edge, upper side).
  Complex surface(double s) const {
    const Real3 p = s < 0 ? section_.lower(-s) : section_.upper(s);
    return {p[0], p[1]};
  }
  Complex on_surface(double s) const { return forward(surface(s)); }

  Complex forward(const Complex& z) const {
    const Complex w = std::pow((z - 1.0) / (z - inner_), 1 / power_);
    return (1.0 + w) / (1.0 - w);
  }
  Complex back(const Complex& zeta) const {
    const Complex w = std::pow((zeta - 1.0) / (zeta + 1.0), power_);
    return (1.0 - inner_ * w) / (1.0 - w);
  }

  // The angle of a point of the surface about the middle, in radians. Continuous in s: it falls by 2 pi from s = -1 to 1.
  double angle(double s) const {
    const double a = std::arg(on_surface(s) - middle_);
    const double most = s < 0 ? M_PI / 2 : -M_PI / 2;
    return a > most ? a - 2 * M_PI : a;
  }
  // The surface in this direction, by bisection.
  double surface_at(double direction) const {
    double low = -1, high = 1;
    for (int iteration = 0; iteration < 60; ++iteration) {
      const double s = 0.5 * (low + high);
      (angle(s) > direction ? low : high) = s;
    }
    return 0.5 * (low + high);
  }

  const Complex& middle() const { return middle_; }
  // Radius in the mapped plane per distance far away, where z = (1 - inner) zeta / (2 n).
  double far_scale() const { return 2 * power_ / std::abs(1.0 - inner_); }

 private:
  NacaSection section_;
  Complex inner_, middle_;
  double power_ = 2;
};

}  // namespace

MultiBlockMesh naca_o_mesh(const NacaSection& section, std::int64_t around, std::int64_t outward,
                           double far) {
  const KarmanTrefftz map(section);
  demand(far > 1, "naca4", "far must be more than 1 chord");
  const double outer = std::log(far * map.far_scale());
  const double first = std::arg(1.0 - map.middle());
  CurvilinearBlock whole({around + 1, outward + 1, 1});
  for (std::int64_t i = 0; i < around; ++i) {
    // Clockwise, from the trailing edge along the lower side; i clockwise and j outward are
    // right-handed.
    const double theta = first - 2 * M_PI * static_cast<double>(i) / static_cast<double>(around);
    const Complex wall = i == 0 ? Complex(1, 0) : map.surface(map.surface_at(theta));
    const double inner = std::log(std::abs(map.forward(wall) - map.middle()));
    for (std::int64_t j = 0; j <= outward; ++j) {
      const double part = static_cast<double>(j) / static_cast<double>(outward);
      const double radius = std::exp((1 - part) * inner + part * outer);
      const Complex z = j == 0 ? wall : map.back(map.middle() + std::polar(radius, theta));
      whole.set({i, j, 0}, {z.real(), z.imag(), 0});
      if (i == 0) whole.set({around, j, 0}, {z.real(), z.imag(), 0});
    }
  }
  MultiBlockMesh mesh;
  for (const std::int64_t from : {std::int64_t{0}, around / 2}) {
    const int b = static_cast<int>(mesh.blocks.size());
    mesh.blocks.push_back(part_of(whole, {{from, 0, 0}, {from + around / 2 + 1, outward + 1, 1}}));
    mesh.add_patch("airfoil", "slip_wall", b, {1, Side::lower});
    mesh.add_patch("farfield", "farfield", b, {1, Side::upper});
  }
  finish(mesh, "naca4");
  return mesh;
}

}  // namespace watersmeet::mesh
