// Onset of convection in rolls between plates: Rayleigh number of zero growth on N x N cells of
// half a roll, free slip (k = pi/sqrt 2) and no slip (k = 3.11) at the plates, symmetry at the
// sides. Table II of Cohen and Molemaker (2009), A fast double precision CFD code using CUDA.
//
// The marginal state is steady, so that its Rayleigh number on a grid depends on neither time step
// nor time scheme; the expected ones are eigenvalues of these differences by
// validation/reference/convection_rolls.py, of free slip in closed form: Ra_N = (kx^2 + kz^2)^3 / (kx^2 cos^2(pi/2N)), kx = (2N/Lx) sin(pi/2N), kz = 2N sin(pi/2N).
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "verify/boussinesq/groups.hpp"
#include "verify/boussinesq/growth_rate.hpp"

namespace watersmeet::verify {

namespace {
using std::numbers::pi;

double rate_of(const Verification& v, std::int64_t n, bool slip, double length, double rayleigh) {
  ConvectionCase c;
  c.cells = {n, 1, n};
  c.upper = {length, 1, 1};
  c.physics = "viscosity = 1\ndiffusivity = 1\nbuoyancy = 1\n";
  const double h = 1 / static_cast<double>(n);
  c.dt = 0.9 / (4 / (h * h) * (1 + 1 / (length * length)));
  c.temperature =
      fmt::format("{0:.17g}*(1 - z + 1e-6*cos(pi*x/{1:.17g})*sin(pi*z))", rayleigh, length);
  const char* const plate = slip ? "free_slip" : "no_slip";
  c.boundary = fmt::format(
      "x = \"free_slip\"\ny = \"periodic\"\n"
      "z_lower = {{ kind = \"{0}\", temperature = {1:.17g} }}\n"
      "z_upper = {{ kind = \"{0}\", temperature = 0 }}\n",
      plate, rayleigh);
  Simulation s = start(v, c);
  return growth_rate(s, {});
}

struct Known {
  std::int64_t n;
  double scheme, published;
};
// This scheme's, and those of the paper.
const Known free_slip[] = {
    {16, 659.636, 659.69}, {32, 658.040, 658.05}, {64, 657.643, 657.65}, {128, 657.544, 657.54}};
const Known no_slip[] = {{16, 1674.020, 1674.29},
                         {32, 1699.057, 1699.25},
                         {64, 1705.575, 1705.59},
                         {128, 1707.222, 1707.22}};

double closed_form(std::int64_t cells) {
  const double n = static_cast<double>(cells), angle = pi / (2 * n);
  const double kx = 2 * n / std::sqrt(2.0) * std::sin(angle), kz = 2 * n * std::sin(angle);
  return std::pow(kx * kx + kz * kz, 3) / (kx * kx * std::pow(std::cos(angle), 2));
}

void rows(Verification& v, bool slip) {
  const auto most = static_cast<std::size_t>(v.by_extent(1, 2, 4));
  const double length = slip ? std::sqrt(2.0) : pi / 3.11;
  double found[4] = {};
  const std::string name = slip ? "free slip, " : "no slip, ";
  for (std::size_t g = 0; g < most; ++g) {
    const Known& known = slip ? free_slip[g] : no_slip[g];
    found[g] = critical_rayleigh(
        [&](double rayleigh) { return rate_of(v, known.n, slip, length, rayleigh); },
        slip ? 600 : 1600, slip ? 700 : 1800);
    v.near(fmt::format("{}{}^2: critical Rayleigh number", name, known.n), found[g], known.scheme,
           0.05);
    v.report(fmt::format("{}{}^2: above the published one by", name, known.n),
             found[g] - known.published, fmt::format("published: {}", known.published));
    if (slip) {
      v.near(fmt::format("{}{}^2: the closed form", name, known.n), closed_form(known.n),
             known.scheme, 5e-4);
    }
  }
  if (most < 4) return;
  v.near(name + "order in space", std::log2((found[1] - found[2]) / (found[2] - found[3])), 2,
         0.02);
  v.near(name + "limit of 64 and 128", (4 * found[3] - found[2]) / 3,
         slip ? 27 * std::pow(pi, 4) / 4 : 1707.772, 0.02);
}
}  // namespace

void verify_onset(Verification& v) {
  if (v.single())
    return v.leave_out("onset in rolls", "round-off of single precision hides the growth rates");
  rows(v, true);
  rows(v, false);
}

}  // namespace watersmeet::verify
