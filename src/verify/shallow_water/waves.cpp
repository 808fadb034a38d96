// A wave of 1e-9 of the depth goes once around a periodic channel: the scheme is then linear, and
// its error that of the reconstruction alone, t^2/12 (k = 0), 0 (k = 1/3) and -t^2/24 (k = 1/2) of
// the phase speed and (1 - k)/8 t^4 c/dx of damping, t = 2 pi dx.
#include <fmt/format.h>

#include <cmath>

#include "verify/shallow_water/groups.hpp"

namespace watersmeet::verify {

namespace {
constexpr double amplitude = 1e-9;

// Root mean square of the difference from the beginning over that of the wave, after one period.
double wave_error(const Verification& v, std::int64_t n, double kappa, int axis) {
  const std::size_t a = static_cast<std::size_t>(axis);
  WaterCase c;
  c.cells[a] = n;
  c.gravity = 1;
  c.kappa = kappa;
  c.dt = 0.2 / static_cast<double>(n);  // its own error of third order stays far below
  c.bed = "-1";
  c.surface = fmt::format("{}*sin(2*pi*{})", number(amplitude), "xy"[axis]);
  // To the right: u = eta sqrt(g/h), 1 of these.
  c.velocity[a] = c.surface;
  c.boundary = fmt::format("{} = \"periodic\"\n", "xy"[axis]);
  Simulation s = start(v, c);
  const std::vector<double> before = s.field("surface");
  s.step(5 * n);
  return rms_difference(s.field("surface"), before) / (amplitude / std::sqrt(2.0));
}
}  // namespace

void verify_water_waves(Verification& v) {
  if (v.single())
    return v.leave_out("linear waves", "the errors lie below round-off in single precision");
  const struct {
    const char* name;
    double kappa, order;
  } members[] = {{"kappa = 0", 0, 2}, {"kappa = 1/3", 1.0 / 3, 3}, {"kappa = 1/2", 0.5, 2}};
  for (const auto& m : members) {
    double coarser = 0;
    for (const std::int64_t n : {64, 128, 256}) {
      const double error = wave_error(v, n, m.kappa, n == 64 ? 1 : 0);
      v.near_relative(fmt::format("{}, N = {}, error over the predicted one", m.name, n),
                      error / kappa_wave_error(n, m.kappa), 1, n == 64 ? 0.1 : 0.05);
      if (n == 256) {
        v.near(fmt::format("{}, order from N = 128 to 256", m.name), order_of(coarser, error),
               m.order, 0.1);
      }
      coarser = error;
    }
  }
}

}  // namespace watersmeet::verify
