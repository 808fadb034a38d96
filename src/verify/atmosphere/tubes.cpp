// Sod's shock tube along each axis with each solver: mean distance of the density from the exact
// solution, which validation/reference/air_tube.py has for the same scheme. G. A. Sod, J. Comput.
// Phys. 27 (1978) 1-31.
#include <fmt/format.h>

#include <cmath>

#include "schemes/exact_riemann.hpp"
#include "verify/atmosphere/groups.hpp"

namespace watersmeet::verify {

void verify_air_tubes(Verification& v) {
  const std::int64_t n = 200;
  const double end = 0.2;
  const struct {
    const char* riemann;
    double expected;
  } solvers[] = {{"lmars", 3.46036e-3}, {"ausm", 3.29671e-3}, {"hllc", 2.82577e-3}};
  for (const auto& [riemann, expected] : solvers) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      AirCase c;
      c.cells[axis] = n;
      c.physics =
          "gravity = 0\ngas_constant = 1\nheat_capacity = 3.5\nexner_pressure = 1\n"
          "reference = { kind = \"isothermal\", temperature = 1, pressure = 1 }\n";
      c.riemann = riemann;
      c.limiter = "vanleer";
      c.dt = 0.2 / static_cast<double>(n);
      c.initial =
          fmt::format("density = \"{0} < 0.5 ? 0 : -0.875\"\npressure = \"{0} < 0.5 ? 0 : -0.9\"\n",
                      "xyz"[axis]);
      Simulation s = start(v, c);
      s.step(std::llround(end / c.dt));
      const std::vector<double> rho = s.field("rho");
      const Index3 cells = c.cells;
      const std::int64_t stride = axis == 0 ? 1 : axis == 1 ? cells[0] : cells[0] * cells[1];
      const schemes::ExactRiemann exact({1, 0, 1, 1.4, 0}, {0.125, 0, 0.1, 1.4, 0});
      double error = 0;
      for (std::int64_t i = 0; i < n; ++i) {
        const double x = (static_cast<double>(i) + 0.5) / static_cast<double>(n) - 0.5;
        error += std::abs(rho[static_cast<std::size_t>(i * stride)] - exact.sample(x / end).rho);
      }
      v.near_relative(fmt::format("{} along {}, mean error of the density", riemann, "xyz"[axis]),
                      error / static_cast<double>(n), expected, v.single() ? 1e-3 : 1e-5);
    }
  }
}

}  // namespace watersmeet::verify
