// Orders of the Runge-Kutta schemes: the smooth simple wave on a fixed grid is an ordinary
// differential equation; its error at a fixed time against a much finer step must fall with the
// third power of the step. Coefficients of third order for linear problems only would show here.
#include <fmt/format.h>

#include "verify/multicomponent/groups.hpp"

namespace watersmeet::verify {

namespace {
std::vector<double> solution(const Verification& v, const std::string& scheme, double steps) {
  FlowCase c = simple_wave(32);
  // Linear weights: the indicators of this wave are far below epsilon, so that the weights of WENO,
  // which change fast, do not hide the order.
  c.epsilon = 1e3;
  c.scheme = scheme;
  c.dt = 0.5 / steps;
  Simulation s = start(v, c);
  s.step(static_cast<std::int64_t>(steps));
  return all_variables(s);
}
}  // namespace

void verify_stage_order(Verification& v) {
  if (v.single())
    return v.leave_out("order in time", "the errors lie below round-off in single precision");
  const std::vector<double> reference = solution(v, "rk3-williamson", 1280);
  for (const char* const scheme : {"rk3-cubism", "rk3-williamson", "ssp-rk3"}) {
    const double coarse = rms_difference(solution(v, scheme, 40), reference);
    const double fine = rms_difference(solution(v, scheme, 80), reference);
    v.near(fmt::format("{}, order", scheme), order_of(coarse, fine), 3, 0.1);
  }
}

}  // namespace watersmeet::verify
