#include "verify/isothermal/flows.hpp"

#include <fmt/format.h>

#include <numbers>

namespace watersmeet::verify {

VerifyCase explosion_case(std::int64_t n, double nu, const std::string& method) {
  using std::numbers::pi;
  VerifyCase c{.cells = {n, n, n},
               .lower = {-pi, -pi, -pi},
               .upper = {pi, pi, pi},
               .viscosity = nu,
               .method = method};
  for (std::size_t a = 0; a < 3; ++a) {
    // The last term makes u = 0 at r = 0 and changes nothing elsewhere.
    c.velocity[a] = fmt::format("exp(-(r-0.8)^2/0.08)*{}/sqrt(r^2+1e-24)", "xyz"[a]);
  }
  return c;
}

VerifyCase taylor_green_case(std::int64_t n, double reynolds) {
  return {.cells = {n, n, n},
          .density = "1+0.01/16*(cos(2*x)+cos(2*y))*(cos(2*z)+2)",
          .velocity = {"sin(x)*cos(y)*cos(z)", "-cos(x)*sin(y)*cos(z)", "0"},
          .sound_speed = 10,
          .viscosity = 1 / reynolds};
}

}  // namespace watersmeet::verify
