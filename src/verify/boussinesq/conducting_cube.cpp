// The cube heated from below with conducting side walls, no slip everywhere: the Rayleigh number at
// which convection sets in, and the heat that a single roll carries at Ra = 4.4e4, Pr = 0.71. The
// critical numbers are the eigenvalues that validation/reference/conducting_cube.py computes from the
// differences of the scheme, without stepping in time. Those of the roll are the steady state of the
// same differences by validation/reference/convection_cube.py 32.
#include <fmt/format.h>

#include <cmath>

#include "verify/boussinesq/groups.hpp"
#include "verify/boussinesq/growth_rate.hpp"

namespace watersmeet::verify {

namespace {
// Walls hold the profile of conduction between dT below and 0 above.
std::string conducting_walls(double dT) {
  std::string text;
  for (const char* side : {"x", "y", "z"}) {
    text +=
        fmt::format("{} = {{ kind = \"no_slip\", temperature = \"{:.17g}*(1 - z)\" }}\n", side, dT);
  }
  return text;
}

double rate_of(const Verification& v, std::int64_t n, double rayleigh) {
  ConvectionCase c;
  c.cells = {n, n, n};
  c.physics = "viscosity = 1\ndiffusivity = 1\nbuoyancy = 1\n";
  c.dt = 0.9 / (12.0 * static_cast<double>(n * n));
  c.temperature = fmt::format("{:.17g}*(1 - z)", rayleigh);
  // Far above what rounding leaves of the velocity in a fluid at rest, even when it has decayed for
  // a while at the lower of the two Rayleigh numbers; still linear.
  c.noise = "field = \"velocity\", amplitude = 1e-2, seed = 5";
  c.boundary = conducting_walls(rayleigh);
  Simulation s = start(v, c);
  return growth_rate(s, {.agreement = 2e-6, .earliest = 1, .latest = 8});
}

void onset_rows(Verification& v) {
  const struct {
    std::int64_t n;
    double rayleigh;
  } known[] = {{16, 6636.30}, {24, 6722.79}, {32, 6754.88}};
  const std::size_t most = v.at_least(Extent::full) ? 3 : 1;
  double found[3] = {};
  for (std::size_t g = 0; g < most; ++g) {
    found[g] = critical_rayleigh([&](double rayleigh) { return rate_of(v, known[g].n, rayleigh); },
                                 6400, 7000);
    v.near(fmt::format("{}^3: critical Rayleigh number", known[g].n), found[g], known[g].rayleigh,
           0.05);
  }
  if (most == 3) {
    // a + b h^2 + c h^4 through all three; a + b h^2 alone leaves 1.4.
    const double first = found[1] + (found[1] - found[0]) / (576.0 / 256 - 1);
    const double second = found[2] + (found[2] - found[1]) / (1024.0 / 576 - 1);
    v.near("limit of the three grids", second + (second - first) / (1024.0 / 256 - 1), 6797.5, 0.3);
  }
}

// Heat that the lower half of the cube gains, over the heat through the plate below: 0 when steady.
// The plates alone say nothing, as the roll is its own image under half a turn at any time.
double gain_below(const Simulation& s, double through_plate) {
  const std::vector<double> w = s.variable("w"), t = s.variable("temperature");
  const auto n = static_cast<std::size_t>(s.cells()[0]);
  const double h = 1.0 / static_cast<double>(n);
  const auto at = [&](std::size_t i, std::size_t j, std::size_t k) { return (k * n + j) * n + i; };
  double gain = 0;
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) {
      const std::size_t above = at(a, b, n / 2), below = at(a, b, n / 2 - 1);
      gain += 2 * (1 - t[at(a, b, 0)]) / h;
      gain -= w[above] * (t[below] + t[above]) / 2 - (t[above] - t[below]) / h;
      if (b >= n / 2) continue;
      const double wall = 1 - (static_cast<double>(b) + 0.5) * h;
      for (const std::size_t cell : {at(0, a, b), at(n - 1, a, b), at(a, 0, b), at(a, n - 1, b)})
        gain += 2 * (wall - t[cell]) / h;
    }
  }
  return std::abs(gain) * h * h / through_plate;
}

// One roll, from a prescribed perturbation of conduction: of the several steady states this one.
void roll_row(Verification& v) {
  constexpr std::int64_t n = 32;
  ConvectionCase c;
  c.cells = {n, n, n};
  c.physics = fmt::format("viscosity = 0.71\ndiffusivity = 1\nbuoyancy = {:.17g}\n", 4.4e4 * 0.71);
  c.dt = 0.96 / (12.0 * n * n);
  c.temperature = "1 - z + 0.1*sin(2*pi*x)*sin(pi*y)*sin(pi*z)";
  c.boundary = conducting_walls(1);
  Simulation s = start(v, c);
  settle(s, "nusselt_lower", {.piece = 0.1, .change = 1e-7, .most = 4});
  const auto row = s.diagnostics();
  v.near("Ra = 4.4e4, one roll, 32^3: Nusselt number below", row.at("nusselt_lower"), 2.06010,
         1e-5);
  v.below("heat that the lower half gains, over that through the plate",
          gain_below(s, row.at("nusselt_lower")), 1e-5);
  v.near("largest u", row.at("u_max"), 32.2766, 2e-4);
  v.near("largest v", row.at("v_max"), 13.8195, 2e-4);
  v.near("largest w", row.at("w_max"), 38.1201, 2e-4);
}
}  // namespace

void verify_conducting_cube(Verification& v) {
  if (v.single())
    return v.leave_out("conducting cube", "round-off of single precision hides the growth rates");
  if (!v.at_least(Extent::quick))
    return v.leave_out("conducting cube", "only in the quick and full extents");
  onset_rows(v);
  if (v.at_least(Extent::full)) {
    roll_row(v);
  } else {
    v.leave_out("heat carried by one roll", "only in the full extent");
  }
}

}  // namespace watersmeet::verify
