// Orders of the Runge-Kutta schemes: a nonlinear wave with viscosity on a fixed grid is an ordinary
// differential equation; the error at a fixed time against a much finer step must fall with the
// scheme's order. A set of coefficients that is of third order only for linear problems would show
// as second order here.
#include <fmt/format.h>

#include "verify/isothermal/groups.hpp"

namespace watersmeet::verify {

namespace {
std::vector<double> solution(const Verification& v, const std::string& scheme, double dt) {
  const VerifyCase c{.cells = {32, 32, 1},
                     .density = "1+0.2*sin(x-y)",
                     .velocity = {"0.5*sin(x)*cos(y)", "0.3*cos(x+y)", "0"},
                     .viscosity = 0.02,
                     .scheme = scheme,
                     .dt = dt};
  Simulation s = start(v, c);
  s.advance_to(1.0);
  return all_variables(s);
}
}  // namespace

void verify_time_order(Verification& v) {
  if (v.single())
    return v.leave_out("order in time", "the errors lie below round-off in single precision");
  const std::vector<double> reference = solution(v, "rk4-carpenter-kennedy", 1.0 / 1024);
  const struct {
    const char* name;
    double order;
  } schemes[] = {
      {"rk3-williamson", 3}, {"rk3-cubism", 3}, {"rk2", 2}, {"rk4-carpenter-kennedy", 4}};
  for (const auto& scheme : schemes) {
    const double coarse = rms_difference(solution(v, scheme.name, 1.0 / 40), reference);
    const double fine = rms_difference(solution(v, scheme.name, 1.0 / 80), reference);
    v.near(fmt::format("{}, order", scheme.name), order_of(coarse, fine), scheme.order, 0.1);
  }
}

}  // namespace watersmeet::verify
