// Mass: the equations are solved for ln rho, so that mass is conserved to the truncation error
// only. The drift is a figure of the method: validation/reference/explosion.py has it too.

#include <cmath>

#include "verify/isothermal/flows.hpp"
#include "verify/isothermal/groups.hpp"

namespace watersmeet::verify {

namespace {
double drift(const Verification& v, const VerifyCase& c, double t_end) {
  Simulation s = start(v, c);
  const double mass = s.diagnostics().at("mass");
  s.advance_to(t_end);
  const auto d = s.diagnostics();
  return std::abs(d.at("mass") / mass - 1);
}
}  // namespace

void verify_conservation(Verification& v) {
  if (v.single()) return v.leave_out("mass drift", "it lies below round-off in single precision");
  v.near_relative("explosion, 32^3, nu = 0.05", drift(v, explosion_case(32, 0.05, "55-point"), 0.5),
                  2.140e-6, 1e-3);
  v.near_relative("explosion, 32^3, nu = 0.01", drift(v, explosion_case(32, 0.01, "55-point"), 0.5),
                  2.436e-5, 1e-3);
  v.near_relative("explosion, 64^3, nu = 0.05", drift(v, explosion_case(64, 0.05, "55-point"), 0.5),
                  8.764e-8, 1e-3);
  v.near_relative("explosion, 64^3, nu = 0.01", drift(v, explosion_case(64, 0.01, "55-point"), 0.5),
                  3.596e-6, 1e-3);
  if (v.at_least(Extent::full)) {
    v.near_relative("explosion, 128^3, nu = 0.01",
                    drift(v, explosion_case(128, 0.01, "55-point"), 0.5), 1.004e-7, 1e-3);
  }
  if (v.at_least(Extent::quick)) {
    v.near_relative("Taylor-Green vortex, Re = 100, 32^3, until t = 5",
                    drift(v, taylor_green_case(32, 100), 5), 3.117e-9, 1e-3);
  }
}

}  // namespace watersmeet::verify
