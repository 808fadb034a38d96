// The square cavity with a hot and a cold side, insulated above and below, Pr = 0.71: mean Nusselt
// number against de Vahl Davis (1983), Int. J. Numer. Meth. Fluids 3, 249, and its later values of
// higher accuracy: Hortmann, Peric and Scheuerer (1990), Le Quere (1991).
#include <fmt/format.h>

#include <cmath>

#include "run/verify/boussinesq/groups.hpp"

namespace watersmeet::run {

namespace {
struct Steady {
  double lower, upper;
};

// In units of diffusion over the side.
Steady cavity(const Verification& v, std::int64_t n, double rayleigh) {
  ConvectionCase c;
  c.cells = {n, 1, n};
  c.physics =
      fmt::format("rayleigh = {:.17g}\nprandtl = 0.71\nscaling = \"diffusive\"\n", rayleigh);
  c.temperature = "0.5 - x";
  c.boundary =
      "x_lower = { temperature = 0.5 }\nx_upper = { temperature = -0.5 }\n"
      "y = \"periodic\"\nz = \"no_slip\"\n";
  Simulation s = start(v, c);
  double before = 0, now = 0;
  do {
    before = now;
    s.advance_to(s.t() + 0.02);
    now = s.diagnostics().at("nusselt_lower");
  } while ((std::abs(now - before) > 2e-8 || s.t() < 0.1) && s.t() < 3);
  const auto row = s.diagnostics();
  return {row.at("nusselt_lower"), row.at("nusselt_upper")};
}

void rows(Verification& v, double rayleigh, std::int64_t n, double known) {
  const Steady coarse = cavity(v, n / 2, rayleigh), fine = cavity(v, n, rayleigh);
  const std::string name = fmt::format("Ra = {:g}, ", rayleigh);
  v.near_relative(name + fmt::format("Nusselt number, limit of {}^2 and {}^2", n / 2, n),
                  (4 * fine.lower - coarse.lower) / 3, known, 1e-3);
  v.below(name + fmt::format("{}^2: difference of both sides", n),
          std::abs(fine.lower / fine.upper - 1), 1e-6);
}
}  // namespace

void verify_heated_cavity(Verification& v) {
  v.begin_group("heated cavity");
  if (!v.at_least(Extent::quick) || v.single()) {
    v.leave_out("heated cavity", "in the quick and full extents, in double precision");
    return;
  }
  const bool full = v.at_least(Extent::full);
  rows(v, 1e3, full ? 64 : 32, 1.1178);
  rows(v, 1e4, full ? 128 : 64, 2.2448);
  if (full) rows(v, 1e6, 256, 8.8252);
}

}  // namespace watersmeet::run
