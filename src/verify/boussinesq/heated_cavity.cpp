// The square cavity with a hot and a cold side, insulated above and below, Pr = 0.71: mean Nusselt
// number against de Vahl Davis (1983), Int. J. Numer. Meth. Fluids 3, 249, and its later values of
// higher accuracy: Hortmann, Peric and Scheuerer (1990), Le Quere (1991).
#include <fmt/format.h>

#include <cmath>

#include "core/math.hpp"
#include "verify/boussinesq/groups.hpp"

namespace watersmeet::verify {

namespace {
struct Steady {
  double nusselt, uneven;
};

// The heat through the plane x = i h, convection and conduction, over that through the hot side:
// largest deviation from 1. In a steady state the fluxes of the scheme balance cell by cell, so that
// it measures how far from steady the state is, and whether the fluxes are those of the scheme.
// (Both sides alone say nothing: the mirrored start keeps them equal at any time.)
double unevenness(const Simulation& s, double nusselt) {
  const std::vector<double> u = s.variable("u"), t = s.variable("temperature");
  const auto n = static_cast<std::size_t>(s.cells()[0]);
  const double h = 1.0 / static_cast<double>(n);
  double largest = 0;
  for (std::size_t i = 1; i < n; ++i) {
    double flux = 0;
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t c = k * n + i;
      flux += h * (u[c] * (t[c - 1] + t[c]) / 2 - (t[c] - t[c - 1]) / h);
    }
    largest = max_or_nan(largest, std::abs(flux / nusselt - 1));
  }
  return largest;
}

// In units of diffusion over the side.
Steady heated_cavity(const Verification& v, std::int64_t n, double rayleigh) {
  ConvectionCase c;
  c.cells = {n, 1, n};
  c.physics =
      fmt::format("rayleigh = {:.17g}\nprandtl = 0.71\nscaling = \"diffusive\"\n", rayleigh);
  c.temperature = "0.5 - x";
  c.boundary =
      "x_lower = { temperature = 0.5 }\nx_upper = { temperature = -0.5 }\n"
      "y = \"periodic\"\nz = \"no_slip\"\n";
  Simulation s = start(v, c);
  const double nusselt =
      settle(s, "nusselt_lower", {.piece = 0.02, .change = 2e-8, .most = 3, .least = 0.1});
  return {nusselt, unevenness(s, nusselt)};
}

void rows(Verification& v, double rayleigh, std::int64_t n, double known) {
  const Steady coarse = heated_cavity(v, n / 2, rayleigh), fine = heated_cavity(v, n, rayleigh);
  const std::string name = fmt::format("Ra = {:g}, ", rayleigh);
  v.near_relative(name + fmt::format("Nusselt number, limit of {}^2 and {}^2", n / 2, n),
                  (4 * fine.nusselt - coarse.nusselt) / 3, known, 1e-3);
  v.below(name + fmt::format("{}^2: heat through the planes x = i h over that of the side", n),
          fine.uneven, 1e-6);
}
}  // namespace

void verify_heated_cavity(Verification& v) {
  if (!v.at_least(Extent::quick) || v.single())
    return v.leave_out("heated cavity", "in the quick and full extents, in double precision");
  const bool full = v.at_least(Extent::full);
  rows(v, 1e3, full ? 64 : 32, 1.11779);
  rows(v, 1e4, full ? 128 : 64, 2.244816);
  if (full) rows(v, 1e6, 256, 8.8252);
}

}  // namespace watersmeet::verify
