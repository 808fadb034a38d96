// Pressureless advection and Galilean invariance: what moves with a uniform velocity must stay what
// it was, up to the error of the first derivative, which is of sixth order.
#include <fmt/format.h>

#include <cmath>

#include "verify/isothermal/groups.hpp"

namespace watersmeet::verify {

namespace {

// A density pulse carried by (1, 0.5, 0) for a quarter of the box, with c = 0 and a step whose
// error is negligible.
double pulse_error(const Verification& v, std::int64_t n) {
  VerifyCase c{.cells = {n, n, 1},
               .density = "exp(0.5*exp(cos(x)+cos(y)-2))",
               .velocity = {"1", "0.5", "0"},
               .sound_speed = 0,
               .scheme = "rk4-carpenter-kennedy",
               .dt = two_pi / 4 / 256};
  Simulation s = start(v, c);
  s.advance_to(two_pi / 4);
  const std::vector<double> l = s.variable("lnrho");
  std::vector<double> error(l.size());
  for (std::size_t p = 0; p < l.size(); ++p) {
    const double h = two_pi / static_cast<double>(n);
    const double x = h * static_cast<double>(p % static_cast<std::size_t>(n)) - two_pi / 4;
    const double y = h * static_cast<double>(p / static_cast<std::size_t>(n)) - two_pi / 8;
    error[p] = l[p] - 0.5 * std::exp(std::cos(x) + std::cos(y) - 2);
  }
  return rms(error);
}

// The same flow at rest and carried by (1, 0.5, 0): after a time 2 pi/4 the second is the first
// moved by N/4 and N/8 points.
double galilean_difference(const Verification& v, const std::string& method, std::int64_t n,
                           std::int64_t depth) {
  VerifyCase c{
      .cells = {n, n, depth},
      .density = "1+0.1*cos(x-y)",
      .velocity = {"0.3*sin(x)*cos(y)+0.1*cos(z)", "-0.3*cos(x)*sin(y)+0.2*sin(x)", "0.1*cos(x)"},
      .viscosity = 0.02,
      .bulk_viscosity = 0.01,
      .method = method,
      .scheme = "rk4-carpenter-kennedy",
      .dt = two_pi / 4 / 256};
  Simulation at_rest = start(v, c);
  c.velocity[0] += "+1";
  c.velocity[1] += "+0.5";
  Simulation moving = start(v, c);
  at_rest.advance_to(two_pi / 4);
  moving.advance_to(two_pi / 4);
  const std::size_t size = static_cast<std::size_t>(n);
  double sum = 0, count = 0;
  const double carried[4] = {0, 1, 0.5, 0};
  const char* const names[4] = {"lnrho", "ux", "uy", "uz"};
  for (int var = 0; var < 4; ++var) {
    const std::vector<double> a = at_rest.variable(names[var]), b = moving.variable(names[var]);
    for (std::size_t p = 0; p < a.size(); ++p) {
      const std::size_t i = (p % size + size / 4) % size, j = (p / size % size + size / 8) % size,
                        k = p / (size * size);
      const double difference = b[(k * size + j) * size + i] - carried[var] - a[p];
      sum += difference * difference;
      count += 1;
    }
  }
  return std::sqrt(sum / count);
}
}  // namespace

void verify_advection(Verification& v) {
  if (v.single())
    return v.leave_out("advection and Galilean shift",
                       "the errors lie below round-off in single precision");
  double coarser = pulse_error(v, 32);
  for (const std::int64_t n : {64, 128}) {
    const double error = pulse_error(v, n);
    v.near(fmt::format("density pulse with c = 0, order from N = {} to {}", n / 2, n),
           order_of(coarser, error), 6, 0.2);
    coarser = error;
  }
  // The flow steepens while it decays, so the order settles later than that of the pulse.
  for (const std::string& method : verify_methods) {
    const double fine = galilean_difference(v, method, 64, 1);
    v.near(method + ", Galilean shift in 2-D, order from N = 64 to 128",
           order_of(fine, galilean_difference(v, method, 128, 1)), 6, 0.2);
    if (v.at_least(Extent::full)) {
      v.near(method + ", Galilean shift in 3-D, order from N = 64 to 128",
             order_of(galilean_difference(v, method, 64, 64),
                      galilean_difference(v, method, 128, 128)),
             6, 0.2);
    }
  }
}

}  // namespace watersmeet::verify
