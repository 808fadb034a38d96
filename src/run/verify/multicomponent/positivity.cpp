// Two rarefactions that part, where reconstructed states leave the equation of state first: water
// under tension, and a gas that nearly empties. Each way of keeping states inside must come to the
// end, with every cell inside.
#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "run/verify/multicomponent/groups.hpp"

namespace watersmeet::run {

namespace {
struct Parting {
  const char* name;
  schemes::GasState left;  // the other side moves as fast to the right
  double t_end;
  WenoScales scales;
};
const Parting partings[] = {
    // p* is about -70 MPa, between 0 and -p_c.
    {"water under tension", {1000, -50, 1e5, 6.12, 3.43e8}, 2e-4, {1e3, 10, 1e7, 1, 4e8}},
    // Toro's second test: between the waves 0.5 % of the pressure is left.
    {"gas nearly emptied", {1, -2, 0.4, 1.4, 0}, 0.15, {1, 1, 1, 1, 1}},
};

void rows(Verification& v, const Parting& p, const std::string& positivity,
          const std::string& scheme) {
  schemes::GasState right = p.left;
  right.u = -p.left.u;
  const schemes::ExactRiemann exact(p.left, right);
  FlowCase c{.cells = {200, 1, 1},
             .fluids = fluid_line("fluid", p.left),
             .epsilon = 1e-6,
             .scales = p.scales,
             .positivity = positivity,
             .cfl = 0.5,
             .scheme = scheme};
  c.initial = initial_entry("fluid", p.left) +
              initial_entry("fluid", right, 0,
                            "kind = \"half_space\", x = 0.5, side = \"upper\", smoothing = 0");
  const std::string name = fmt::format("{}, {}, {}, ", p.name, positivity, scheme);
  Simulation s = start(v, c);
  try {
    s.advance_to(p.t_end);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::diverged) throw;
    v.failed(name + "run to its end", error.what());
    return;
  }
  const std::vector<double> pressure = s.field("p"), rho = s.field("rho");
  // Of the state in the middle, where every sound speed is smallest.
  v.above(name + "smallest p + p_c over that of the exact solution",
          (*std::min_element(pressure.begin(), pressure.end()) + p.left.p_c) /
              (exact.star_pressure() + p.left.p_c),
          0.5);
  v.above(name + "smallest rho over that of the exact solution",
          *std::min_element(rho.begin(), rho.end()) / exact.left_star().rho, 0.5);
}
}  // namespace

void verify_positivity(Verification& v) {
  v.begin_group("positivity");
  for (const Parting& p : partings) {
    for (const char* const scheme : {"rk3-cubism", "ssp-rk3"}) {
      rows(v, p, "fallback", scheme);
      rows(v, p, "scaling", scheme);
    }
  }
}

}  // namespace watersmeet::run
