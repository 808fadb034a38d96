// The same convection with gravity along each of the six directions, the box turned with it, gives
// the same numbers: every variable to round-off where axes are permuted or reversed.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "verify/boussinesq/groups.hpp"

namespace watersmeet::verify {

namespace {
struct DirectionExtremes {
  double along, across[2], flux;  // velocities along gravity and across it, ascending
};

DirectionExtremes run_towards(const Verification& v, int axis, bool reversed) {
  // Heights are along `axis`, with the floor where gravity points to.
  const int b = (axis + 1) % 3, c = (axis + 2) % 3;
  ConvectionCase flow;
  const std::size_t heights = static_cast<std::size_t>(axis), first = static_cast<std::size_t>(b);
  flow.cells = {12, 12, 12};
  flow.cells[heights] = 10;
  flow.cells[first] = 14;
  flow.physics =
      fmt::format("viscosity = 0.71\ndiffusivity = 1\nbuoyancy = 7e4\ngravity = \"{}{}\"\n",
                  reversed ? '+' : '-', "xyz"[axis]);
  const std::string height =
      reversed ? fmt::format("(1 - {})", "xyz"[axis]) : std::string(1, "xyz"[axis]);
  flow.temperature =
      fmt::format("1 - {0} + 0.1*sin(pi*{0})*(cos(2*pi*{1}) + 0.5*cos(2*pi*{2} + 1))", height,
                  "xyz"[b], "xyz"[c]);
  const std::string hot = "{ temperature = 1 }", cold = "{ temperature = 0 }";
  flow.boundary =
      fmt::format("{0}_lower = {3}\n{0}_upper = {4}\n{1} = \"periodic\"\n{2} = \"free_slip\"\n",
                  "xyz"[axis], "xyz"[b], "xyz"[c], reversed ? cold : hot, reversed ? hot : cold);
  flow.dt = 4e-4;
  Simulation s = start(v, flow);
  s.step(60);
  const auto row = s.diagnostics();
  const char* const names[] = {"u_max", "v_max", "w_max"};
  DirectionExtremes e{row.at(names[axis]),
                      {row.at(names[b]), row.at(names[c])},
                      row.at(reversed ? "nusselt_upper" : "nusselt_lower")};
  return e;
}
}  // namespace

void verify_gravity_directions(Verification& v) {
  const DirectionExtremes known = run_towards(v, 2, false);
  v.above("the flow is not trivial: largest velocity", known.along, 1);
  const double tolerance = v.single() ? 1e-4 : 1e-12;
  for (int axis = 0; axis < 3; ++axis) {
    for (const bool reversed : {false, true}) {
      if (axis == 2 && !reversed) continue;
      const DirectionExtremes e = run_towards(v, axis, reversed);
      const double worst = std::max(
          {std::abs(e.along / known.along - 1), std::abs(e.across[0] / known.across[0] - 1),
           std::abs(e.across[1] / known.across[1] - 1), std::abs(e.flux / known.flux - 1)});
      v.below(fmt::format("gravity {}{}: difference from -z", reversed ? '+' : '-', "xyz"[axis]),
              worst, tolerance);
    }
  }
}

}  // namespace watersmeet::verify
