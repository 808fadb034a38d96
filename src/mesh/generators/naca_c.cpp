// C meshes: distribution of columns and rows, and the sheared parabolic map.

#include <algorithm>
#include <cmath>
#include <complex>

#include "mesh/generators/finish.hpp"
#include "mesh/generators/naca4.hpp"
#include "mesh/generators/spacing.hpp"

namespace watersmeet::mesh {

namespace {

using Complex = std::complex<double>;

// The square root whose branch cut leads downwards (upper side of the section) or upwards (lower
// side), so that it is smooth along that side and around the nose.
Complex unwrapped(const Complex& z, bool lower) {
  const double half = std::sqrt(0.5);
  const Complex turned = lower ? Complex(-z.imag(), z.real()) : Complex(z.imag(), -z.real());
  const Complex root = std::sqrt(turned);
  const Complex back = root * (lower ? Complex(half, -half) : Complex(half, half));
  return lower ? -back : back;
}

}  // namespace

CMesh c_mesh(std::int64_t around, std::int64_t wake, std::int64_t outward, double far,
             double trailing_cell, double first_cell, const std::string& generator) {
  demand(far > 1, generator, "far must be more than 1 chord");
  if (wake == 0) wake = std::max<std::int64_t>(around / 4, 1);
  const std::int64_t side = around / 2;
  demand(side > 1, generator, "the cells around must be 4 or more, two for each side");
  // dx = 2 u du, so u = 1 at the trailing edge has twice the spacing in x that it has in u.
  const double end = trailing_cell > 0 ? trailing_cell / 2 : 0.5 / static_cast<double>(side);
  demand(end < 0.5, generator, "trailing_cell must be less than a chord");
  CMesh mesh;
  std::vector<double> from_end = stretched(side, end);
  mesh.u.assign(from_end.rbegin(), from_end.rend());
  for (double& u : mesh.u) u = 1 - u;
  mesh.u.front() = 0;
  mesh.surface = mesh.u.size() - 1;
  const double reach = std::sqrt(far) - 1;  // in u
  demand(end < reach, generator, "far is nearer than one cell behind the trailing edge");
  const std::vector<double> behind = stretched(wake, end / reach);
  for (std::size_t i = 1; i < behind.size(); ++i) mesh.u.push_back(1 + reach * behind[i]);

  const double top = std::sqrt(far);
  const double first = first_cell > 0 ? first_cell / 2 : end;
  demand(first < top, generator, "first_cell is wider than the mesh");
  mesh.rows = stretched(outward, first / top);
  for (double& row : mesh.rows) row *= top;
  return mesh;
}

Real3 c_mesh_point(const CMesh& mesh, const NacaSection& section, double thickness,
                   std::int64_t column, std::size_t row) {
  const bool lower = column < 0;
  const auto i = static_cast<std::size_t>(lower ? -column : column);
  Real3 wall{mesh.u[i] * mesh.u[i], 0, 0};
  NacaSection scaled_section = section;
  scaled_section.thickness *= thickness;
  if (i < mesh.surface) {
    wall = lower ? scaled_section.lower(mesh.u[i]) : scaled_section.upper(mesh.u[i]);
  }
  if (row == 0) return wall;  // not through the map: upper and lower wake are the same numbers
  const double slope = section.camber_slope(0);
  const Complex nose_axis = Complex(1, slope) / std::sqrt(1 + slope * slope);
  const Complex focus = 0.5 * scaled_section.nose_radius() * nose_axis;
  const Complex at_wall = unwrapped(Complex(wall[0], wall[1]) - focus, lower);
  const double top = mesh.rows.back(), height = mesh.rows[row];
  // Straight up from the wall; the wall's own height fades until the last row.
  const Complex zeta(at_wall.real(), at_wall.imag() * (1 - height / top) + height);
  const Complex z = focus + zeta * zeta;
  return {z.real(), z.imag(), 0};
}

}  // namespace watersmeet::mesh
