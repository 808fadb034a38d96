// Ringleb's flow: steady states from the exact solution; the error of the density falls with the
// order of the scheme as that of the vortex does. Two domains:
//
//   supersonic   streamlines k = 0.7 to 1.2 (M = 1.42 on the axis), the exact state beyond all
//                boundaries as around the vortex. The two blocks meet along a streamline: where a
//                stream crosses an interface at M = 1 the wave u - c stands still there, nothing
//                carries away the error of the closures, and half an order is lost.
//   walls        k = 0.7 to 0.8 (M = 0.86), where the outermost streamlines are slip walls. The
//                normal of a wall has the order of the closures at the ends of blocks. With order 2
//                it is off by O(h) in one node there, a source of O(h^2), whose velocity falls with
//                the distance only: the slope of the error rises with the logarithm of the cells,
//                1.45, 1.64, 1.72 up to 32, 64, 128 cells across. 1.9 is wanted and not reached on
//                these grids; judged is 1.6.
#include <fmt/format.h>

#include <algorithm>

#include "verify/aerodynamics/groups.hpp"

namespace watersmeet::verify {

namespace {
struct Bend {
  const char* name;
  double k_max;
  const char* blocks;
  const char* sides;
};
constexpr Bend supersonic{"supersonic", 1.2, "[2, 1]", "exact"};
constexpr Bend walls{"walls", 0.8, "[1, 2]", "slip_wall"};

struct KnownRingleb {
  Bend bend;
  int order;
  double least_slope;
  int judged_from;  // cells across: the least slope is that of the finer grids
};
constexpr KnownRingleb known_flows[] = {{supersonic, 3, 2.3, 32},   {supersonic, 2, 1.9, 32},
                                        {supersonic, 5, 3.2, 64},   {supersonic, 6, 3.7, 64},
                                        {supersonic, 1, 0.75, 128}, {supersonic, 4, 3.2, 128},
                                        {walls, 3, 2.3, 64},        {walls, 2, 1.6, 64}};

struct Errors {
  double density = 0;
  bool converged = false;
};

Errors errors_of(Verification& v, const KnownRingleb& k, int cells) {
  FlowOnBlocks c;
  c.mesh = fmt::format("kind = \"ringleb\", cells = [{}, {}], blocks = {}, k_max = {}", cells,
                       2 * cells, k.bend.blocks, k.bend.k_max);
  c.stream = "mach = 0.0";
  c.order = k.order;
  c.numerics = "dissipation = \"scalar\"\nshocks = \"none\"\nmultigrid = { sequencing = false }\n";
  c.steady = true;
  c.time = "residual_drop = 1e-5\nforce_window = 0\nfirst_order_cycles = 0\n";
  c.initial = "flow = \"ringleb\"\n";
  c.boundary = "lower = \"exact\"\nupper = \"exact\"\n";
  c.boundary += fmt::format("inner = \"{0}\"\nouter = \"{0}\"\n", k.bend.sides);
  Simulation s = start(v, c);
  Errors e;
  e.converged = converge(s, 1e-5, 20000);
  e.density = s.diagnostics().at("error_rho");
  return e;
}
}  // namespace

void verify_ringleb(Verification& v) {
  if (v.single())
    return v.leave_out("ringleb", "round-off of single precision hides the errors of high orders");
  for (const KnownRingleb& k : known_flows) {
    if (k.order != 3 && !v.at_least(Extent::quick)) continue;
    const int usual = v.at_least(Extent::full) ? 64 : v.at_least(Extent::quick) ? 32 : 16;
    const int finest = v.at_least(Extent::full) ? std::max(usual, k.judged_from) : usual;
    double before = 0, shown = 0;
    // Orders 5 and 6 need 12 nodes across each of two blocks.
    for (int cells = k.order > 4 ? 32 : 16; cells <= finest; cells *= 2) {
      const std::string name =
          fmt::format("{}, order {}, {} cells across", k.bend.name, k.order, cells);
      const Errors e = errors_of(v, k, cells);
      v.above(name + ": converged", e.converged ? 1 : 0, 1);
      v.report(name + ": error of rho", e.density, "");
      if (before > 0) shown = order_of(before, e.density);
      before = e.density;
    }
    const std::string name = fmt::format("{}, order {}: order shown", k.bend.name, k.order);
    if (finest >= k.judged_from) {
      v.above(name, shown, k.least_slope);
    } else if (shown > 0) {
      v.report(name, shown, "");
    }
  }
}

}  // namespace watersmeet::verify
