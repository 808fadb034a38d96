// Strong shocks that follow the grid. Quirk's problem (Int. J. Numer. Meth. Fluids 18, 1994): a plane
// shock of Mach 6 whose rows of cells differ by a ripple of density from cell to cell. HLLC lets it
// grow until the shock is torn into rows (odd-even decoupling, of the family of the carbuncle);
// HLLC-LM must not let it grow, and HLL damps it. And Sedov's blast in three dimensions: whatever the
// Riemann solver, its front lies a good cell ahead along the axes and less on the diagonals, across
// which a captured front is thinner. That is the width of the front, and no instability.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/math.hpp"
#include "verify/multicomponent/groups.hpp"

namespace watersmeet::verify {

namespace {
constexpr double mach = 6, ripple = 1e-4;

FlowCase quirk(const std::string& riemann, const std::string& reconstruction) {
  constexpr std::int64_t along = 160, across = 8;
  const double h = 1.0 / 16;
  const schemes::GasState ahead{1.4, 0, 1, 1.4, 0};
  FlowCase c{.cells = {along, across, 1},
             .upper = {along * h, across * h, h},
             .fluids = fluid_line("gas", ahead),
             .reconstruction = reconstruction,
             .riemann = riemann,
             .cfl = 0.4,
             .boundary = "x_lower = \"inflow\"\ny = \"periodic\"\n"};
  c.initial =
      initial_entry("gas", ahead) +
      fmt::format(
          "[[initial]]\nshape = {{ kind = \"shock\", x = 1, side = \"lower\", mach = {} }}\n"
          "[[initial]]\nfluid = \"gas\"\npressure = 1\n"
          "density = \"1.4*(1+{}*cos(pi*(16*y-0.5)))\"\n"
          "shape = {{ kind = \"box\", lower = [2, -1, -1], upper = [3, 2, 1], "
          "smoothing = 0 }}\n",
          mach, ripple);
  return c;
}

// Largest difference of the density between rows.
double difference_of_rows(const Simulation& s) {
  const std::vector<double> rho = s.field("rho");
  const std::size_t n = static_cast<std::size_t>(s.cells()[0]);
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double lowest = rho[i], highest = rho[i];
    for (std::size_t c = i; c < rho.size(); c += n) {
      lowest = std::min(lowest, rho[c]);
      highest = max_or_nan(highest, rho[c]);
    }
    largest = max_or_nan(largest, highest - lowest);
  }
  return largest;
}

// The difference when the shock has run through the ripple, and its growth over four units of length
// more: 64 cells.
void quirk_rows(Verification& v, const std::string& riemann, const std::string& reconstruction) {
  Simulation s = start(v, quirk(riemann, reconstruction));
  s.advance_to(3 / mach);
  const double before = difference_of_rows(s);
  s.advance_to(7 / mach);
  const double growth = difference_of_rows(s) / before;
  const std::string name =
      fmt::format("Quirk's problem, {}, {}, growth over 64 cells", reconstruction, riemann);
  if (riemann == "hllc") {
    v.above(name, growth, 20);
  } else if (riemann == "hllc-lm") {
    v.below(name, growth, 1.5);
  } else {
    v.below(
        fmt::format("Quirk's problem, {}, {}, what is left of the ripple", reconstruction, riemann),
        difference_of_rows(s) / (2 * 1.4 * ripple), 1e-3);
  }
}

// Where it is along (1, .., 1) with `axes` ones, in cells, from the middle of the rows of an eighth.
double front(const std::vector<double>& rho, std::int64_t n, int axes) {
  std::vector<double> line;
  const std::int64_t stride = 1 + (axes > 1 ? n : 0) + (axes > 2 ? n * n : 0);
  for (std::int64_t i = 0; i < n; ++i) line.push_back(rho[static_cast<std::size_t>(i * stride)]);
  const double step = std::sqrt(static_cast<double>(axes));
  return sedov::front(line, step / 2, step);
}

void blast_rows(Verification& v, const std::string& riemann) {
  const std::int64_t n = v.at_least(Extent::full) ? 32 : 20;
  const double h = 1 / static_cast<double>(n);
  FlowCase c = sedov::case_of({n, n, n}, h);
  c.riemann = riemann;
  c.boundary = "x_lower = \"symmetry\"\ny_lower = \"symmetry\"\nz_lower = \"symmetry\"\n";
  Simulation s = start(v, c);
  s.advance_to(sedov::time_of(8 * (s.diagnostics().at("energy") - 2.5 * sedov::ahead)));
  const std::vector<double> rho = s.field("rho");
  const std::string name = fmt::format(
      "Sedov's blast in three dimensions, {}^3, {}, front ahead, in cells, ", n, riemann);
  const double exact = sedov::radius / h;
  const double axis = front(rho, n, 1) - exact, diagonal = front(rho, n, 3) - exact;
  v.within(name + "along an axis", axis, 0.5, 1.75);
  v.within(name + "on a diagonal", diagonal, 0, 0.9);
}
}  // namespace

void verify_shock_along_grid(Verification& v) {
  if (v.single())
    return v.leave_out("shocks along the grid", "the ripple is of the order of round-off there");
  for (const char* const riemann : {"hllc", "hllc-lm", "hll"}) {
    quirk_rows(v, riemann, "weno5-js");
    if (v.at_least(Extent::quick)) quirk_rows(v, riemann, "first-order");
    if (v.at_least(Extent::quick)) quirk_rows(v, riemann, "weno5-z");
  }
  if (!v.at_least(Extent::quick)) return;
  for (const char* const riemann : {"hllc", "hllc-lm", "hll"}) blast_rows(v, riemann);
}

}  // namespace watersmeet::verify
