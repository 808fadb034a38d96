// Storage forms and single precision: the three ways to keep the Runge-Kutta registers are one
// scheme, so in double precision they agree to round-off; what single precision costs is measured
// against double. Both precisions are run, whatever was chosen.
#include <fmt/format.h>

#include "verify/isothermal/flows.hpp"
#include "verify/isothermal/groups.hpp"

namespace watersmeet::verify {

namespace {
std::vector<double> velocity_after(const Verification& v, VerifyCase c, const std::string& storage,
                                   const std::string& precision, std::int64_t steps) {
  c.storage = storage;
  Simulation s = start(v, c, precision);
  s.step(steps);
  return s.field("velocity");
}

double relative(const std::vector<double>& a, const std::vector<double>& b) {
  return rms_difference(a, b) / rms(b);
}
}  // namespace

void verify_precision(Verification& v) {
  const std::int64_t n = v.at_least(Extent::quick) ? 32 : 16;
  VerifyCase c = taylor_green_case(n, 100);
  c.dt = 0.005;
  for (const std::string& method : verify_methods) {
    c.method = method;
    const std::vector<double> stored = velocity_after(v, c, "stored", "double", 100);
    v.below(fmt::format("double, {}, two solutions or stored increments, 100 steps", method),
            relative(velocity_after(v, c, "two", "double", 100), stored), 1e-12);
    v.below(fmt::format("double, {}, all increments stored, 100 steps", method),
            relative(velocity_after(v, c, "stored-full", "double", 100), stored), 1e-12);
  }
  c.method = "55-point";
  const std::vector<double> exact = velocity_after(v, c, "two", "double", 1000);
  v.below(fmt::format("single, {}^3, stored increments from double after 1000 steps", n),
          relative(velocity_after(v, c, "stored", "single", 1000), exact), 1e-5);
  v.report(fmt::format("single, {}^3, two solutions from double after 1000 steps", n),
           relative(velocity_after(v, c, "two", "single", 1000), exact),
           "a figure to choose storage by");
}

}  // namespace watersmeet::verify
