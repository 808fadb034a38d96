// Two streams of speed U meet at x = 0 and leave gas at rest between two shocks, whose Mach number M in the gas that comes is 2: behind them
//
//   U = 2 c (M - 1/M)/(gamma + 1),   rho_2/rho_1 = (gamma + 1) M^2 / ((gamma - 1) M^2 + 2),   speed = U / (rho_2/rho_1 - 1)
//   p_2/p_1 = 1 + 2 gamma (M^2 - 1)/(gamma + 1)
//
// (Rankine and Hugoniot); isothermal flow is gamma = 1, where the ratio is M^2. The equations of ln rho and u are not conservative: what shock
// viscosity spreads over a few cells obeys these to the error of the differences there.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/types.hpp"
#include "verify/isothermal/groups.hpp"
#include "verify/mhd/groups.hpp"

namespace watersmeet::verify {

namespace {
struct ShockTolerance {
  double density, pressure, place, overshoot;  // relative; cells; relative
};

void shock_rows(Verification& v, const std::string& system, double gamma,
                const ShockTolerance& tolerance) {
  constexpr double mach = 2, t_end = 2;
  constexpr std::int64_t n = 512;
  const double u = 2 * (mach - 1 / mach) / (gamma + 1);
  const double ratio = (gamma + 1) * mach * mach / ((gamma - 1) * mach * mach + 2);
  const double front = u / (ratio - 1) * t_end;
  std::string physics = "viscosity = 0\nshock_viscosity = 2\n";
  if (gamma > 1)
    physics += fmt::format("energy = \"entropy\"\ngamma = {}\nresistivity = 0\n", gamma);
  for (int axis = 0; axis < (v.at_least(Extent::quick) ? 3 : 1); ++axis) {
    const char x = "xyz"[axis];
    Index3 cells{1, 1, 1};
    Real3 lower{0, 0, 0}, upper{};
    const std::size_t a = static_cast<std::size_t>(axis);
    cells[a] = n;
    for (std::size_t b = 0; b < 3; ++b) upper[b] = 20.0 * static_cast<double>(cells[b]) / n;
    lower[a] = -10;
    upper[a] = 10;
    std::string velocity[3] = {"0", "0", "0"};
    velocity[axis] = fmt::format("-{:.17e}*tanh({}/0.1)*tanh((10 - abs({}))/0.5)", u, x, x);
    Simulation s = v.start(fmt::format(
        "[case]\nsystem = \"{}\"\n[grid]\ncells = [{}, {}, {}]\nlower = [{}, {}, {}]\nupper = "
        "[{:.17e}, {:.17e}, {:.17e}]\n[physics]\n{}[time]\nend = {}\n[[initial]]\nvelocity = "
        "[\"{}\", \"{}\", \"{}\"]\n",
        system, cells[0], cells[1], cells[2], lower[0], lower[1], lower[2], upper[0], upper[1],
        upper[2], physics, t_end, velocity[0], velocity[1], velocity[2]));
    s.advance_to(t_end);
    const std::vector<double> rho = s.field("rho"), p = s.field("p");
    const double h = 20.0 / n;
    const auto at = [&](const std::vector<double>& f, double place) {
      return f[static_cast<std::size_t>(std::lround((place + 10) / h))];
    };
    double behind = 0, pressure = 0, largest = 0, place = 0;
    int cells_behind = 0;
    for (double q = h; q < 4; q += h) {
      largest = std::max(largest, at(rho, q));
      if (q > 0.4 * front && q < 0.75 * front) {
        behind += at(rho, q);
        pressure += at(p, q);
        ++cells_behind;
      }
      const double middle = (1 + ratio) / 2, here = at(rho, q), next = at(rho, q + h);
      if (here >= middle && next < middle) place = q + h * (here - middle) / (here - next);
    }
    const std::string where =
        fmt::format("{}, along {}, ", gamma > 1 ? "ideal gas" : "isothermal", x);
    v.near_relative(where + "rho_2/rho_1", behind / cells_behind, ratio, tolerance.density);
    v.near_relative(where + "p_2/p_1", pressure / cells_behind * gamma,
                    1 + 2 * gamma * (mach * mach - 1) / (gamma + 1), tolerance.pressure);
    v.near(where + "place of the shock, cells from the exact one", (place - front) / h, 0,
           tolerance.place);
    v.below(where + "largest density over rho_2, less 1", largest / ratio - 1, tolerance.overshoot);
  }
}
}  // namespace

void verify_shock(Verification& v) { shock_rows(v, "isothermal", 1.0, {0.003, 0.003, 0.2, 0.015}); }

// Shock viscosity raises the entropy of an ideal gas.
void verify_mhd_shock(Verification& v) { shock_rows(v, "mhd", 1.4, {0.003, 0.003, 0.2, 0.04}); }

}  // namespace watersmeet::verify
