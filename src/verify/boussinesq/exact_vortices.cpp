// Taylor's decaying vortices u = sin x cos y, v = -cos x sin y in a plane: on the staggered grid
// the discrete advection is an exact discrete gradient, which the pressure takes up, so that
//
//   u^m = a_m u^0,  a_0 = 1,  a_1 = 1 - s,  a_(m+1) = a_m (1 - 3 s/2) + (s/2) a_(m-1),
//   s = 2 nu dt (2/h sin(h/2))^2
//
// and any difference is round-off.
#include <fmt/format.h>

#include <cmath>

#include "core/math.hpp"
#include "verify/boussinesq/groups.hpp"

namespace watersmeet::verify {

namespace {
constexpr double nu = 0.05;

// The plane of the axes `first` and the one after it.
void plane_rows(Verification& v, int first, std::int64_t n) {
  const double dt = 0.02 * 256 / static_cast<double>(n * n);
  const std::size_t a = static_cast<std::size_t>(first), b = (a + 1) % 3, c = (a + 2) % 3;
  ConvectionCase flow;
  flow.cells[a] = flow.cells[b] = n;
  flow.upper[a] = flow.upper[b] = two_pi;
  flow.physics = fmt::format("viscosity = {}\n", nu);
  flow.dt = dt;
  std::array<std::string, 3> velocity;
  velocity[a] = turned("\"sin(x)*cos(y)\"", first);
  velocity[b] = turned("\"-cos(x)*sin(y)\"", first);
  velocity[c] = "0";
  flow.velocity = fmt::format("{}, {}, {}", velocity[0], velocity[1], velocity[2]);
  Simulation s = start(v, flow);
  const char* const names[] = {"u", "v", "w"};
  const std::vector<double> before[2] = {s.variable(names[a]), s.variable(names[b])};
  constexpr int steps = 100;
  s.step(steps);
  const double h = two_pi / static_cast<double>(n), k = 2 / h * std::sin(h / 2);
  const double decay = 2 * nu * dt * k * k;
  double earlier = 1, now = 1 - decay;
  for (int m = 1; m < steps; ++m) {
    const double next = now * (1 - 1.5 * decay) + 0.5 * decay * earlier;
    earlier = now;
    now = next;
  }
  double deviation = 0;
  for (std::size_t n_axis = 0; n_axis < 2; ++n_axis) {
    const std::vector<double> after = s.variable(names[n_axis == 0 ? a : b]);
    std::vector<double> known = before[n_axis];
    for (double& u : known) u *= now;
    deviation = max_or_nan(deviation, largest_difference(after, known));
  }
  const std::string name =
      fmt::format("{}{} plane, {}^2, {} steps: ", "xyz"[a], "xyz"[b], n, steps);
  const bool single = v.single();
  v.below(name + "deviation from a_m u^0", deviation, single ? 2e-6 : 1e-12);
  v.below(name + "divergence", s.diagnostics().at("divergence_max"),
          single ? 4e-6 : 1e-14 * static_cast<double>(n));
  v.below(name + "velocity across", largest_magnitude(s.variable(names[c])), 0);
}
}  // namespace

void verify_exact_vortices(Verification& v) {
  for (int first = 0; first < 3; ++first) plane_rows(v, first, 16);
  if (v.at_least(Extent::quick)) plane_rows(v, 0, 96);
}

}  // namespace watersmeet::verify
