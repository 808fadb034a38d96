// Manufactured solution: a steady smooth flow with every term of the equations active, held by a
// body acceleration that tools/manufactured_isothermal.py derived. What the program makes of it in
// a short time is the truncation error.
#include <fmt/format.h>

#include "verify/isothermal/groups.hpp"
#include "verify/isothermal/manufactured_source.hpp"

namespace watersmeet::verify {

namespace {
struct Drift {
  double density, velocity;  // RMS of d(ln rho)/dt and du/dt
};

Drift drift(const Verification& v, const std::string& method, std::int64_t n) {
  constexpr double dt = 1e-4;
  const VerifyCase c{
      .cells = {n, n, n},
      .density = fmt::format("exp({})", manufactured_log_density),
      .velocity = {manufactured_velocity_x, manufactured_velocity_y, manufactured_velocity_z},
      .sound_speed = 0.7,
      .viscosity = 0.3,
      .bulk_viscosity = 0.2,
      .acceleration = {manufactured_acceleration_x, manufactured_acceleration_y,
                       manufactured_acceleration_z},
      .method = method,
      .dt = dt,
      .constants = "a = 0.2\np = 0.5\nq = 0.3\ns = 0.4\nc = 0.7\nnu = 0.3\nzeta = 0.2\n"};
  Simulation s = start(v, c);
  const std::vector<double> l = s.variable("lnrho"), u = s.field("velocity");
  s.step();
  return {rms_difference(s.variable("lnrho"), l) / dt, rms_difference(s.field("velocity"), u) / dt};
}
}  // namespace

void verify_manufactured(Verification& v) {
  if (v.single())
    return v.leave_out("manufactured solution",
                       "the errors lie below round-off in single precision");
  for (const std::string& method : verify_methods) {
    Drift coarser{};
    for (const std::int64_t n : {16, 32, 64, 128}) {
      if (n == 128 && !v.at_least(Extent::quick)) break;
      const Drift error = drift(v, method, n);
      const std::string step = fmt::format(", order from N = {} to {}", n / 2, n);
      if (n == 32) {
        v.report(method + ", momentum" + step, order_of(coarser.velocity, error.velocity),
                 "6 asymptotically");
        v.report(method + ", continuity" + step, order_of(coarser.density, error.density),
                 "6 asymptotically");
      } else if (n > 32) {
        v.near(method + ", momentum" + step, order_of(coarser.velocity, error.velocity), 6, 0.2);
        v.near(method + ", continuity" + step, order_of(coarser.density, error.density), 6, 0.2);
      }
      coarser = error;
    }
  }
}

}  // namespace watersmeet::verify
