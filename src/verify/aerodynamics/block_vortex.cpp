// An isentropic vortex across four wavy blocks, some turned, to t = 1: the error of the density,
// sqrt(sum H V (rho - exact)^2), against that of a second solver of the scheme,
// validation/reference/sbp_euler.py, which rounds to five digits, and the orders that it shows.
#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "verify/aerodynamics/groups.hpp"

namespace watersmeet::verify {

namespace {
constexpr int cells_of_grids[] = {20, 40, 80, 120};  // of a block along each axis

struct KnownVortex {
  int order;
  bool compatible;
  std::vector<double> error;
  double least_slope;  // of the last two grids
};
// Order 1 shows its slope later than the others.
const KnownVortex known_vortices[] = {
    {1, false, {2.3121e-2, 1.5787e-2, 9.5763e-3, 6.8608e-3}, 0.75},
    {2, false, {3.4167e-3, 7.3984e-4, 1.6211e-4}, 1.9},
    {3, false, {2.0653e-3, 3.8796e-4, 6.6926e-5}, 2.3},
    {4, false, {7.8895e-4, 5.4375e-5, 3.9078e-6}, 3.2},
    {5, false, {6.7104e-4, 4.2380e-5, 2.2765e-6}, 3.2},
    {6, false, {8.6648e-4, 4.9970e-5, 2.3417e-6}, 3.7},
    {5, true, {1.1924e-3, 9.5344e-5, 5.4978e-6}, 3.2},
    {6, true, {1.4702e-3, 1.1328e-4, 6.5492e-6}, 3.7},
};

double error_of(Verification& v, const KnownVortex& k, int cells) {
  FlowOnBlocks c;
  c.mesh = fmt::format("kind = \"wavybox\", cells = [{0}, {0}], blocks = [2, 2], seed = 4", cells);
  c.stream = "mach = 0.5590169943749475, alpha_deg = 26.56505117707799, sound_speed = 2.0";
  c.order = k.order;
  c.numerics = fmt::format("dissipation = \"scalar\"\nflux = \"divergence\"\nsbp6 = \"{}\"\n",
                           k.compatible ? "compatible" : "accurate");
  c.time = "cfl = 0.5\n";
  c.initial = "flow = { kind = \"vortex\", centre = [4, 4.5, 0], strength = 0.15 }\n";
  c.boundary = "outer = \"exact\"\n";
  Simulation s = start(v, c);
  s.advance_to(1.0);
  return s.diagnostics().at("error_rho");
}
}  // namespace

void verify_block_vortex(Verification& v) {
  if (v.single())
    return v.leave_out("vortex", "round-off of single precision hides the errors of high orders");
  for (const KnownVortex& k : known_vortices) {
    const std::string name =
        fmt::format("order {}{}", k.order, k.compatible ? ", compatible operators" : "");
    const auto grids = static_cast<std::size_t>(v.by_extent(1, 2, std::ssize(k.error)));
    double before = 0;
    for (std::size_t g = 0; g < grids; ++g) {
      const int cells = cells_of_grids[g];
      const double error = error_of(v, k, cells);
      v.near_relative(fmt::format("{}, {} cells: error of rho", name, cells), error, k.error[g],
                      1e-3);
      if (g == k.error.size() - 1) {
        const double finer = static_cast<double>(cells) / cells_of_grids[g - 1];
        v.above(fmt::format("{}: order shown", name), std::log(before / error) / std::log(finer),
                k.least_slope);
      }
      before = error;
    }
  }
}

}  // namespace watersmeet::verify
