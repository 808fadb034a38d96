// A NACA 0012 section on a coarse C-grid: cycles of multigrid converge at the lowest and highest
// order of smooth flow, and with shocks. M 0.63, 2 degrees: Cl 0.335 +- 0.003, and no drag, since
// there is no shock; what is left of it is the error of the mesh.
#include <fmt/format.h>

#include <cmath>
#include <map>

#include "run/verify/aerodynamics/groups.hpp"

namespace watersmeet::run {

namespace {
std::map<std::string, double> section(Verification& v, const std::string& stream, int order,
                                      double drop, bool& converged) {
  FlowOnBlocks c;
  c.mesh = "kind = \"naca4\", digits = \"0012\", cells = [64, 32], far = 147.0";
  c.stream = stream;
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
  v.begin_group("sections");
  if (!v.at_least(Extent::quick)) {
    v.leave_out("sections", "takes hundreds of cycles");
    return;
  }
  const double drop = v.single() ? 1e-3 : 1e-6;
  bool converged = false;
  for (const int order : {3, 6}) {
    // Its slow end is beyond the residuals of single precision.
    if (order == 6 && v.single()) continue;
    const std::string name = fmt::format("M 0.63, 2 degrees, order {}", order);
    const auto values = section(v, "mach = 0.63, alpha_deg = 2.0", order, drop, converged);
    v.above(name + ": converged", converged ? 1 : 0, 1);
    v.near(name + ": Cl", values.at("cl"), 0.335, 0.003);
    v.below(name + ": abs(Cd)", std::abs(values.at("cd")), 2e-3);
  }
  const auto values = section(v, "mach = 0.8, alpha_deg = 0.0", 2, drop, converged);
  v.above("M 0.8, 0 degrees, order 2: converged", converged ? 1 : 0, 1);
  v.below("M 0.8, 0 degrees, order 2: abs(Cl)", std::abs(values.at("cl")),
          v.single() ? 1e-3 : 1e-6);
  v.report("M 0.8, 0 degrees, order 2: Cd", values.at("cd"), "");
}

}  // namespace watersmeet::run
