// Scalars whose advection is limited (limited.hpp): fronts between 0 and 1 in a flow that folds them stay between 0 and 1, and their integral
// stays what it is; a smooth profile that a uniform flow carries once around a periodic box has an error of second order, the limiter's at
// its extremes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/math.hpp"
#include "verify/boussinesq/groups.hpp"

namespace watersmeet::verify {

namespace {
void fronts(Verification& v, bool stretched) {
  ConvectionCase c;
  c.cells = {20, 14, 17};
  if (stretched) c.grid = "x_stretching = 1.2\ny_stretching = 0.8\nz_stretching = 1.5\n";
  c.physics = "viscosity = 1e-3\ndiffusivity = 1e-4\nbuoyancy = 1\n";
  c.numerics = "scalar_advection = \"limited3\"\n";
  c.scheme = "ssp-rk3";
  c.velocity = "\"sin(pi*x)*cos(pi*y)\", \"-cos(pi*x)*sin(pi*y)\", \"0\"";
  c.temperature = "x < 0.4 && (y - 0.5)^2 + (z - 0.5)^2 < 0.16";
  c.boundary = "x = \"free_slip\"\ny = \"free_slip\"\nz = \"no_slip\"\n";
  Simulation s = start(v, c);
  const double before = s.diagnostics().at("temperature_mean");
  s.advance_to(2);
  const std::vector<double> values = s.variable("temperature");
  double beyond = 0;
  for (const double value : values) beyond = max_or_nan(beyond, std::max(-value, value - 1));
  const std::string name = stretched ? "folded fronts, uneven cells" : "folded fronts";
  v.below(name + ": beyond 0 to 1", beyond, v.single() ? 1e-6 : 1e-13);
  v.below(name + ": change of the mean",
          std::abs(s.diagnostics().at("temperature_mean") / before - 1), v.single() ? 1e-5 : 1e-12);
  // Without a limiter they overshoot by parts of their height.
  c.numerics = "";
  Simulation other = start(v, c);
  other.advance_to(2);
  const std::vector<double> centred = other.variable("temperature");
  v.above(name + ": beyond 0 to 1 of central differences",
          *std::max_element(centred.begin(), centred.end()) - 1, 0.05);
}

double carried_error(const Verification& v, std::int64_t n) {
  ConvectionCase c;
  c.cells = {n, n, 1};
  c.numerics = "scalar_advection = \"limited3\"\n";
  c.scheme = "ssp-rk3";
  c.velocity = "1, -1, 0";
  c.temperature = "sin(2*pi*x)*cos(2*pi*y)";
  Simulation s = start(v, c);
  const std::vector<double> before = s.variable("temperature");
  s.advance_to(1);
  return mean_difference(s.variable("temperature"), before);
}
}  // namespace

void verify_bounded_scalars(Verification& v) {
  fronts(v, false);
  fronts(v, true);
  double coarser = carried_error(v, 32);
  for (const std::int64_t n : {64, 128}) {
    if (n > 64 && !v.at_least(Extent::quick)) return;
    const double error = carried_error(v, n);
    v.within(fmt::format("carried profile: order from N = {} to {}", n / 2, n),
             order_of(coarser, error), 1.9, 2.6);
    coarser = error;
  }
}

}  // namespace watersmeet::verify
