// Flow about an axis: what is conserved is kept to round-off, uniform pressure and velocity stay
// uniform whatever fluids they carry, and a blast wave follows Sedov's closed form.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "verify/multicomponent/groups.hpp"

namespace watersmeet::verify {

namespace {
using std::numbers::pi;
constexpr schemes::GasState gas{1, 0, 1, 1.4, 0};

// Waves of half the sound speed along the axis and towards it, two fluids, a cylinder as wall.
void conservation_rows(Verification& v, const std::string& model, const std::string& riemann) {
  FlowCase c{.cells = {48, 24, 1},
             .upper = {1, 0.5, 1},
             .axisymmetric = true,
             .model = model,
             .fluids = fluid_line("air", gas) + fluid_line("helium", {0.5, 0, 1, 1.667, 0}),
             .riemann = riemann,
             .boundary = "x = \"periodic\"\ny_upper = \"reflecting\"\n"};
  c.initial =
      "[[initial]]\nfluid = \"air\"\ndensity = \"1+0.4*sin(2*pi*x+0.3)*cos(6*y)\"\n"
      "pressure = \"1+0.5*cos(2*pi*x+0.7)*cos(9*y)\"\n"
      "velocity = [\"0.5*sin(4*pi*x+0.4)\", \"0.6*sin(2*pi*y)*cos(2*pi*x)\", \"0\"]\n"
      "[[initial]]\nfluid = \"helium\"\nshape = { kind = \"sphere\", centre = [0.4, 0, 0], "
      "radius = 0.22 }\n";
  Simulation s = start(v, c);
  const auto before = s.diagnostics();
  s.step(200);
  const auto after = s.diagnostics();
  const std::string name = fmt::format("waves about the axis, {}, {}, ", model, riemann);
  const double bound = v.single() ? 2e-6 : 1e-13;
  for (const char* const column : {"mass", "energy"}) {
    v.below(name + column + " drift", std::abs(after.at(column) / before.at(column) - 1), bound);
  }
  // Against the mass times the sound speed.
  v.below(name + "axial momentum drift",
          std::abs(after.at("momentum_x") - before.at("momentum_x")) /
              (std::sqrt(gas.gamma) * before.at("mass")),
          bound);
}

// A bubble carried along the axis.
void interface_rows(Verification& v) {
  schemes::GasState water = seed_water, air = seed_air;
  water.u = air.u = 100;
  FlowCase c{.cells = {48, 24, 1},
             .upper = {1, 0.5, 1},
             .axisymmetric = true,
             .model = "mpcf-k",
             .fluids = fluid_line("water", water) + fluid_line("air", air),
             .boundary = "x = \"periodic\"\ny_upper = \"reflecting\"\n"};
  c.initial =
      initial_entry("water", water) +
      initial_entry("air", air, 0,
                    "kind = \"sphere\", centre = [0.5, 0, 0], radius = 0.25, smoothing = 1");
  Simulation s = start(v, c);
  s.step(400);
  // The bounds of the interface in a tube.
  v.below("bubble carried along the axis, max |dp|/p", largest_deviation(s.field("p"), water.p),
          1e-8);
  const std::vector<double> u = s.field("velocity");
  v.below("bubble carried along the axis, max |du|/u", largest_deviation(component(u, 0), water.u),
          1e-10);
  v.below("bubble carried along the axis, max |v|/u", largest_magnitude(component(u, 1)) / water.u,
          1e-10);
}

// At rest, of any density: nothing moves.
void rest_rows(Verification& v) {
  FlowCase c{.cells = {30, 20, 1},
             .axisymmetric = true,
             .fluids = fluid_line("gas", gas),
             .boundary = "x = \"reflecting\"\ny_upper = \"absorbing\"\n"};
  c.initial =
      "[[initial]]\nfluid = \"gas\"\npressure = 1\ndensity = \"1+0.9*sin(9*x)*cos(11*y)\"\n";
  Simulation s = start(v, c);
  s.step(300);
  v.below("gas at rest, largest velocity over the sound speed",
          largest_magnitude(s.field("velocity")) / std::sqrt(gas.gamma), v.single() ? 1e-5 : 1e-13);
}

struct Blast {
  double along = 0, diagonal = 0, across = 0;  // radii over Sedov's
  double spacing = 0;                          // over Sedov's radius
  double energy_drift = 0, mass_drift = 0;
};

// Until the blast has its radius: half of the half plane.
Blast blast_of(const Verification& v, std::int64_t n) {
  const double h = 1 / static_cast<double>(n);
  FlowCase c = sedov::case_of({n, n, 1}, h);
  c.lower = {0, 0, -h / 2};
  c.upper = {1, 1, h / 2};
  c.axisymmetric = true;
  c.boundary = "x_lower = \"symmetry\"\n";
  Simulation s = start(v, c);
  s.advance_to(sedov::time_of(2 * (s.diagnostics().at("energy") - pi * 2.5 * sedov::ahead)));
  const std::vector<double> rho = s.field("rho");
  const std::size_t cells = static_cast<std::size_t>(n);
  std::vector<double> along, across, diagonal;
  for (std::size_t i = 0; i < cells; ++i) {
    along.push_back(rho[i]);
    across.push_back(rho[i * cells]);
    diagonal.push_back(rho[i * cells + i]);
  }
  const auto d = s.diagnostics();
  const auto radius = [](const std::vector<double>& line, double step) {
    return sedov::front(line, step / 2, step) / sedov::radius;
  };
  return {radius(along, h),  radius(diagonal, std::sqrt(2.0) * h), radius(across, h),
          h / sedov::radius, std::abs(d.at("energy_drift")),       std::abs(d.at("mass_drift"))};
}

// The captured front lies a cell ahead on every grid (a shock of no thickness is spread over two or
// three cells, and the density behind falls within a few): an error of first order, which two grids
// take away. By how much it leads on 64 cells is what two_fluid_problems.py of validation/reference
// has, to two hundredths of a cell.
void sedov_rows(Verification& v, std::int64_t n) {
  const Blast coarse = blast_of(v, n), fine = blast_of(v, 2 * n);
  const struct {
    const char* name;
    double Blast::*radius;
    double ahead;  // on 64 cells, in cells
  } directions[] = {{"along the axis", &Blast::along, 1.307},
                    {"on the diagonal", &Blast::diagonal, 0.310},
                    {"across the axis", &Blast::across, 1.140}};
  for (const auto& d : directions) {
    const std::string name = fmt::format("Sedov's blast {}, ", d.name);
    const std::string row =
        name + fmt::format("{} cells, front ahead of the exact one, in cells", 2 * n);
    const double ahead = (fine.*d.radius - 1) / fine.spacing;
    if (n == 32) {
      v.near(row, ahead, d.ahead, 0.05);
    } else {
      v.within(row, ahead, 0, 1.75);
    }
    v.near(name + fmt::format("radius over the exact one, from {} and {} cells", n, 2 * n),
           2 * fine.*d.radius - coarse.*d.radius, 1, 0.01);
  }
  const double bound = v.single() ? 1e-4 : 1e-13;
  v.below(fmt::format("Sedov's blast, {} cells, energy drift", 2 * n), fine.energy_drift, bound);
  v.below(fmt::format("Sedov's blast, {} cells, mass drift", 2 * n), fine.mass_drift, bound);
}
}  // namespace

void verify_axisymmetric(Verification& v) {
  conservation_rows(v, "mpcf", "hllc");
  conservation_rows(v, "mpcf-k", "hll");
  rest_rows(v);
  if (v.single()) {
    v.leave_out("bubble carried along the axis", "its bounds are those of double precision");
  } else {
    interface_rows(v);
  }
  sedov_rows(v, 32);
  if (v.at_least(Extent::full)) sedov_rows(v, 80);
}

}  // namespace watersmeet::verify
