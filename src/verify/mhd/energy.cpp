// The Orszag-Tang vortex with an energy equation, against the energies of a pseudo-spectral solver,
//   python3 validation/reference/mhd_spectral.py --cells 96 --end 1 --every 0.5 --dt 0.0025
// (its 64 and 96 modes agree to 4e-7 at t = 1), and the entropy of a flow without any diffusion, which nothing may change.
#include <fmt/format.h>

#include <cmath>

#include "verify/mhd/groups.hpp"

namespace watersmeet::verify {

namespace {
MhdCase orszag_tang(std::int64_t n) {
  MhdCase c{.cells = {n, n, 1}, .viscosity = 0.02, .resistivity = 0.02};
  c.physics =
      "energy = \"entropy\"\nreference_density = 2.7777777777777777\nthermal_diffusivity = 0.02\n";
  c.density = "25/9";
  c.velocity = {"-sin(y)", "sin(x)", "0"};
  c.potential = {"0", "0", "cos(y) + cos(2*x)/2"};
  return c;
}
}  // namespace

void verify_orszag_tang(Verification& v) {
  const struct {
    double t, kinetic, magnetic, internal;
  } expected[] = {{0.5, 1.3127083841, 0.47323217391, 2.6029483308},
                  {1.0, 0.96952158625, 0.53914597995, 2.8802213178}};
  const bool fine = v.at_least(Extent::quick);
  const std::int64_t n = fine ? 128 : 64;
  const double tolerance = fine ? 3e-6 : 1e-4;
  Simulation s = start(v, orszag_tang(n));
  for (const auto& e : expected) {
    s.advance_to(e.t);
    const auto found = s.diagnostics();
    const std::string where = fmt::format("N = {}, t = {}, ", n, e.t);
    v.near_relative(where + "kinetic energy", found.at("kinetic_energy"), e.kinetic, tolerance);
    v.near_relative(where + "magnetic energy", found.at("magnetic_energy"), e.magnetic, tolerance);
    v.near_relative(where + "internal energy", found.at("internal_energy"), e.internal, tolerance);
  }
}

// Smooth flow without viscosity, resistance and conduction keeps int rho s and the total energy except for truncation errors of sixth order.
void verify_ideal_entropy(Verification& v) {
  if (v.single())
    return v.leave_out("ideal entropy", "its errors lie below round-off in single precision");
  double entropy[2] = {}, energy[2] = {};
  for (int level = 0; level < 2; ++level) {
    const std::int64_t n = 24 << level;
    MhdCase c = orszag_tang(n);
    c.viscosity = c.resistivity = 0;
    c.physics = "energy = \"entropy\"\nreference_density = 2.7777777777777777\n";
    // Without a symmetry, under which errors of the mean would cancel.
    c.velocity = {"-sin(y) + 0.3*cos(x + y)", "sin(x) + 0.2*sin(2*x - y)", "0"};
    c.entropy = "0.1*sin(x + 2*y + 0.3)";
    c.dt = 0.06 / static_cast<double>(n);  // its own error stays far below
    Simulation s = start(v, c);
    const auto before = s.diagnostics();
    s.advance_to(0.3);
    const auto after = s.diagnostics();
    entropy[level] = std::abs(after.at("entropy") - before.at("entropy"));
    energy[level] = std::abs(after.at("energy_drift"));
  }
  v.below("N = 48, change of the mean of rho s/c_p", entropy[1], 1e-8);
  v.above("order of that change from N = 24", order_of(entropy[0], entropy[1]), 5);
  v.above("order of the change of the total energy", order_of(energy[0], energy[1]), 5);
}

}  // namespace watersmeet::verify
