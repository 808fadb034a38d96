// Sources against solutions that are known exactly, of air that is uniform along the ground:
//   rotation    the departure from the wind turns by f t, and the pressure stays what it is
//   sponge      it decays as exp(-tau(z) t), tau = rate sin^2(pi/2 s)
//   viscosity   a shear flow cos(pi z) decays with the eigenvalue of the second difference,
//               nu (2 - 2 cos(pi dz))/dz^2

#include <cmath>
#include <numbers>

#include "core/math.hpp"
#include "verify/atmosphere/groups.hpp"

namespace watersmeet::verify {

namespace {
using std::numbers::pi;

void rotation_rows(Verification& v) {
  AirCase c;
  c.cells = {4, 4, 4};
  c.physics = std::string(unit_air) + "coriolis = { f = 0.1 }\nwind = [1e-3, 0, 0]\n";
  c.initial = "velocity = [2e-3, 0, 0]\n";
  c.boundary = "x = \"periodic\"\ny = \"periodic\"\n";
  c.dt = 0.05;
  Simulation s = start(v, c);
  s.step(200);
  const std::vector<double> velocity = s.field("velocity");
  double error = 0;
  for (std::size_t i = 0; i < velocity.size(); i += 3) {
    error = max_or_nan(error, max_or_nan(std::abs(velocity[i] - 1e-3 * (1 + std::cos(1.0))),
                                         std::abs(velocity[i + 1] + 1e-3 * std::sin(1.0))));
  }
  // The truncation error of ssp-rk3 is 200 (f dt)^4/24 = 5e-9.
  v.below("rotation by one radian, largest error over the departure", error / 1e-3,
          v.single() ? 1e-4 : 1e-8);
  v.below("rotation, largest change of the pressure over that of the kinetic energy",
          largest_magnitude(s.field("pressure_perturbation")) / 1e-6, v.single() ? 0.05 : 1e-6);
}

void sponge_rows(Verification& v) {
  AirCase c;
  c.cells = {4, 1, 20};
  c.physics = std::string(unit_air) + "sponge.top = { width = 0.5, rate = 0.5 }\n";
  c.initial = "velocity = [1e-5, 0, 0]\n";
  c.boundary = "x = \"periodic\"\n";
  c.dt = 0.01;
  Simulation s = start(v, c);
  s.step(100);
  const std::vector<double> velocity = s.field("velocity");
  double error = 0;
  for (std::size_t k = 0; k < 20; ++k) {
    const double z = (static_cast<double>(k) + 0.5) / 20;
    const double rise = z > 0.5 ? std::sin(0.5 * pi * (z - 0.5) / 0.5) : 0.0;
    error = max_or_nan(error, std::abs(velocity[3 * 4 * k] - 1e-5 * std::exp(-0.5 * rise * rise)));
  }
  v.below("sponge, largest error over the departure", error / 1e-5, v.single() ? 1e-4 : 1e-7);
}

void viscosity_rows(Verification& v) {
  AirCase c;
  c.cells = {4, 1, 40};
  c.physics = std::string(unit_air) + "viscosity = 0.01\n";
  c.initial = "velocity = [\"1e-4*cos(pi*z)\", 0, 0]\n";
  c.boundary = "x = \"periodic\"\n";
  c.dt = 0.005;
  Simulation s = start(v, c);
  s.step(200);
  const std::vector<double> velocity = s.field("velocity");
  const double dz = 1.0 / 40, decay = 0.01 * (2 - 2 * std::cos(pi * dz)) / (dz * dz);
  const double expected = 1e-4 * std::cos(0.5 * pi * dz) * std::exp(-decay);
  v.near_relative("viscosity, velocity at the ground over the expected one", velocity[0] / expected,
                  1, v.single() ? 1e-3 : 1e-6);
}
}  // namespace

void verify_air_sources(Verification& v) {
  rotation_rows(v);
  sponge_rows(v);
  viscosity_rows(v);
}

}  // namespace watersmeet::verify
