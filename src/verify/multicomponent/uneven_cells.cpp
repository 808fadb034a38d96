// Cells of different widths. A density wave in a uniform flow keeps its shape, and the reconstruction keeps its order where
// the widths vary smoothly: here as 1 + 0.2 cos(2 pi s), s = i/N.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "core/math.hpp"
#include "verify/multicomponent/groups.hpp"

namespace watersmeet::verify {

namespace {
constexpr double time = 0.2;

std::vector<double> uneven_faces(std::int64_t n) {
  std::vector<double> faces;
  for (std::int64_t i = 0; i <= n; ++i) {
    const double s = static_cast<double>(i) / static_cast<double>(n);
    faces.push_back(s + 0.2 * std::sin(two_pi * s) / two_pi);
  }
  faces.back() = 1;
  return faces;
}

struct CarriedPulse {
  double error = 0, pressure = 0, mass = 0;
};

// error: L1, of the cell averages of the density against those of 1 + 0.2 sin(2 pi (x - time)). pressure: largest change of p, which is 1.
// mass: relative change of the total.
CarriedPulse carried(const Verification& v, std::size_t axis, const char* reconstruction,
                     std::int64_t n) {
  const std::vector<double> faces = uneven_faces(n);
  FlowCase c;
  c.cells[axis] = n;
  c.fluids = fluid_line("gas", {1, 0, 1, 1.4, 0});
  c.reconstruction = reconstruction;
  const char name = "xyz"[axis];
  c.grid = fmt::format("{}_faces = [{:.17g}]\n", name, fmt::join(faces, ", "));
  c.boundary = fmt::format("{} = \"periodic\"\n", name);
  // The time integration is of third order. With dt ~ n^(-5/3) its error falls as n^-5, that of the reconstruction of fifth order.
  const double steps = std::ceil(time / (0.3 * std::pow(static_cast<double>(n), -5.0 / 3)));
  c.dt = time / steps;
  c.initial = fmt::format(
      "[[initial]]\nfluid = \"gas\"\ndensity = \"1 + 0.2*sin(2*pi*{})\"\npressure = 1\n"
      "velocity = [{}, {}, {}]\n",
      name, axis == 0 ? 1 : 0, axis == 1 ? 1 : 0, axis == 2 ? 1 : 0);
  Simulation s = start(v, c);
  const double before = s.diagnostics().at("mass");
  s.step(static_cast<std::int64_t>(steps));
  const std::vector<double> rho = s.field("rho"), p = s.field("p");
  const auto integral = [](double x) { return x - 0.2 * std::cos(two_pi * (x - time)) / two_pi; };
  CarriedPulse r;
  for (std::size_t i = 0; i < rho.size(); ++i) {
    r.error += std::abs(rho[i] * (faces[i + 1] - faces[i]) -
                        (integral(faces[i + 1]) - integral(faces[i])));
    r.pressure = max_or_nan(r.pressure, std::abs(p[i] - 1));
  }
  r.mass = std::abs(s.diagnostics().at("mass") / before - 1);
  return r;
}
}  // namespace

void verify_uneven_cells(Verification& v) {
  if (v.single())
    return v.leave_out("uneven cells", "the errors lie below round-off in single precision");
  const struct {
    const char* name;
    double order;
    std::size_t axes;
  } schemes[] = {{"weno5-js", 4.8, 3}, {"weno5-z", 4.8, 1}, {"weno3", 2.8, 1}};
  for (const auto& scheme : schemes) {
    for (std::size_t axis = 0; axis < scheme.axes; ++axis) {
      const CarriedPulse coarse = carried(v, axis, scheme.name, 64),
                         fine = carried(v, axis, scheme.name, 128);
      const std::string name = fmt::format("{} along {}", scheme.name, "xyz"[axis]);
      v.above(name + ": order from N = 64 to 128", order_of(coarse.error, fine.error),
              scheme.order);
      v.below(name + ": largest change of the pressure", fine.pressure, 1e-13);
      v.below(name + ": change of the mass", fine.mass, 1e-14);
    }
  }
}

}  // namespace watersmeet::verify
