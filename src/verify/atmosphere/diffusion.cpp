// Viscosity over terrain, on levels that are slanted at every height, equal and stretched, in air
// without gravity. Along y nothing varies: v is carried nowhere and diffuses alone.
//
//   v = a z          stays what it is, away from the ground and the lid
//   v = a cloud      v_0 s^2/q^2 exp(-r^2/(2 q^2)), q^2 = s^2 + 2 nu t, far from both
//   theta' = a cloud heats: after a step p' = (gamma - 1) rho c_p nu dt lap theta', Pi being 1
//
// Over terrain that is flat the pass computes what the fluxes over flat ground do, except for the
// density at faces, the mean of cells or of their edges: 1e-4 of the 0.02 K by which theta'
// diffuses.
#include <fmt/format.h>

#include <cmath>
#include <functional>

#include "core/math.hpp"
#include "verify/atmosphere/groups.hpp"

namespace watersmeet::verify {

namespace {
constexpr double width = 0.06, centre_x = 0.47, centre_z = 0.52;

AirCase sheared(std::int64_t n, const char* grid, double viscosity) {
  AirCase c;
  c.cells = {24 * n, 1, 24 * n};
  c.grid = grid;
  c.physics = unit_air + fmt::format("viscosity = {}\nterrain = \"0.1*sin(2*pi*x)\"\n", viscosity);
  c.boundary = "x = \"periodic\"\n";
  return c;
}

// Values of a cloud that was `width` wide and has diffused.
double cloud(double x, double z, double spread) {
  const double q2 = width * width + spread;
  const double r2 = (x - centre_x) * (x - centre_x) + (z - centre_z) * (z - centre_z);
  return width * width / q2 * std::exp(-0.5 * r2 / q2);
}
std::string cloud_text(double amplitude) {
  return fmt::format("{}*exp(-((x - {})^2 + (z - {})^2)/{:.17e})", amplitude, centre_x, centre_z,
                     2 * width * width);
}

std::vector<double> expected(const Simulation& s, std::int64_t nx,
                             const std::function<double(double, double)>& f) {
  std::vector<double> values = s.field("height");
  for (std::size_t c = 0; c < values.size(); ++c) {
    const double x =
        (static_cast<double>(c % static_cast<std::size_t>(nx)) + 0.5) / static_cast<double>(nx);
    values[c] = f(x, values[c]);
  }
  return values;
}

// Largest change of a linear v in cells that no wall reaches in a step.
double line_change(const Verification& v, const char* grid) {
  AirCase c = sheared(1, grid, 0.01);
  c.initial = "velocity = [0, \"1e-4*z\", 0]\n";
  c.dt = 0.01;
  Simulation s = start(v, c);
  const std::vector<double> before = component(s.field("velocity"), 1);
  s.step(1);
  const std::vector<double> after = component(s.field("velocity"), 1);
  double most = 0;
  for (std::size_t k = 8; k < 16; ++k) {
    for (std::size_t i = 0; i < 24; ++i) {
      most = max_or_nan(most, std::abs(after[24 * k + i] - before[24 * k + i]));
    }
  }
  return most / 1e-4;
}

double decay_error(const Verification& v, std::int64_t n, const char* grid) {
  const double viscosity = 0.002, end = 0.5;
  AirCase c = sheared(n, grid, viscosity);
  c.initial = fmt::format("velocity = [0, \"{}\", 0]\n", cloud_text(1e-4));
  Simulation s = start(v, c);
  s.advance_to(end);
  const std::vector<double> exact = expected(
      s, c.cells[0], [&](double x, double z) { return 1e-4 * cloud(x, z, 2 * viscosity * end); });
  return rms_difference(component(s.field("velocity"), 1), exact) / rms(exact);
}

double heating_error(const Verification& v, std::int64_t n, const char* grid) {
  const double viscosity = 0.002, dt = 1e-5;
  AirCase c = sheared(n, grid, viscosity);
  c.initial = fmt::format("theta = \"{}\"\n", cloud_text(1e-4));
  c.dt = dt;
  Simulation s = start(v, c);
  s.step(1);
  const std::vector<double> exact = expected(s, c.cells[0], [&](double x, double z) {
    const double r2 = (x - centre_x) * (x - centre_x) + (z - centre_z) * (z - centre_z);
    const double w2 = width * width;
    return 0.4 * 1.4 * 3.5 * viscosity * dt * 1e-4 * cloud(x, z, 0) * (r2 / w2 - 2) / w2;
  });
  return rms_difference(s.field("pressure_perturbation"), exact) / rms(exact);
}

// A warm bubble after 20 steps.
std::vector<double> bubble(const Verification& v, const Index3& cells, const char* physics) {
  AirCase c;
  c.cells = cells;
  c.upper = {2000, cells[1] > 1 ? 1300.0 : 1.0, 2000};
  c.physics = std::string("viscosity = 200\n") + physics;
  c.initial = "theta = \"2*exp(-((x - 900)^2 + (z - 700)^2)/300^2)\"\n";
  c.boundary = "y = \"periodic\"\n";
  c.dt = 0.05;
  Simulation s = start(v, c);
  s.step(20);
  return s.field("theta_perturbation");
}
}  // namespace

void verify_air_diffusion(Verification& v) {
  for (const Index3& cells : {Index3{20, 1, 20}, Index3{20, 13, 20}}) {
    const std::vector<double> flat = bubble(v, cells, ""),
                              level = bubble(v, cells, "terrain = \"0*x\"\n");
    v.below(fmt::format("flat ground as terrain, {} cells across, largest difference of theta', K",
                        cells[1]),
            largest_difference(flat, level), v.single() ? 2e-3 : 2e-5);
  }
  if (v.single())
    return v.leave_out("exact solutions", "these errors lie below round-off in single precision");
  for (const char* grid : {"", "z_mapping = \"exp(s)\"\n"}) {
    const std::string name = *grid ? "stretched levels, " : "equal levels, ";
    v.below(name + "straight line, largest change over its slope", line_change(v, grid), 1e-12);
    double coarse = decay_error(v, 2, grid), fine = decay_error(v, 4, grid);
    v.below(name + "cloud of velocity, 96 x 96 cells, error", fine, 0.01);
    v.near(name + "order from 48 x 48 cells", order_of(coarse, fine), 2, 0.15);
    coarse = heating_error(v, 2, grid);
    fine = heating_error(v, 4, grid);
    v.below(name + "cloud of temperature, 96 x 96 cells, error of its heating", fine, 0.02);
    v.near(name + "order from 48 x 48 cells", order_of(coarse, fine), 2, 0.15);
  }
}

}  // namespace watersmeet::verify
