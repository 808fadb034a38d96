// The square cavity whose lid moves: extremes of the velocity on the lines through its centre,
// against spectral values: at Re = 100 of validation/reference/cavities.py, at Re = 1000 of Botella
// and Peyret (1998), Computers & Fluids 27, 421, Tables 9 and 10, which that script has too; those of
// Ghia, Ghia and Shin (1982), J. Comput. Phys. 48, 387, on 129 x 129 points are reported beside them.
#include <fmt/format.h>

#include <cmath>

#include "verify/boussinesq/groups.hpp"

namespace watersmeet::verify {

namespace {
struct Extremes {
  double u_min, w_max, w_min;
};

// Extreme of a parabola through the largest value of a line and its neighbours.
double peak(const std::vector<double>& line) {
  std::size_t m = 1;
  for (std::size_t i = 1; i + 1 < line.size(); ++i) {
    if (line[i] > line[m]) m = i;
  }
  const double a = line[m - 1], b = line[m], c = line[m + 1];
  return b - (c - a) * (c - a) / (8 * (a - 2 * b + c));
}

Extremes lid_cavity(const Verification& v, std::int64_t n, double reynolds) {
  ConvectionCase c;
  c.cells = {n, 1, n};
  c.physics = fmt::format("viscosity = {:.17g}\n", 1 / reynolds);
  c.boundary =
      "x = \"no_slip\"\ny = \"periodic\"\nz_lower = \"no_slip\"\n"
      "z_upper = { kind = \"no_slip\", velocity = [1, 0, 0] }\n";
  Simulation s = start(v, c);
  double before = 0, now = 0;
  do {
    before = now;
    s.advance_to(s.t() + 1);
    now = s.diagnostics().at("kinetic_energy");
  } while (std::abs(now / before - 1) > 1e-9 && s.t() < 300);
  // An even number of cells: the lines through the centre are faces.
  const std::vector<double> u = s.variable("u"), w = s.variable("w");
  const std::size_t m = static_cast<std::size_t>(n);
  std::vector<double> minus_u, up, down;
  for (std::size_t k = 0; k < m; ++k) minus_u.push_back(-u[k * m + m / 2]);
  for (std::size_t i = 0; i < m; ++i) {
    up.push_back(w[m / 2 * m + i]);
    down.push_back(-up.back());
  }
  return {-peak(minus_u), peak(up), -peak(down)};
}

void rows(Verification& v, double reynolds, std::int64_t n, const Extremes& known,
          const Extremes& ghia) {
  const Extremes coarse = lid_cavity(v, n / 2, reynolds), fine = lid_cavity(v, n, reynolds);
  const auto row = [&](const char* what, double a, double b, double exact, double other) {
    const std::string name = fmt::format("Re = {}, {}", reynolds, what);
    v.near_relative(name + fmt::format(", limit of {}^2 and {}^2", n / 2, n), (4 * b - a) / 3,
                    exact, 2e-3);
    v.report(name + fmt::format(", {}^2", n), b, fmt::format("Ghia et al.: {}", other));
  };
  row("smallest u", coarse.u_min, fine.u_min, known.u_min, ghia.u_min);
  row("largest w", coarse.w_max, fine.w_max, known.w_max, ghia.w_max);
  row("smallest w", coarse.w_min, fine.w_min, known.w_min, ghia.w_min);
}
}  // namespace

void verify_lid_cavity(Verification& v) {
  if (!v.at_least(Extent::quick) || v.single())
    return v.leave_out("lid-driven cavity", "in the quick and full extents, in double precision");
  rows(v, 100, v.at_least(Extent::full) ? 128 : 64, {-0.214042, 0.179573, -0.253803},
       {-0.2109, 0.17527, -0.24533});
  if (!v.at_least(Extent::full)) return;
  rows(v, 1000, 256, {-0.3885698, 0.3769447, -0.5270771}, {-0.38289, 0.37095, -0.51550});
}

}  // namespace watersmeet::verify
